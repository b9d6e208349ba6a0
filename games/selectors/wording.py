"""Sentences of the games in the viewer's language.

A live match says the same few hundred sentences again and again, so messages
and numbers are looked up once a process and language.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.utils import translation
from django.utils.formats import number_format

from games.engine.text import Text

Wording = Callable[[Text], str]


def words(text: Text, language: str | None = None) -> str:
    """The sentence in ``language``, else in the language that is active."""
    return wording(language or translation.get_language() or settings.LANGUAGE_CODE)(text)


@lru_cache(maxsize=2**6)
def wording(language: str) -> Wording:
    """What says sentences in one language."""

    @lru_cache(maxsize=2**12)
    def put(text: Text) -> str:
        if text.plural is None or text.count is None:
            message = _message(text.msgid, language)
            return message % values(text) if text.params else message
        counted = _counted(text.msgid, text.plural, text.count, language)
        return counted % {**values(text), "count": _number(text.count, language)}

    def values(text: Text) -> dict[str, str]:
        return {
            name: value
            if isinstance(value, str)
            else put(value)
            if isinstance(value, Text)
            else _number(value, language)
            for name, value in text.params
        }

    return put


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
