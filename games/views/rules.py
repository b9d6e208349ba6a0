"""How a game is played: the minute before the first turn, and every rule by its id."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from games.catalog import GAMES
from games.engine.game import Game
from games.selectors.rulepages import rule, rule_language, rule_sections
from games.selectors.wording import words


def _game(key: str) -> Game:
    game = GAMES.get(key)
    if game is None:
        raise Http404
    return game


@require_GET
def how_to_play(request: HttpRequest, game_key: str) -> HttpResponse:
    """One minute, five pictures; for a phone, and for the projector while all look on."""
    game = _game(game_key)
    return render(
        request,
        [f"games/how_to_play/{game.key}.html", "games/how_to_play.html"],
        {"game": game.key, "title": words(game.title), "summary": words(game.summary)},
    )


@require_GET
def rules(request: HttpRequest, game_key: str) -> HttpResponse:
    """All rules of a game; each has its id as an anchor."""
    game = _game(game_key)
    language = rule_language(game.key, get_language())
    context = {
        "game": game.key,
        "title": words(game.title),
        "sections": rule_sections(game.key, language),
        "written_in": language,
    }
    return render(request, "games/rules.html", context)


@require_GET
def one_rule(request: HttpRequest, game_key: str, rule_id: str) -> JsonResponse:
    """One rule, for the dialog on the play page."""
    game = _game(game_key)
    language = rule_language(game.key, get_language())
    found = rule(game.key, rule_id, language)
    if found is None:
        raise Http404
    told = {"id": found.id, "text": found.text, "example": found.example, "language": language}
    response = JsonResponse(told)
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response
