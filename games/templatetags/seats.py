"""How a seat looks: its colour class and its flag."""

from __future__ import annotations

from django import template

register = template.Library()

COLOURS = ("red", "blue")


@register.filter
def colour(seat: int) -> str:
    """The class that gives a seat's colours."""
    return COLOURS[seat % len(COLOURS)]


@register.filter
def flag(seat: int) -> str:
    """The symbol of a seat's flag."""
    return f"flag_{colour(seat)}"
