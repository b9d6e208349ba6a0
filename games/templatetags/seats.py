"""How a seat looks: its colour class and its flag."""

from __future__ import annotations

from django import template

from games.selectors.playpages import SEAT_LOOKS, flag_of

register = template.Library()


@register.filter
def colour(seat: int) -> str:
    """The class that gives a seat's colours."""
    return SEAT_LOOKS[seat]


register.filter("flag", flag_of)
