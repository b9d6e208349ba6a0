"""The demo for visitors: three screens of one match, played back by the browser."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from classroom.errors import TooFast
from classroom.throttle import Misses
from classroom.views.asking import address_of
from games.selectors.wording import words
from games.services.demo import CAPTIONS, recording

STARTS = Misses("demo", limit=60)  # a minute and address: a class behind one address, twice
KEPT_S = 3600  # in the visitor's browser


@require_safe
def demo(request: HttpRequest) -> HttpResponse:
    """The page; nothing is played until the visitor starts it."""
    language = get_language() or settings.LANGUAGE_CODE
    context = {
        "address": reverse("games:demo_recording", args=[language]),
        "captions": [words(caption) for _event, caption in CAPTIONS],
    }
    return render(request, "games/demo.html", context)


@require_safe
def demo_recording(request: HttpRequest, language: str) -> HttpResponse:
    """What the three screens are sent, in one answer that the browser may keep.

    Raises:
        TooFast: this address has started it too often in this minute.
    """
    if language not in dict(settings.LANGUAGES):
        raise Http404
    address = address_of(request)
    if STARTS.over(address):
        raise TooFast
    STARTS.add(address)
    answer = HttpResponse(recording(language), content_type="application/json")
    answer["Cache-Control"] = f"private, max-age={KEPT_S}"
    return answer
