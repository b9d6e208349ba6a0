"""Where a question stands in its set: the list beside the editor."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models.functions import Substr

from quizzes.models import QuestionSet
from quizzes.selectors.questions import in_set

AROUND = 100  # questions listed before and after the open one
WORDS = 120  # characters of each


@dataclass(frozen=True)
class Line:
    """One question of the list."""

    id: UUID
    number: int  # in the set, from 1
    kind: str
    stem: str  # its beginning
    open: bool


@dataclass(frozen=True)
class Neighbours:
    """The questions around one. For a new question ``number`` is the one it would get."""

    lines: tuple[Line, ...]
    count: int
    number: int
    before: UUID | None
    after: UUID | None


def neighbours(question_set: QuestionSet, question_id: UUID | None) -> Neighbours:
    """The list of a set around a question, or at its end, in one query."""
    rows = list(in_set(question_set).values_list("pk", "kind", Substr("stem", 1, WORDS)))
    place = next((at for at, (pk, *_) in enumerate(rows) if pk == question_id), len(rows))
    first = max(0, place - AROUND)
    return Neighbours(
        lines=tuple(
            Line(id=pk, number=at + 1, kind=kind, stem=stem, open=at == place)
            for at, (pk, kind, stem) in enumerate(rows)
            if first <= at <= place + AROUND
        ),
        count=len(rows),
        number=place + 1,
        before=rows[place - 1][0] if place else None,
        after=rows[place + 1][0] if place + 1 < len(rows) else None,
    )
