"""Sentences of the games in the viewer's language."""

from __future__ import annotations

from django.utils import translation
from django.utils.formats import number_format

from games.engine.text import Text


def words(text: Text, language: str | None = None) -> str:
    """The sentence in ``language``, else in the language that is active."""
    if language is None:
        return _words(text)
    with translation.override(language):
        return _words(text)


def _words(text: Text) -> str:
    if text.plural is not None and text.count is not None:
        message = translation.ngettext(text.msgid, text.plural, text.count)
    else:
        message = translation.gettext(text.msgid)
    values = {name: _value(value) for name, value in text.params.items()}
    if text.count is not None:
        values["count"] = number_format(text.count)
    return message % values if values else message


def _value(value: Text | str | int) -> str:
    if isinstance(value, Text):
        return _words(value)
    return value if isinstance(value, str) else number_format(value)
