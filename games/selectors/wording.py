"""Sentences of the games in the viewer's language.

A live match says the same few hundred sentences again and again, so messages
and numbers are looked up once a process and language.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from django.conf import settings
from django.utils import translation
from django.utils.formats import number_format

from games.engine.text import Text

Wording = Callable[[Text], str]


def words(text: Text, language: str | None = None) -> str:
    """The sentence in ``language``, else in the language that is active."""
    return _words(text, language or translation.get_language() or settings.LANGUAGE_CODE)


def wording(language: str) -> Wording:
    """What says sentences in one language."""
    return partial(_words, language=language)


def _words(text: Text, language: str) -> str:
    if text.plural is None or text.count is None:
        message = _message(text.msgid, language)
        if not text.params:
            return message
        values = {name: _value(value, language) for name, value in text.params.items()}
        return message % values
    values = {name: _value(value, language) for name, value in text.params.items()}
    values["count"] = _number(text.count, language)
    return _counted(text.msgid, text.plural, text.count, language) % values


def _value(value: Text | str | int, language: str) -> str:
    if isinstance(value, str):
        return value
    return _words(value, language) if isinstance(value, Text) else _number(value, language)


@lru_cache(maxsize=2**14)
def _message(msgid: str, language: str) -> str:
    with translation.override(language):
        return translation.gettext(msgid)


@lru_cache(maxsize=2**14)
def _counted(msgid: str, plural: str, count: int, language: str) -> str:
    with translation.override(language):
        return translation.ngettext(msgid, plural, count)


@lru_cache(maxsize=2**14)
def _number(number: int, language: str) -> str:
    with translation.override(language):
        return number_format(number)
