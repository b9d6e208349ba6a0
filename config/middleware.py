"""Headers of every answer, sessions of a busy database, and refusals before any page is asked:
unknown addresses, forms that nobody typed, and what comes without HTTPS.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, cast

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import DisallowedHost
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.utils import translation
from django.utils.translation import gettext as _

from classroom.errors import Busy
from classroom.middleware import answer
from classroom.transactions import is_passing
from config.bodies import TOO_LONG
from config.views import plain_page

logger = logging.getLogger(__name__)
notice = logging.getLogger("civictable.notice")

PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "browsing-topics", "camera", "display-capture", "geolocation"),
        *("gyroscope", "magnetometer", "microphone", "midi", "payment", "serial", "usb"),
    )
)

# No document can be made of these, so the policy would tell nobody anything; a page loads dozens.
NO_DOCUMENTS = ("text/css", "text/javascript", "font/")


class _Middleware:
    """Works in both kinds of server, so that no request changes threads for it."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self._async = bool(iscoroutinefunction(get_response))
        if self._async:
            markcoroutinefunction(cast("Any", self))

    def before(self, request: HttpRequest) -> HttpResponseBase | None:
        """An answer in place of the page, or None."""
        return None

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer to send."""
        return response

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self._async:
            return self._later(request)
        response = self.before(request) or self.get_response(request)
        return self.after(request, cast("HttpResponseBase", response))

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        response = self.before(request) or await self.get_response(request)
        return self.after(request, response)


class OnlyPagesAreLed(_Middleware):
    """Refuses what came over plain HTTP and is no page to look at, in place of leading it to HTTPS.

    Led on, a script or a form would go on sending in the clear what it was to keep for itself.
    """

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer; of the way to HTTPS only what a reader needs."""
        led = response.status_code == HTTPStatus.MOVED_PERMANENTLY and not request.is_secure()
        looked_at = request.method in {"GET", "HEAD"} and request.accepts("text/html")
        if not (settings.SECURE_SSL_REDIRECT and led) or looked_at:
            return response
        response.status_code = HTTPStatus.FORBIDDEN
        del response.headers["Location"]
        return response


class Headers(_Middleware):
    """What Django has no setting for; pages are never kept by a browser or a proxy."""

    METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")  # views say which

    def before(self, request: HttpRequest) -> HttpResponseBase | None:
        """No view is asked by a method that it has never thought of, such as TRACE."""
        if request.method not in self.METHODS:
            return HttpResponseNotAllowed(self.METHODS)
        return None

    def after(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer with its headers; a view's own ``Cache-Control`` stands."""
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if not response.headers.get("Content-Type", "").startswith(NO_DOCUMENTS):
            response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


class TypedForms(_Middleware):
    """Refuses a form with more in it than can be typed; its body never gets here."""

    def before(self, request: HttpRequest) -> HttpResponseBase | None:
        """The refusal, or None for every other request."""
        if TOO_LONG not in getattr(request, "scope", {}):
            return None
        with translation.override(translation.get_language_from_request(request)):
            return plain_page(
                request,
                title=_("This is more than can be typed here"),
                sentences=[
                    _("Nothing was changed. Go back: longer texts are brought in as a file."),
                ],
                status=413,
            )


class KnownHosts(_Middleware):
    """Refuses a Host that the site was not started for, in words that help.

    The usual reason is a laptop that got a new address since it was started.
    """

    MOST_TOLD = 20  # different hosts, so that nobody can flood the terminal

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        super().__init__(get_response)
        self._told: set[str] = set()

    def before(self, request: HttpRequest) -> HttpResponseBase | None:
        """The refusal, or None for a known host."""
        try:
            request.get_host()
        except DisallowedHost:
            self._tell(request.META.get("HTTP_HOST", ""))
            with translation.override(translation.get_language_from_request(request)):
                return plain_page(
                    request,
                    title=_("This address has changed"),
                    sentences=[
                        _("Civic Table was started for other addresses than this one."),
                        _(
                            "For the teacher: end Civic Table with Ctrl-C, start it again and "
                            "open the address that it shows."
                        ),
                    ],
                    status=400,
                )
        return None

    def _tell(self, host: str) -> None:
        host = host[:80]
        if host in self._told or len(self._told) >= self.MOST_TOLD:
            return
        self._told.add(host)
        notice.warning(
            "A browser asked for %r, an address that Civic Table was not started for. If this "
            "computer got a new address, end the program with Ctrl-C and start it again.",
            host,
        )


class Sessions(SessionMiddleware):
    """Django's; where the database has no time for a session, nobody reads of a fault (CC-12).

    What a page notes of a visit, the next one can note. What a form did cannot be told by then
    who did it, as a log-in: it is to be sent again.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The answer, with the cookie of a session that was saved."""
        try:
            return super().process_response(request, response)
        except OperationalError as error:
            if not is_passing(error):
                raise
            logger.warning("The database did not take a session: %s", error)
        return response if request.method in {"GET", "HEAD"} else answer(request, Busy())
