"""The fields of the editor's form as a value, and the acts of its small buttons.

Every button works without script: it sends the form, and the page comes back with the
row moved. static/js/quizzes/rows.js does the same in the page.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.http import QueryDict
from django.utils.dateparse import parse_datetime

from classroom.errors import NotThere
from classroom.views.asking import whole_number
from quizzes.entries import (
    KINDS,
    LISTS,
    MOST_ROWS,
    Choice,
    Couple,
    Entries,
    add_row,
    as_kind,
    move_row,
    remove_row,
)
from quizzes.services.drafts import check_length

_LINE_BREAKS = str.maketrans({"\r": None, "\x00": None})  # browsers send \r\n


def typed(data: QueryDict) -> Entries:
    """The fields as they were sent.

    Raises:
        NotThere: of a kind that there is not.
        TooMuchText: more than any question can hold; nothing has looked at it.
    """
    kind = data.get("kind", "")
    if kind not in KINDS:
        raise NotThere
    rights = set(data.getlist("right"))
    choices = _texts(data, "choice")
    lefts, rights_of_pairs = _texts(data, "left"), _texts(data, "belongs")
    entries = Entries(
        kind=kind,
        stem=_text(data, "stem"),
        explanation=_text(data, "explanation"),
        choices=tuple(Choice(text, str(at) in rights) for at, text in enumerate(choices)),
        truth=data.get("truth", "") if data.get("truth") in ("true", "false") else "",
        accepted=_texts(data, "accepted"),
        number=_text(data, "number"),
        tolerance=_text(data, "tolerance"),
        pairs=tuple(Couple(*sides) for sides in zip(lefts, rights_of_pairs, strict=False)),
        distractors=_texts(data, "distractor"),
        items=_texts(data, "item"),
        topics=_text(data, "topics"),
        difficulty=_text(data, "difficulty") or "2",
        language=_text(data, "language"),
        source=_text(data, "source"),
        picture=_text(data, "picture"),
        alt=_text(data, "alt"),
    )
    check_length(entries)
    return entries


def acted(entries: Entries, act: str) -> Entries:
    """The fields after the act of a button, such as ``up:choices:2``; unknown ones do nothing."""
    name, *rest = act.split(":")
    match name, rest:
        case "kind", [kind] if kind in KINDS:
            return as_kind(entries, kind)
        case "add", [rows] if rows in LISTS:
            return add_row(entries, rows)
        case (("up" | "down" | "remove"), [rows, row]) if rows in LISTS and row.isdecimal():
            return _ROW_ACTS[name](entries, rows, int(row))
        case _:
            return entries


def number(data: QueryDict, name: str) -> int:
    """A number from 0 that a form carries; 0 for anything else."""
    return whole_number(data.get(name, "")) or 0


def moment(data: QueryDict, name: str) -> datetime | None:
    """A moment that a form carries; None for anything else."""
    try:
        found = parse_datetime(data.get(name, ""))
    except ValueError:
        return None
    return found if found is not None and found.tzinfo else None


def key(data: QueryDict, name: str) -> UUID | None:
    """The key of a row that a form carries; None for anything else."""
    try:
        return UUID(data.get(name, ""))
    except ValueError:
        return None


_ROW_ACTS: dict[str, Callable[[Entries, str, int], Entries]] = {
    "up": lambda entries, rows, row: move_row(entries, rows, row, -1),
    "down": lambda entries, rows, row: move_row(entries, rows, row, 1),
    "remove": remove_row,
}


def _text(data: QueryDict, name: str) -> str:
    return data.get(name, "").translate(_LINE_BREAKS)


def _texts(data: QueryDict, name: str) -> tuple[str, ...]:
    return tuple(text.translate(_LINE_BREAKS) for text in data.getlist(name)[:MOST_ROWS])
