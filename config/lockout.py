"""How wrong passwords are counted, and what is said when there were too many."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from config.views import plain_page


def login_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """The e-mail address that somebody tries to log in with, in one spelling."""
    given = credentials or {}
    name = given.get("email") or given.get("username") or request.POST.get("login") or ""
    return str(name).strip().casefold()


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
