"""What the bank's pages show of questions."""

from __future__ import annotations

from django import template

from quizzes import folding, languages, rendering
from quizzes.entries import entries_of
from quizzes.formats import question as values

register = template.Library()


@register.filter
def bare(text: str) -> str:
    """A text without marks for bold and the like, for lists."""
    return folding.bare(text)


@register.filter
def language_name(code: str) -> str:
    """ "French" for "fr"."""
    return languages.language_name(code)


@register.filter
def shown(value: values.Question) -> rendering.Shown:
    """A question as students see it, with what is right."""
    return rendering.shown(entries_of(value))
