"""Sets that nobody sees: where questions wait until the last of them has come in, or go.

Many questions are written in pieces, and handed over in one step: an act that dies
in between leaves nothing behind that anybody sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.db.models import F, QuerySet
from django.utils import timezone

from classroom.models import Teacher
from classroom.transactions import whole
from quizzes.models import Draft, ImportedFile, Question, QuestionSet
from quizzes.services.pacing import briefly, turns
from quizzes.services.question_rows import Arrival, last_position, mark_changed, written

UNSEEN = "unseen "  # key of such a set
GIVEN_UP = timedelta(hours=1)  # after which it is left over from a process that died


def wait_aside(
    arriving: Sequence[Arrival], *, by: Teacher | None
) -> tuple[QuestionSet, list[Question]]:
    """Write the questions in pieces into a set that nobody sees: the set, and their rows."""
    waiting = QuestionSet.objects.create(**_unseen())
    rows: list[Question] = []
    for piece in turns(arriving):
        ready = written(waiting, piece, after=len(rows), by=by)
        rows += briefly(ready.run)
    return waiting, rows


def land(waiting: QuestionSet, rows: Iterable[Question], target: QuestionSet) -> None:
    """Give all that waits to ``target`` at once, inside the caller's transaction.

    ``rows``: all of them, in order. ``clear_away`` takes the empty set afterwards.
    """
    after = last_position(target)
    waiting.questions.update(set=target, position=F("position") + after)
    for place, row in enumerate(rows, start=1):
        row.set = target
        row.position = after + place
    mark_changed({target.pk})


def become(waiting: QuestionSet, rows: Iterable[Question], new: QuestionSet) -> None:
    """Let the set in which questions wait be ``new``, which is not saved yet: one row changes."""
    new.pk = waiting.pk
    new.save(force_update=True)
    for row in rows:
        row.set = new


def hide(question_set: QuestionSet) -> None:
    """Take a set from all who could see it, with whatever is in it, in one statement."""
    QuestionSet.objects.filter(pk=question_set.pk).update(**_unseen())


def clear_away(unseen: QuestionSet) -> None:
    """Delete a set that nobody sees, and all in it, in pieces."""
    parts: tuple[QuerySet[Any], ...] = (
        ImportedFile.questions.through.objects.filter(importedfile__set=unseen),
        Draft.objects.filter(set=unseen),
        Question.objects.filter(set=unseen),
    )
    for rows in parts:
        for piece in turns(list(rows.values_list("pk", flat=True))):
            whole(rows.filter(pk__in=piece).delete)()
    whole(unseen.delete)()


def left_over() -> QuerySet[QuestionSet]:
    """Sets that nobody sees and nobody writes into any more: a process died over them."""
    return QuestionSet.objects.filter(
        owner=None, key__startswith=UNSEEN, archived_at__lt=timezone.now() - GIVEN_UP
    )


def _unseen() -> dict[str, Any]:
    """What makes a set one that nobody sees."""
    return {
        "owner": None,
        "key": f"{UNSEEN}{uuid4()}",
        "site_wide": False,
        "archived_at": timezone.now(),
    }
