"""Where questions are: their set, their place in it, and the archive."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Literal
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from classroom.access import Actor
from classroom.transactions import whole
from quizzes.access import access_question, access_questions, access_set
from quizzes.models import Draft, Question, QuestionSet
from quizzes.selectors.questions import in_set
from quizzes.services.pacing import briefly, turns
from quizzes.services.question_rows import check_room, last_position, mark_changed


def move_questions(*, actor: Actor, question_ids: Collection[UUID], to: UUID) -> int:
    """Put questions at the end of another set of the actor's; how many were not there already.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_set``, to edit, of all sets concerned.
        SetFull: more than the set holds.
    """
    target = access_set(actor, to, to="edit")
    moving = [
        question
        for question in access_questions(actor, question_ids, to="edit")
        if question.set_id != target.pk
    ]
    check_room(target, len(moving))
    left = {question.set_id for question in moving}
    for piece in turns(moving):
        briefly(partial(_move, piece, target, {target.pk, *left}))
    return len(moving)


def _move(piece: Sequence[Question], target: QuestionSet, changed: Collection[UUID]) -> None:
    after = last_position(target)
    for place, question in enumerate(piece, start=1):
        question.set = target
        question.position = after + place
    Question.objects.bulk_update(piece, ["set", "position"])
    Draft.objects.filter(question__in=piece).update(set=target)
    mark_changed(changed)


def archive_questions(*, actor: Actor, question_ids: Collection[UUID]) -> int:
    """Put questions away; matches that play them go on. How many were not away already.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_questions``, to edit.
    """
    questions = access_questions(actor, question_ids, to="edit")

    def put_away() -> int:
        mark_changed({question.set_id for question in questions})
        return Question.objects.filter(
            pk__in=[question.pk for question in questions], archived_at=None
        ).update(archived_at=timezone.now())

    return briefly(put_away)


def restore_questions(*, actor: Actor, question_ids: Collection[UUID]) -> int:
    """Bring questions back from the archive; how many were there.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_questions``, to edit.
    """
    questions = access_questions(actor, question_ids, to="edit")

    def bring_back() -> int:
        mark_changed({question.set_id for question in questions})
        away = Question.objects.filter(pk__in=[question.pk for question in questions])
        return away.exclude(archived_at=None).update(archived_at=None)

    return briefly(bring_back)


def delete_questions(*, actor: Actor, question_ids: Collection[UUID]) -> int:
    """Delete questions that are in the archive, with their versions, for good; how many.

    Many are deleted in pieces.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_questions``, to edit.
    """
    questions = access_questions(actor, question_ids, to="edit")
    ids = [question.pk for question in questions]
    many = 0
    for piece in turns(ids):
        away = Question.objects.filter(pk__in=piece).exclude(archived_at=None)
        many += whole(away.delete)()[1].get("quizzes.Question", 0)
    return many


@whole
def place_question(*, actor: Actor, question_id: UUID, step: Literal[-1, 1]) -> Question:
    """Change places with the question before (-1) or after (1); at either end nothing happens.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_question``, to edit.
    """
    question = access_question(actor, question_id, to="edit")
    order = list(in_set(question.set).values_list("pk", "position"))
    place = next((at for at, (pk, _position) in enumerate(order) if pk == question.pk), None)
    if place is None or not 0 <= place + step < len(order):
        return question
    other = order[place + step][0]
    positions = sorted((question.position, order[place + step][1]))
    later: list[UUID] = []
    if positions[0] == positions[1]:  # two who added at the same moment
        positions = [positions[0] + 1, positions[0] + 2]
        later = [pk for pk, _position in order[max(place, place + step) + 1 :]]
    Question.objects.filter(pk__in=later).update(position=F("position") + 2)
    Question.objects.filter(pk=question.pk).update(position=positions[step == 1])
    Question.objects.filter(pk=other).update(position=positions[step == -1])
    mark_changed({question.set_id})
    question.refresh_from_db(fields=["position"])
    return question
