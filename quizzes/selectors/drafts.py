"""What one teacher has typed and not saved yet."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

import msgspec

from classroom.models import Teacher
from quizzes.entries import Entries
from quizzes.models import Draft, Question, QuestionSet


def draft_of(teacher: Teacher, question: Question) -> Draft | None:
    """The teacher's draft of a question, if there is one."""
    return Draft.objects.filter(teacher=teacher, question=question).first()


def new_draft(teacher: Teacher, question_set: QuestionSet, draft_id: UUID) -> Draft | None:
    """The teacher's draft of a new question of the set, if it is still there."""
    return Draft.objects.filter(
        pk=draft_id, teacher=teacher, set=question_set, question=None
    ).first()


def drafts_in(teacher: Teacher, question_set: QuestionSet) -> list[Draft]:
    """The teacher's drafts in a set, the newest first."""
    return list(Draft.objects.filter(teacher=teacher, set=question_set).order_by("-saved_at"))


def begun(drafts: Iterable[Draft]) -> list[tuple[Draft, str]]:
    """Those of new questions, each with the first words that are typed."""
    return [(draft, typed(draft).stem.strip()[:90]) for draft in drafts if not draft.question_id]


def typed(draft: Draft) -> Entries:
    """The fields of a draft; none but the kind if they were kept by another version of the site."""
    try:
        return msgspec.convert(draft.fields, Entries)
    except msgspec.ValidationError:
        return Entries(kind=draft.kind)
