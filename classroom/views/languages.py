"""The language that a browser keeps."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse


def keep_language(response: HttpResponse, language: str) -> None:
    """Let the browser that gets ``response`` ask for pages in this language from now on."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
