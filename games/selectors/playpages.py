"""What the pages of a match are drawn from before their socket is open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.utils.translation import gettext as _

from classroom.errors import NotThere
from classroom.models import Classroom
from games.engine.game import Ruleset
from games.models import Match
from games.position import Position
from games.selectors.teams import team_name

SEAT_LOOKS = (
    "red",
    "blue",
    "green",
    "yellow",
    "purple",
    "grey",
)  # classes in css/components/team.css


def classroom_of_match(match_id: UUID) -> Classroom:
    """The class that a match is played in; grants nothing.

    Raises:
        NotThere: no such match.
    """
    return match_of_page(match_id).lesson.classroom


def match_of_page(match_id: UUID) -> Match:
    """The match, lesson and classroom preloaded, before it is known who asks; grants nothing.

    Raises:
        NotThere: no such match.
    """
    match = Match.objects.select_related("lesson__classroom").filter(pk=match_id).first()
    if match is None:
        raise NotThere
    return match


def seats(position: Position) -> list[dict[str, Any]]:
    """The teams as a page draws them: name, one letter, colour class, flag symbol.

    A team that has the game's own name is called as the log calls it to this reader.
    """
    names = [
        team_name(position.game, position.language, team.seat, team.name) for team in position.teams
    ]
    letters = telling_letters(names)
    return [
        {
            "seat": team.seat,
            "name": name,
            "letter": letter,
            "css": SEAT_LOOKS[team.seat],
            "symbol": flag_of(team.seat),
        }
        for team, name, letter in zip(position.teams, names, letters, strict=True)
    ]


def flag_of(seat: int) -> str:
    """The symbol of a seat's flag; a figure for seats beyond the two that have one."""
    return f"flag_{SEAT_LOOKS[seat]}" if seat < 2 else "voter"


def telling_letters(names: Sequence[str]) -> list[str]:
    """The first letter of each name at which all differ: R and B, but ح and ز in Arabic.

    The Arabic article is no letter of the name. Names without such a place keep
    their first letters.
    """
    bare = [name.upper().removeprefix("ال") for name in names]
    for letters in zip(*bare, strict=False):
        if len(set(letters)) == len(letters):
            return list(letters)
    return [name[:1] for name in bare]


def content(position: Position) -> Any:
    """Board and cards that everybody may know, as plain values."""
    return msgspec.to_builtins(position.rules.public_content())


@lru_cache(maxsize=256)  # as many as ``games.selectors.rulesets`` keeps
def written_content(rules: Ruleset[Any, Any, Any]) -> msgspec.Raw:
    """The same as JSON, written once for all who play by these rules."""
    return msgspec.Raw(msgspec.json.encode(rules.public_content()))


def sentence(frames: list[dict[str, Any]]) -> str:
    """The one sentence that the page opens with."""
    for frame in frames:
        if frame["type"] != "observation":
            continue
        if frame["outcome"]:
            return str(frame["outcome"]["reason"])
        if frame["status"] == "ended":
            return _("The match has ended.")
        if frame["decision"] and frame["decision"]["mine"]:
            return str(frame["decision"]["ask"])
        if frame["waiting"]:
            return str(frame["waiting"][0]["text"])
    return _("The match begins soon.")


def five_pictures(game: str) -> str:
    """The template that shows how a game is played; "" where it has none yet."""
    name = f"games/how_to_play/_{game}.html"
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return ""
    return name
