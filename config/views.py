"""Pages of the site as a whole: is it well, and refusals before any app is asked."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.encoding import escape_uri_path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from classroom.security_log import Event, Storm

notice = logging.getLogger("civictable.notice")
forged = Storm(Event.FORGED_FORM)


def plain_page(
    request: HttpRequest, *, title: str, sentences: Sequence[str], status: int
) -> HttpResponse:
    """A page of a few sentences that needs neither session nor database; for htmx a notice."""
    if "HX-Request" in request.headers:
        told = {"title": title, "sentence": " ".join(sentences)}
        return render(request, "components/_refused.html", told, status=status)
    context = {"title": title, "sentences": sentences}
    return render(request, "config/plain_page.html", context, status=status)


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers, else 503. Says nothing else."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=503)
    return JsonResponse({"status": "ok"})


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Why a form was not taken, and what helps."""
    forged.note(about=f"{request.method}:{escape_uri_path(request.path)}")
    if reason.startswith(("Origin checking failed", "Referer checking failed")):
        notice.warning(
            "A form came from another address than the site's own. Behind a proxy, set CIVIC_URL "
            "to the address in the browser's address bar."
        )
        return plain_page(
            request,
            title=_("This address has changed"),
            sentences=[
                _("The page was opened at another address than the one it was sent to."),
                _("Open Civic Table again, at the address that the teacher shows you."),
            ],
            status=403,
        )
    return plain_page(
        request,
        title=_("This page was open for too long"),
        sentences=[_("Nothing was changed. Go back, reload the page and try again.")],
        status=403,
    )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What no page of ours sends: too many fields, a body that ends too soon."""
    return plain_page(
        request,
        title=_("This could not be read"),
        sentences=[_("Nothing was changed. Go back, reload the page and try again.")],
        status=400,
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours; what it was stands in the log."""
    return plain_page(
        request,
        title=_("Something went wrong"),
        sentences=[
            _("This is a fault of the program, and it has been written down."),
            _("Go back and try again. If it happens again, tell whoever looks after it."),
        ],
        status=500,
    )
