"""How a seat looks: its colour class and its flag."""

from __future__ import annotations

from django import template

register = template.Library()

COLOURS = ("red", "blue")


@register.filter
def colour(seat: int) -> str:
    """The class that gives a seat's colours, also the end of its flag's name."""
    return COLOURS[seat % len(COLOURS)]
