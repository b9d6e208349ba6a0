"""How a seat looks and is called: its colour class, its flag, its name."""

from __future__ import annotations

from django import template

from games.position import Position, TeamState
from games.selectors.playpages import SEAT_LOOKS, flag_of
from games.selectors.teams import called, team_name

register = template.Library()


@register.filter
def colour(seat: int) -> str:
    """The class that gives a seat's colours."""
    return SEAT_LOOKS[seat]


register.filter("flag", flag_of)
register.filter("called", called)


@register.filter
def called_in(team: TeamState, position: Position) -> str:
    """The name of a position's team."""
    return team_name(position.game, position.language, team.seat, team.name)
