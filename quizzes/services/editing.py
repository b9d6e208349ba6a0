"""Changing what one question says: every change is a new version."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext_lazy as _

from classroom.access import Actor
from classroom.errors import DomainError, NotThere
from classroom.models import Teacher
from classroom.transactions import whole
from quizzes.access import access_text
from quizzes.formats import question as values
from quizzes.models import Question, QuestionVersion
from quizzes.selectors.questions import newest_versions
from quizzes.services.question_rows import (
    Arrival,
    Overtaken,
    arriving_of,
    next_versions,
    teacher_of,
)


class EditConflict(DomainError):
    """Somebody has saved the question since it was opened. ``theirs`` is what is there now."""

    code = "edit_conflict"
    message = _("Somebody else has changed this question. Compare both texts, then choose.")
    status = 409

    def __init__(self, theirs: QuestionVersion) -> None:
        super().__init__()
        self.theirs = theirs


def save_question(
    *, actor: Actor, question_id: UUID, question: values.Question, base: int
) -> QuestionVersion:
    """Make ``question`` the newest version. ``base`` is the version that was open.

    The same as what is there makes no version.

    Raises:
        NotThere, NotAllowed, SetArchived, QuestionArchived: see ``access_text``.
        EditConflict: somebody has saved another version since ``base``.
        NoPicture: it names a picture that the actor may not see.
    """
    row = access_text(actor, question_id)
    (arrival,) = arriving_of(actor, [question])
    newest_one = newest_versions([row])[row.pk]
    if newest_one.value == question:
        return newest_one
    return _next_version(row, base, arrival, by=teacher_of(actor))


def restore_version(*, actor: Actor, question_id: UUID, number: int, base: int) -> QuestionVersion:
    """Make an old version the newest again, as a further version.

    Raises:
        NotThere: the question has no such version; or see ``access_text``.
        EditConflict: somebody has saved another version since ``base``.
    """
    row = access_text(actor, question_id)
    old = row.versions.filter(number=number).first()
    if old is None:
        raise NotThere
    return save_question(actor=actor, question_id=question_id, question=old.value, base=base)


@whole
def _next_version(
    question: Question, base: int, arrival: Arrival, *, by: Teacher | None
) -> QuestionVersion:
    """Write a version after ``base``.

    Raises:
        EditConflict: ``base`` is not the newest any more.
    """
    question.number = base
    try:
        (version,) = next_versions([(question, arrival)], by=by)
    except Overtaken:
        question.refresh_from_db(fields=["number"])
        raise EditConflict(newest_versions([question])[question.pk]) from None
    return version
