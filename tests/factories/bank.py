"""Sets and questions of the bank. No surprises: what matters to a test is written in it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from classroom.access import TeacherActor
from classroom.models import Teacher
from quizzes.formats import question as values
from quizzes.models import Picture, Question, QuestionSet, SetShare
from quizzes.services.adding import add_questions, keep_built_in
from quizzes.services.sets import create_set
from tests.factories import people


def single(stem: str = "Who votes?", **fields: Any) -> values.SingleChoice:
    """A question with two choices, the first of them right."""
    fields = {"choices": ("Citizens", "Nobody"), "right": 0, **fields}
    return values.SingleChoice(stem=stem, **fields)


def question_set(
    *, owner: Teacher | None = None, title: str = "Votes", **fields: Any
) -> QuestionSet:
    """An empty set, of a teacher of its own unless said otherwise."""
    made = create_set(actor=TeacherActor(owner or people.teacher()), title=title)
    for field, value in fields.items():
        setattr(made, field, value)
    made.save()
    return made


def built_in_set(**fields: Any) -> QuestionSet:
    """An empty set that belongs to nobody."""
    fields = {"key": f"starter-{uuid4()}", "title": "Starter", "language": "en", **fields}
    return QuestionSet.objects.create(owner=None, **fields)


def starter(title: str = "Starter") -> QuestionSet:
    """A built-in set with one question."""
    keep_built_in(key="starter", language="en", title=title, credit="", questions=[single()])
    return QuestionSet.objects.get(owner=None, key="starter")


def questions(of: QuestionSet, *contents: values.Question) -> list[Question]:
    """Questions in a set of a teacher's."""
    assert of.owner is not None
    return add_questions(
        actor=TeacherActor(of.owner), set_id=of.pk, questions=contents or [single()]
    )


def shared(of: QuestionSet, *, right: str = "view", teacher: Teacher | None = None) -> Teacher:
    """A colleague with a right to a set."""
    colleague = teacher or people.teacher()
    SetShare.objects.create(set=of, teacher=colleague, right=right)
    return colleague


def picture(owner: Teacher, **fields: Any) -> Picture:
    """The row of a picture; there is no file."""
    fields = {"ending": "png", "sha256": "0" * 64, "width": 8, "height": 8, "bytes": 99, **fields}
    return Picture.objects.create(owner=owner, **fields)
