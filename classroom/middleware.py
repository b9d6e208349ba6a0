"""What happens around every view: a refusal becomes an answer, a login that nobody uses ends."""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.views import redirect_to_login
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render, resolve_url
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from django.utils.encoding import escape_uri_path
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from classroom.access import asker, classrooms_of
from classroom.errors import Busy, DomainError, NotAllowed, NotAPage, NotThere
from classroom.models import Lesson, Teacher
from classroom.security_log import Event, note
from classroom.transactions import is_passing

USED = "used"  # session key: Unix time at which the teacher did something last
NOTED_EVERY_S = 60
LONGEST_LESSON = timedelta(hours=12)
BY_THEMSELVES = {"games:now", "games:lesson_now", "classroom:here"}  # asked again and again

logger = logging.getLogger(__name__)


class DomainErrorMiddleware(MiddlewareMixin):
    """Answers a ``DomainError`` that a view let through. Nothing has changed by then."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Words for a reader who opens a button's address; the browser would show a blank page."""
        if response.status_code != 405 or request.method != "GET":
            return response
        told = answer(request, NotAPage())
        told.headers["Allow"] = response.headers.get("Allow", "")
        return told

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The answer, or None for what is no refusal."""
        if isinstance(exception, OperationalError) and is_passing(exception):
            logger.warning("The database did not take %s: %s", request.method, exception)
            exception = Busy()
        if not isinstance(exception, DomainError):
            return None
        if isinstance(exception, NotThere | NotAllowed):
            what = f"{request.method}:{escape_uri_path(request.path)}"
            note(Event.REFUSED, by=asker(request), about=what)
        return answer(request, exception)


def answer(request: HttpRequest, refusal: DomainError) -> HttpResponse:
    """What the asker can read: JSON where it was asked for, a notice for htmx, else a page."""
    if request.accepts("application/json") and not request.accepts("text/html"):
        body = {"code": refusal.code, "message": str(refusal.message)}
        return JsonResponse(body, status=refusal.status)
    if "HX-Request" in request.headers:
        told = {"sentence": refusal.message}
        return render(request, "components/_refused.html", told, status=refusal.status)
    context = {"refusal": refusal, "back": _page_before(request)}
    return render(request, "classroom/refusal.html", context, status=refusal.status)


def _page_before(request: HttpRequest) -> str:
    """The page of this site from which somebody came, or nothing."""
    before = request.headers.get("Referer", "")
    if request.method == "GET" and before == request.build_absolute_uri():
        return ""
    ours = url_has_allowed_host_and_scheme(before, {request.get_host()}, request.is_secure())
    return before if ours else ""


class IdleMiddleware(MiddlewareMixin):
    """Ends the login of a teacher who has done nothing for ``IDLE_S``.

    What a page asks by itself is nothing done. Nobody is put out of a lesson that
    is open: its desk stands there for an hour without a click.
    """

    def process_view(
        self, request: HttpRequest, _view: Any, _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """The way to the log-in page, or None for who may stay."""
        match = request.resolver_match
        if not settings.IDLE_S or (match is not None and match.view_name in BY_THEMSELVES):
            return None
        if SESSION_KEY not in request.session:
            return None
        now = int(time.time())
        used = request.session.get(USED, now)
        asked_by_itself = request.method == "GET" and "HX-Request" in request.headers
        if now - used > settings.IDLE_S and not _teaches(request):
            return _put_out(request)
        if USED not in request.session or (not asked_by_itself and now - used >= NOTED_EVERY_S):
            request.session[USED] = now
        return None


def _teaches(request: HttpRequest) -> bool:
    """Whether a lesson of the teacher's is open; one that was forgotten does not count."""
    teacher = request.user
    return isinstance(teacher, Teacher) and (
        Lesson.objects.filter(
            classroom__in=classrooms_of(teacher),
            state=Lesson.State.OPEN,
            opened_at__gt=timezone.now() - LONGEST_LESSON,
        ).exists()
    )


def _put_out(request: HttpRequest) -> HttpResponse:
    if isinstance(request.user, Teacher):
        note(Event.IDLE_LOGGED_OUT, by=request.user)
    logout(request)
    messages.info(request, _("You did nothing here for a long time, so you were logged out."))
    if "HX-Request" in request.headers:
        return HttpResponseClientRedirect(settings.LOGIN_REDIRECT_URL)
    return redirect_to_login(request.get_full_path() if request.method == "GET" else "/classes/")


class LogInPageMiddleware(MiddlewareMixin):
    """Whoever is to log in sees the whole page for it, and not in a part of the one before."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """For htmx, the way to the log-in that leads back to the page that asked."""
        to = response.headers.get("Location", "")
        leads = to.startswith(resolve_url(settings.LOGIN_URL))
        if "HX-Request" not in request.headers or not leads:
            return response
        before = urlsplit(request.headers.get("HX-Current-URL", "")).path
        return HttpResponseClientRedirect(redirect_to_login(before or "/").url)
