"""The last picture of a match for all to look at: who won and why, and what to talk about."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language, get_language_bidi

from games.models import Match
from games.selectors.lineups import started
from games.selectors.plots import plot
from games.services import stories
from games.views.plots import drawn, rows_of
from games.views.story import talk

ACROSS = 430  # units of the plot's picture: 36 px of 1920 are 23 of its units or less
CARDS = 2  # questions about cards that came up, besides the one that is always asked


def ending(match: Match, teams: list[dict[str, Any]]) -> dict[str, Any]:
    """What ``games/end.html`` shows of a match that has ended; public facts only."""
    told = stories.story_of(match)
    language = get_language() or match.language
    lines = plot(rows_of(told), mirrored=get_language_bidi(), width=ACROSS)
    return {
        "match": match,
        "others": started(match.lesson).exclude(pk=match.pk).exists(),
        "end": stories.ending(told, language),
        "plot": drawn(lines, teams),
        "prompts": talk(match.game, stories.topics_of(told.turns), most=CARDS),
    }
