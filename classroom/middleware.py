"""The one place where a refusal becomes an answer: a page, a part of a page, or JSON."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from classroom.errors import DomainError


class DomainErrorMiddleware(MiddlewareMixin):
    """Answers a ``DomainError`` that a view let through. Nothing has changed by then."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The answer, or None for what is no refusal."""
        return answer(request, exception) if isinstance(exception, DomainError) else None


def answer(request: HttpRequest, refusal: DomainError) -> HttpResponse:
    """What the asker can read: JSON where it was asked for, a notice for htmx, else a page."""
    if request.accepts("application/json") and not request.accepts("text/html"):
        body = {"code": refusal.code, "message": str(refusal.message)}
        return JsonResponse(body, status=refusal.status)
    if request.headers.get("HX-Request"):
        response = render(request, "classroom/_refusal.html", {"refusal": refusal})
        response.status_code = refusal.status
        return response
    return render(request, "classroom/refusal.html", {"refusal": refusal}, status=refusal.status)
