"""Sentences of the games, before translation.

Rules and texts are pure, so they carry a message id and its values; the edge
translates for the viewer's language. ``_`` marks a message for ``makemessages``.
"""

from __future__ import annotations

from msgspec import Struct


class Text(Struct, frozen=True, omit_defaults=True):
    """One sentence: a message id with named values in ``%(name)s`` form.

    ``plural`` and ``count`` choose the form for a number; ``count`` is then also
    available as ``%(count)s``. A value may itself be a ``Text`` (translated
    first), a number (formatted for the locale) or a string of the content
    (shown as it stands). Pairs and no mapping, so that a sentence can be looked up.
    """

    msgid: str
    params: tuple[tuple[str, Text | str | int], ...] = ()
    plural: str | None = None
    count: int | None = None


def gettext_noop(msgid: str) -> str:
    """Return the message id unchanged; it is only marked for translation."""
    return msgid


def say(msgid: str, /, **params: Text | str | int) -> Text:
    """A sentence without a plural."""
    return Text(msgid, tuple(params.items()))


def count(singular: str, plural: str, number: int, /, **params: Text | str | int) -> Text:
    """A sentence whose form depends on ``number``, shown as ``%(count)s``."""
    return Text(singular, tuple(params.items()), plural, number)


def english(text: Text) -> str:
    """The sentence in the language of the source, for tests, logs and simulations."""
    msgid = text.plural if text.plural is not None and text.count != 1 else text.msgid
    values: dict[str, str | int] = {
        name: english(value) if isinstance(value, Text) else value for name, value in text.params
    }
    if text.count is not None:
        values["count"] = text.count
    return msgid % values if values else msgid
