"""The rows of questions and their versions. Services about questions write through here.

Two who change the same question are told apart by the version they started from:
compare-and-set on ``Question.number``, as matches do with theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, TeacherActor
from classroom.errors import DomainError
from classroom.models import Teacher
from quizzes.access import pictures_of
from quizzes.folding import fingerprint, fold, search_text
from quizzes.formats import question as values
from quizzes.formats.carries import kind
from quizzes.formats.reading import QUESTIONS_MAX
from quizzes.models import (
    Picture,
    Question,
    QuestionSet,
    QuestionTopic,
    QuestionVersion,
)
from quizzes.selectors.questions import in_set
from quizzes.services.inserts import Inserts

_COLUMNS = ("kind", "stem", "search_text", "fingerprint", "difficulty", "language", "choices")


class SetFull(DomainError):
    """More questions than a set holds."""

    code = "set_full"
    message = _("The set cannot hold so many questions. Make a second set for the others.")


class NoPicture(DomainError):
    """A question names a picture that is not there, or somebody else's."""

    code = "no_picture"
    message = _("A picture of this question is not there any more. Choose it again.")


class Overtaken(Exception):
    """Somebody has saved one of these questions meanwhile."""


@dataclass(frozen=True)
class Arrival:
    """A question on its way into the database; all that costs time is done."""

    value: values.Question
    content: Any
    columns: dict[str, Any]  # ``_COLUMNS`` of ``Question``
    topics: tuple[tuple[str, str], ...]  # name, key
    picture: Picture | None

    @classmethod
    def of(cls, value: values.Question, picture: Picture | None) -> Arrival:
        """All of a question that the database needs."""
        return cls(
            value=value,
            content=msgspec.to_builtins(value),
            columns={
                "kind": kind(value),
                "stem": value.stem,
                "search_text": search_text(value),
                "fingerprint": fingerprint(value),
                "difficulty": value.difficulty,
                "language": value.language,
                "choices": len(getattr(value, "choices", ())),
            },
            topics=tuple((name, fold(name)[:120]) for name in value.topics),
            picture=picture,
        )


def arriving_of(actor: Actor, questions: Sequence[values.Question]) -> list[Arrival]:
    """The questions, ready to be written.

    Raises:
        NoPicture: one names a picture that the actor may not see.
    """
    pictures = _pictures(actor, questions)
    return [
        Arrival.of(value, pictures[value.picture.ref] if value.picture else None)
        for value in questions
    ]


def _pictures(actor: Actor, questions: Iterable[values.Question]) -> Mapping[str, Picture]:
    """The pictures that the questions name, by reference; all may be seen by the actor."""
    refs = {question.picture.ref for question in questions if question.picture}
    if not refs:
        return {}
    teacher = teacher_of(actor)
    try:
        ids = [UUID(ref.rpartition(".")[0]) for ref in refs]
    except ValueError:
        raise NoPicture from None
    found = pictures_of(teacher).in_bulk(ids) if teacher else {}
    pictures = {picture.ref: picture for picture in found.values()}
    if refs - pictures.keys():
        raise NoPicture
    return pictures


@dataclass(frozen=True)
class Written:
    """New questions, ready to be inserted with what belongs to them."""

    rows: list[Question]
    inserts: Inserts

    def run(self) -> list[Question]:
        """The rows, once all of them are inserted, inside the caller's transaction."""
        self.inserts.run()
        return self.rows


def written(
    target: QuestionSet, arriving: Sequence[Arrival], *, after: int, by: Teacher | None
) -> Written:
    """New questions after the position ``after``; their statements are made here and now."""
    now = timezone.now()
    rows = [
        Question(
            set=target, position=after + place, created_at=now, changed_at=now, **arrival.columns
        )
        for place, arrival in enumerate(arriving, start=1)
    ]
    versions = [
        QuestionVersion(
            question=row,
            number=1,
            content=arrival.content,
            picture=arrival.picture,
            saved_by=by,
            saved_at=now,
        )
        for row, arrival in zip(rows, arriving, strict=True)
    ]
    topics = _topic_rows(zip(rows, arriving, strict=True))
    return Written(rows, Inserts.of(rows, versions, topics))


def insert(
    target: QuestionSet, arriving: Sequence[Arrival], *, after: int, by: Teacher | None
) -> list[Question]:
    """The rows of new questions, inside the caller's transaction."""
    rows = written(target, arriving, after=after, by=by).run()
    mark_changed({target.pk})
    return rows


def next_versions(
    changes: Sequence[tuple[Question, Arrival]], *, by: Teacher | None
) -> list[QuestionVersion]:
    """Write a version after ``number`` of each question, inside the caller's transaction.

    Raises:
        Overtaken: one of the questions has a newer version; the caller must roll back.
    """
    now = timezone.now()
    changes = [(copy(question), arrival) for question, arrival in changes]  # it may be undone
    numbers = {question.pk: question.number for question, _arrival in changes}
    locked = Question.objects.select_for_update().filter(pk__in=numbers).order_by("pk")
    if dict(locked.values_list("pk", "number")) != numbers:
        raise Overtaken
    for question, arrival in changes:
        question.number += 1
        question.changed_at = now
        for name, value in arrival.columns.items():
            setattr(question, name, value)
    rows = [question for question, _arrival in changes]
    Question.objects.bulk_create(
        rows,
        update_conflicts=True,  # all are there: one statement instead of one a question
        unique_fields=["id"],
        update_fields=["number", "changed_at", *_COLUMNS],
    )
    QuestionTopic.objects.filter(question__in=rows).delete()
    QuestionTopic.objects.bulk_create(_topic_rows(changes))
    mark_changed({question.set_id for question in rows})
    return QuestionVersion.objects.bulk_create(
        QuestionVersion(
            question=question,
            number=question.number,
            content=arrival.content,
            picture=arrival.picture,
            saved_by=by,
            saved_at=now,
        )
        for question, arrival in changes
    )


def _topic_rows(changes: Iterable[tuple[Question, Arrival]]) -> list[QuestionTopic]:
    return [
        QuestionTopic(question=question, name=name, key=key)
        for question, arrival in changes
        for name, key in arrival.topics
    ]


def mark_changed(set_ids: Collection[UUID]) -> None:
    """Let the lists show that these sets have changed just now."""
    QuestionSet.objects.filter(pk__in=set_ids).update(changed_at=timezone.now())


def check_room(target: QuestionSet, more: int) -> None:
    """Refuse more questions than a set holds.

    Raises:
        SetFull: with ``more`` there would be more than ``QUESTIONS_MAX``.
    """
    if in_set(target).count() + more > QUESTIONS_MAX:
        raise SetFull


def last_position(target: QuestionSet) -> int:
    """The position of the last question of a set, archived ones among them; 0 in an empty set."""
    last: int | None = target.questions.aggregate(last=Max("position"))["last"]
    return last or 0


def teacher_of(actor: Actor) -> Teacher | None:
    """The account whose name versions bear."""
    return actor.teacher if isinstance(actor, TeacherActor) else None
