"""How wrong passwords are counted, and what is said when there were too many.

They are counted per name and network address, so that guessing is slow. All of
a school shares one address: students who guess would shut their teacher out.
So a browser in which a teacher has logged in before carries a signed cookie and
is counted by itself.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from classroom.signup import AccountAdapter
from config.views import plain_page

_SALT = "config.lockout.device"
_YEAR_S = 60 * 60 * 24 * 365


def login_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Whose failures are counted: the e-mail address, and the browser if it is the teacher's."""
    given = credentials or {}
    name = given.get("email") or given.get("username") or request.POST.get("login") or ""
    name = str(name).strip().casefold()
    device = _device(request, name)
    return f"{name} in browser {device}" if device else name


def _device(request: HttpRequest, name: str) -> str | None:
    """The number of a browser in which this name has logged in before, or None."""
    try:
        whose, device = signing.loads(
            request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=_SALT, max_age=_YEAR_S
        )
    except (signing.BadSignature, ValueError):
        return None
    return str(device) if whose == _mark(name) else None


def _mark(name: str) -> str:
    return salted_hmac(_SALT, name).hexdigest()


def remember(response: Any, email: str) -> None:
    """Let the browser show next time that this account has logged in from it."""
    value = signing.dumps([_mark(email.strip().casefold()), secrets.token_hex(8)], salt=_SALT)
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        value,
        max_age=_YEAR_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


class Adapter(AccountAdapter):
    """The rules for accounts, and the memory of browsers."""

    def post_login(self, request: HttpRequest, user: Any, **details: Any) -> Any:
        """The answer to a login, after every stage of it."""
        response = super().post_login(request, user, **details)
        remember(response, user.email or "")
        return response


def locked_out(
    request: HttpRequest, response: HttpResponse, credentials: dict[str, Any] | None = None
) -> HttpResponse:
    """The page after ten wrong passwords."""
    return plain_page(
        request,
        title=_("Too many wrong passwords"),
        sentences=[
            _("Wait 15 minutes, then try again."),
            _("If you forgot the password, ask for a new one on the log-in page."),
        ],
        status=429,
    )
