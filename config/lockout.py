"""How wrong passwords are counted, and what is said when there were too many.

They are counted per name and network address, so that guessing is slow. All of
a school shares one address: students who guess would shut their teacher out.
So a browser in which a teacher has logged in before carries a signed cookie and
is counted by itself.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from classroom.models import Teacher
from classroom.security_log import Event, note
from classroom.signup import AccountAdapter
from classroom.throttle import Misses
from classroom.views.languages import keep_language
from config.views import plain_page

_SALT = "config.lockout.device"
_YEAR_S = 60 * 60 * 24 * 365
LOGINS = Misses("logins", limit=120)  # a minute and address, right and wrong ones
TRIES_KEPT = timedelta(days=1)  # far longer than a wrong password counts


def login_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Whose failures are counted: the e-mail address, and the browser if it is the teacher's."""
    given = credentials or {}
    name = given.get("email") or given.get("username") or request.POST.get("login") or ""
    name = _folded(str(name))
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
    """What a cookie holds of a name, however it was typed."""
    return salted_hmac(_SALT, _folded(name)).hexdigest()


def _folded(name: str) -> str:
    return name.strip().casefold()


def remember(response: Any, email: str) -> None:
    """Let the browser show next time that this account has logged in from it."""
    value = signing.dumps([_mark(email), secrets.token_hex(8)], salt=_SALT)
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        value,
        max_age=_YEAR_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


class Adapter(AccountAdapter):
    """The rules for accounts, and what browsers remember."""

    def post_login(self, request: HttpRequest, user: Any, **details: Any) -> Any:
        """The answer to a login, after every stage of it."""
        response = super().post_login(request, user, **details)
        remember(response, user.email or "")
        if user.language:
            keep_language(response, user.language)
        return response

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse a flood before any password is hashed; the teacher's own browser passes it.

        In place of allauth's limit, which would count for all of a school.

        Raises:
            ValidationError: too many log-ins from this address within a minute.
        """
        if _device(request, str(credentials.get("email") or "")):
            return
        address = str(request.META.get("REMOTE_ADDR", ""))
        if LOGINS.over(address):
            raise self.validation_error("too_many_login_attempts")
        LOGINS.add(address)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Written down for the account, if there is one: what was typed may be a password."""
        super().authentication_failed(request, **credentials)
        note(Event.LOGIN_FAILED, about=_whose(credentials))


def locked_out(
    request: HttpRequest, response: HttpResponse, credentials: dict[str, Any] | None = None
) -> HttpResponse:
    """The page after ten wrong passwords."""
    note(Event.LOGIN_LOCKED, about=_whose(credentials or {"email": request.POST.get("login")}))
    return plain_page(
        request,
        title=_("Too many wrong passwords"),
        sentences=[
            _("Wait 15 minutes, then try again."),
            _("If you forgot the password, ask for a new one on the log-in page."),
        ],
        status=429,
    )


def forget_tries(*, dry: bool) -> int:
    """Delete wrong passwords that count no longer: they hold addresses of people and networks."""
    old = AccessAttempt.objects.filter(attempt_time__lt=timezone.now() - TRIES_KEPT)
    return old.count() if dry else int(old.delete()[0])


def _whose(credentials: dict[str, Any]) -> str:
    email = str(credentials.get("email") or credentials.get("username") or "").strip()
    known = Teacher.objects.filter(email__iexact=email).values_list("pk", flat=True).first()
    return f"account:{known}" if known else "no-account"
