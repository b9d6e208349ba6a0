"""Bringing questions into sets: all of them or none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Protocol
from uuid import UUID

from django.utils import timezone

from classroom.access import Actor
from classroom.errors import DomainError, NotThere
from classroom.models import Teacher
from quizzes.access import access_questions, access_set
from quizzes.formats import question as values
from quizzes.formats.reading import QUESTIONS_MAX
from quizzes.models import Question, QuestionSet
from quizzes.selectors.questions import in_set, newest, newest_versions
from quizzes.services.pacing import briefly, pieces
from quizzes.services.question_rows import (
    Arrival,
    Overtaken,
    SetFull,
    arriving_of,
    check_room,
    insert,
    last_position,
    next_versions,
    teacher_of,
)
from quizzes.services.unseen import become, clear_away, land, left_over, wait_aside

VERSIONS_MAX = 100  # of one replacement: they are written together, in about 40 ms


class Alongside(Protocol):
    """More that is written with many questions."""

    def aside(self, waiting: QuestionSet, rows: Sequence[Question]) -> None:
        """Write what may be there before anybody sees the questions; may take its time."""

    def together(self, waiting: QuestionSet, target: QuestionSet) -> None:
        """Write the rest, in the transaction that shows them. What this raises undoes all."""


def add_questions(
    *, actor: Actor, set_id: UUID, questions: Sequence[values.Question]
) -> list[Question]:
    """Put questions at the end of a set, all of them or none.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_set``, to edit.
        SetFull: more than ``QUESTIONS_MAX`` in the set.
        NoPicture: one names a picture that the actor may not see.
    """
    target = access_set(actor, set_id, to="edit")
    check_room(target, len(questions))
    arriving = arriving_of(actor, questions)
    by = teacher_of(actor)
    if len(list(pieces(arriving))) <= 1:
        return briefly(lambda: insert(target, arriving, after=last_position(target), by=by))
    waiting, rows = wait_aside(arriving, by=by)
    briefly(lambda: land(waiting, rows, target))
    clear_away(waiting)
    return rows


def copy_questions(*, actor: Actor, question_ids: Collection[UUID], to: UUID) -> list[Question]:
    """Put the same questions, as they are now, at the end of another set.

    Raises:
        NotThere: a question or set that the actor may not see.
        NotAllowed, SetArchived, SetFull: see ``add_questions``.
    """
    questions = access_questions(actor, question_ids)
    return add_questions(actor=actor, set_id=to, questions=newest(questions))


def replace_questions(
    *,
    actor: Actor,
    set_id: UUID,
    question_ids: Collection[UUID],
    questions: Sequence[values.Question],
    also: Alongside | None = None,
) -> list[Question]:
    """Put ``questions`` in the place of those of ``question_ids``, all of them or none.

    One that asks the same as an old one becomes its next version, or leaves it as it
    is. Others are added at the end. Old ones that have no counterpart go to the archive;
    so do those with one where more than ``VERSIONS_MAX`` would get a next version, since
    play would wait while all of them are written.

    Raises:
        NotThere: a set or question that the actor may not see, or one of another set.
        NotAllowed, SetArchived, SetFull, NoPicture: see ``add_questions``.
    """
    target = access_set(actor, set_id, to="edit")
    arriving = arriving_of(actor, questions)
    while True:
        old = access_questions(actor, question_ids, to="edit")
        if any(question.set_id != target.pk for question in old):
            raise NotThere
        making_room = sum(question.archived_at is None for question in old)
        check_room(target, len(questions) - making_room)
        with suppress(Overtaken):  # one was saved meanwhile: look again what it says
            return _replace(
                target,
                old,
                arriving,
                by=teacher_of(actor),
                also=also,
                versions_max=VERSIONS_MAX,
            )


def fill_new_set(
    *,
    actor: Actor,
    new: QuestionSet,
    questions: Sequence[values.Question],
    also: Alongside | None = None,
) -> list[Question]:
    """Make the set ``new``, which is not saved yet, with these questions: both or neither.

    Raises:
        SetFull, NoPicture: see ``add_questions``.
    """
    if len(questions) > QUESTIONS_MAX:
        raise SetFull
    waiting, rows = wait_aside(arriving_of(actor, questions), by=teacher_of(actor))
    _show(waiting, rows, new, also, by=lambda: become(waiting, rows, new))
    return rows


def forget_left_over(*, dry: bool = False) -> int:
    """Clear away what an import or a deletion left when its process died; how many sets."""
    found = list(left_over())
    if not dry:
        for unseen in found:
            clear_away(unseen)
    return len(found)


def keep_built_in(
    *, key: str, language: str, title: str, credit: str, questions: Sequence[values.Question]
) -> bool:
    """Bring a set that belongs to nobody up to date; whether anything was new.

    For commands: built-in sets change with the program alone, so nobody is asked for rights.
    """
    target, made = QuestionSet.objects.get_or_create(
        owner=None, key=key, language=language, defaults={"title": title, "credit": credit}
    )
    if (target.title, target.credit) != (title, credit):
        target.title, target.credit = title, credit
        target.save(update_fields=["title", "credit"])
    old = list(in_set(target))
    if newest(old) == list(questions):
        return made
    arriving = [Arrival.of(value, None) for value in questions]
    _replace(target, old, arriving, by=None, versions_max=QUESTIONS_MAX)
    return True


def _replace(
    target: QuestionSet,
    old: Sequence[Question],
    arriving: Sequence[Arrival],
    *,
    by: Teacher | None,
    also: Alongside | None = None,
    versions_max: int,
) -> list[Question]:
    """Put what arrives in the place of ``old``, as ``replace_questions`` says."""
    kept = _counterparts(old, arriving)
    now_there = newest_versions(kept.values())
    changed = [
        place
        for place, question in kept.items()
        if now_there[question.pk].value != arriving[place].value
    ]
    if len(changed) > versions_max:
        kept = {place: question for place, question in kept.items() if place not in set(changed)}
        changed = []
    staying = {question.pk for question in kept.values()}
    gone = [question.pk for question in old if question.pk not in staying]
    back = [question.pk for question in kept.values() if question.archived_at is not None]
    waiting, added = wait_aside(
        [arrival for place, arrival in enumerate(arriving) if place not in kept], by=by
    )
    new = iter(added)
    rows = [kept[place] if place in kept else next(new) for place in range(len(arriving))]

    def change() -> None:
        land(waiting, added, target)
        for piece in pieces(changed):
            next_versions([(kept[place], arriving[place]) for place in piece], by=by)
        Question.objects.filter(pk__in=back).update(archived_at=None)
        Question.objects.filter(pk__in=gone).update(archived_at=timezone.now())

    _show(waiting, rows, target, also, by=change)
    clear_away(waiting)
    return rows


def _show(
    waiting: QuestionSet,
    rows: Sequence[Question],
    target: QuestionSet,
    also: Alongside | None,
    *,
    by: Callable[[], None],
) -> None:
    """Let everybody see in ``target`` what waits: all that ``by`` writes, or nothing of it.

    When a rule says no, nothing of what waits is kept; after a fault housekeeping clears it.
    """

    def together() -> None:
        by()
        if also is not None:
            also.together(waiting, target)

    try:
        if also is not None:
            also.aside(waiting, rows)
        briefly(together)
    except (DomainError, Overtaken):
        clear_away(waiting)
        raise


def _counterparts(old: Sequence[Question], arriving: Sequence[Arrival]) -> dict[int, Question]:
    """The old question that asks the same, by the place of what arrives."""
    by_print: dict[str, list[Question]] = defaultdict(list)
    for question in reversed(old):
        by_print[question.fingerprint].append(question)
    return {
        place: same.pop()
        for place, arrival in enumerate(arriving)
        if (same := by_print[arrival.columns["fingerprint"]])
    }
