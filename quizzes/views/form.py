"""What the editor's form shows: rows, sentences beside their fields, choices of its lists."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from django.conf.locale import LANG_INFO
from django.utils.translation import gettext as _

from quizzes.entries import Choice, Couple, Entries, Mistake, with_rows
from quizzes.languages import language_name
from quizzes.models import Question

SHOWN_LISTS = {
    "single": ("choices",),
    "several": ("choices",),
    "short": ("accepted",),
    "matching": ("pairs", "distractors"),
    "ordering": ("items",),
}


@dataclass(frozen=True)
class Row:
    """One row of a list of the form."""

    at: int  # from 0
    number: int  # from 1
    key: str  # what stands before it: the letter that students see, or the number
    text: str = ""
    right: bool = False
    left: str = ""
    belongs: str = ""
    mistake: str = ""

    @property
    def number_text(self) -> str:
        """The number as a part of an id: never with the signs of a language."""
        return str(self.number)


def sentence(mistake: Mistake) -> str:
    """What is wrong and how to mend it, in the reader's language."""
    return _(mistake.template) % mistake.values


def form_context(entries: Entries, mistakes: Iterable[Mistake]) -> dict[str, Any]:
    """What templates/quizzes/_editor_fields.html needs."""
    filled = with_rows(entries)
    beside: dict[str, list[str]] = defaultdict(list)
    in_row: dict[tuple[str, int], str] = {}
    for mistake in mistakes:
        if mistake.row is None:
            beside[mistake.field].append(sentence(mistake))
        else:
            in_row[mistake.field, mistake.row] = sentence(mistake)
    names = ("choices", "accepted", "pairs", "distractors", "items")
    shown = SHOWN_LISTS.get(entries.kind, ())
    return {
        "entries": entries,
        "rows": {name: _rows(filled if name in shown else entries, name, in_row) for name in names},
        "shown_lists": shown,
        "mistakes": dict(beside),
        "has_mistakes": bool(beside or in_row),
        "kind_name": Question.Kind(entries.kind).label,
        "kinds": Question.Kind.choices,
        "difficulties": [(str(value), label) for value, label in Question.Difficulty.choices],
        "languages": languages(entries.language),
    }


def languages(chosen: str) -> list[tuple[str, str]]:
    """Codes and names to choose a language from, by name; ``chosen`` is among them as it is."""
    codes = {code for code in LANG_INFO if code != chosen.lower()}
    return sorted(
        ((code, language_name(code)) for code in {*codes, chosen} if code),
        key=lambda pair: pair[1].casefold(),
    )


def _rows(entries: Entries, name: str, mistakes: dict[tuple[str, int], str]) -> list[Row]:
    return [
        _row(value, at, mistakes.get((name, at), ""))
        for at, value in enumerate(getattr(entries, name))
    ]


def _row(value: Choice | Couple | str, at: int, mistake: str) -> Row:
    match value:
        case Choice(text=text, right=right):
            return Row(at, at + 1, _letter(at), text=text, right=right, mistake=mistake)
        case Couple(left=left, right=belongs):
            return Row(at, at + 1, str(at + 1), left=left, belongs=belongs, mistake=mistake)
        case _:
            return Row(at, at + 1, str(at + 1), text=value, mistake=mistake)


def _letter(at: int) -> str:
    return ascii_lowercase[at] if at < len(ascii_lowercase) else str(at + 1)
