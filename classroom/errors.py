"""Refusals that a person can act on. The edge (views, consumers) answers them in one place."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class DomainError(Exception):
    """Nothing has changed; ``message`` says what to do.

    ``code`` never changes. ``status`` is the HTTP status of the answer.
    """

    code: str = "refused"
    message: str | Promise = ""
    status: int = 422

    def __init__(self, message: str | Promise | None = None, *, code: str | None = None) -> None:
        super().__init__(code or self.code)
        if message is not None:
            self.message = message
        if code is not None:
            self.code = code


class NotThere(DomainError):
    """Absent, or not yours: the same answer for both."""

    code = "not_found"
    message = _("This page is not there, or it is not open to you.")
    status = 404


class NotAllowed(DomainError):
    """The person is known here, but may not do this."""

    code = "not_allowed"
    message = _("You cannot do this here.")
    status = 403


class NotAPage(DomainError):
    """The address of a button, opened by itself: typed, or kept by a phone (case AZ-07)."""

    code = "not_a_page"
    message = _("This address belongs to a button and shows no page. Go back and try again.")
    status = 405


class TooFast(DomainError):
    """Asked too often."""

    code = "too_fast"
    message = _("That was too fast. Wait a moment, then try again.")
    status = 429


class Busy(DomainError):
    """The database did not do it in time, or others were faster again and again."""

    code = "busy"
    message = _("That took too long and was not done. Try again.")
    status = 503
