"""The front page: what this is, and the ways in."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.catalog import GAMES
from games.selectors.wording import words


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """For everybody: a code to type, a log-in, the games."""
    games = [
        {"key": game.key, "title": words(game.title), "summary": words(game.summary)}
        for game in GAMES.values()
    ]
    context = {"games": games, "open_signup": settings.SIGNUP != "invite"}
    return render(request, "front.html", context)
