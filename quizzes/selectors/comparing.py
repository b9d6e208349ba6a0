"""What is different between two texts of a question, word by word.

Texts are compared as typed, so a changed mark shows too. All that says what is right
(kind, choices, pairs …) is one field, ``answers``: half of each would make no sense.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from django.utils.translation import gettext as _
from msgspec.structs import replace

from quizzes.entries import Entries
from quizzes.models import Question

FIELDS: Mapping[str, tuple[str, ...]] = {
    "stem": ("stem",),
    "answers": (
        *("kind", "choices", "truth", "accepted", "number", "tolerance"),
        *("pairs", "distractors", "items"),
    ),
    "explanation": ("explanation",),
    "picture": ("picture", "alt"),
    "topics": ("topics",),
    "difficulty": ("difficulty",),
    "language": ("language",),
    "source": ("source",),
}
"""Names of what can be compared and chosen, each with the entries that it stands for."""

RIGHT = "✓ "
_WORDS = re.compile(r"\s*\S+|\s+")


@dataclass(frozen=True)
class Span:
    """Some words, and whether only one of the texts has them."""

    text: str
    mark: Literal["", "added", "removed"] = ""


@dataclass(frozen=True)
class Compared:
    """One field of two texts. ``before`` and ``after`` are whole; ``both`` is one in the other."""

    name: str  # of FIELDS
    before: tuple[Span, ...]
    after: tuple[Span, ...]
    both: tuple[Span, ...]
    changed: bool
    pictures: tuple[str, str] = ("", "")  # references; of the field "picture"


def compare(before: Entries, after: Entries) -> list[Compared]:
    """All fields of two texts, in the order of the form; ``changed`` tells those that differ."""
    return [_compared(name, before, after) for name in FIELDS]


def differs(name: str, one: Entries, other: Entries) -> bool:
    """Whether the field is not the same in both."""
    if name == "picture" and one.picture != other.picture:
        return True
    return wording(name, one) != wording(name, other)


def merge(theirs: Entries, mine: Entries, *, take_mine: Iterable[str]) -> Entries:
    """One text out of two: the fields named are from ``mine``, all others from ``theirs``."""
    wanted = {entry for name in take_mine for entry in FIELDS[name]}
    return replace(theirs, **{entry: getattr(mine, entry) for entry in wanted})


def wording(name: str, entries: Entries) -> str:
    """What a field says, in lines; of a picture its description. Empty rows count for nothing."""
    match name:
        case "answers":
            return "\n".join(_answer_lines(entries))
        case "picture":
            return entries.alt.strip()
        case "difficulty" if entries.difficulty in ("1", "2", "3"):
            return str(Question.Difficulty(int(entries.difficulty)).label)
        case _:
            text: str = getattr(entries, name)
            return text.replace("\r\n", "\n").strip()


def _answer_lines(entries: Entries) -> list[str]:
    lines: list[str] = []
    match entries.kind:
        case "single" | "several":
            lines = [
                f"{RIGHT if choice.right else ''}{choice.text.strip()}"
                for choice in entries.choices
                if choice.text.strip()
            ]
        case "true-false":
            words = {"true": _("true"), "false": _("false")}
            lines = [f"{RIGHT}{words[entries.truth]}"] if entries.truth in words else []
        case "short":
            lines = [f"{RIGHT}{text.strip()}" for text in entries.accepted if text.strip()]
        case "numeric":
            number, tolerance = entries.number.strip(), entries.tolerance.strip()
            lines = [f"{RIGHT}{number} ± {tolerance}" if tolerance else f"{RIGHT}{number}"]
        case "matching":
            lines = [
                f"{pair.left.strip()} – {pair.right.strip()}"
                for pair in entries.pairs
                if pair.left.strip() or pair.right.strip()
            ]
            lines += [f"– {text.strip()}" for text in entries.distractors if text.strip()]
        case "ordering":
            items = [text.strip() for text in entries.items if text.strip()]
            lines = [f"{number}. {text}" for number, text in enumerate(items, start=1)]
    return [str(Question.Kind(entries.kind).label), *lines]


def _compared(name: str, before: Entries, after: Entries) -> Compared:
    old, new = wording(name, before), wording(name, after)
    left, right, both = _spans(_WORDS.findall(old), _WORDS.findall(new))
    changed = differs(name, before, after)
    pictures = (before.picture, after.picture) if name == "picture" else ("", "")
    return Compared(name, left, right, both, changed, pictures)


_Spans = tuple[Span, ...]


def _spans(old: list[str], new: list[str]) -> tuple[_Spans, _Spans, _Spans]:
    """The words of both texts, marked, and one text that holds both."""
    before: list[Span] = []
    after: list[Span] = []
    both: list[Span] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new).get_opcodes():
        gone, come = "".join(old[i1:i2]), "".join(new[j1:j2])
        if tag == "equal":
            for spans in (before, after, both):
                spans.append(Span(gone))
            continue
        if gone:
            before.append(Span(gone, "removed"))
            both.append(Span(gone, "removed"))
        if come:
            after.append(Span(come, "added"))
            both.append(Span(come, "added"))
    return tuple(before), tuple(after), tuple(both)
