"""Who may reach which question set; a question is as open as the set it is in.

The same rules as ``classroom.access``: asked of the database at every call, the
same ``NotThere`` for absent and foreign. Students, guests and public screens never
reach the bank (HD-05). Built-in sets belong to nobody and are read by every teacher.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal
from uuid import UUID

from django.db.models import Case, CharField, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, TeacherActor, still_in
from classroom.errors import DomainError, NotAllowed, NotThere
from classroom.models import Teacher
from quizzes.models import (
    ImportDraft,
    Picture,
    Question,
    QuestionSet,
    QuestionVersion,
    SetShare,
)

SetRight = Literal["view", "edit", "own"]
_ENOUGH: dict[str, tuple[SetRight, ...]] = {
    "own": ("view", "edit", "own"),
    "edit": ("view", "edit"),
    "view": ("view",),
}


class QuestionArchived(DomainError):
    """A question in the archive says what it says."""

    code = "question_archived"
    message = _("This question is in the archive. Bring it back before you change it.")
    status = 409


class SetArchived(DomainError):
    """A set in the archive stays as it is."""

    code = "set_archived"
    message = _("This set is in the archive. Bring it back before you change it.")


def sets_of(teacher: Teacher) -> QuerySet[QuestionSet]:
    """All sets this teacher may see, each with ``right``: "own", "edit" or "view".

    Own and shared ones, archived ones among them; of the built-in ones and of those
    open to every teacher of the site only those that are not archived.
    """
    share = SetShare.objects.filter(set=OuterRef("pk"), teacher=teacher)
    return (
        QuestionSet.objects.select_related("owner")
        .annotate(
            right=Case(
                When(owner=teacher, then=Value("own")),
                default=Coalesce(Subquery(share.values("right")[:1]), Value("view")),
                output_field=CharField(),
            )
        )
        .filter(
            Exists(still_in(teacher)),
            Q(owner=teacher)
            | Exists(share)
            | Q(Q(site_wide=True) | Q(owner=None), archived_at=None),
        )
    )


def changeable_sets_of(teacher: Teacher) -> QuerySet[QuestionSet]:
    """The sets that this teacher may put questions into: own ones and those shared to edit."""
    share = SetShare.objects.filter(set=OuterRef("pk"), teacher=teacher, right=SetShare.Right.EDIT)
    return QuestionSet.objects.filter(
        Exists(still_in(teacher)), Q(owner=teacher) | Exists(share), archived_at=None
    )


def access_set(actor: Actor, set_id: UUID, *, to: SetRight = "view") -> QuestionSet:
    """The set, its owner preloaded, with the actor's ``right``.

    Raises:
        NotThere: absent, or the actor may not see it.
        NotAllowed: the actor may see it, but not do this.
        SetArchived: ``to`` edit a set that was put away.
    """
    if not isinstance(actor, TeacherActor):
        raise NotThere
    found = sets_of(actor.teacher).filter(pk=set_id).first()
    if found is None:
        raise NotThere
    _allow(found, to)
    return found


def access_question(actor: Actor, question_id: UUID, *, to: SetRight = "view") -> Question:
    """The question, its set preloaded.

    Raises:
        NotThere, NotAllowed, SetArchived: as ``access_set`` says of its set.
    """
    (question,) = access_questions(actor, [question_id], to=to)
    return question


def access_text(actor: Actor, question_id: UUID) -> Question:
    """The question, to change what it says.

    Raises:
        NotThere, NotAllowed, SetArchived: as ``access_set`` says of its set, to edit.
        QuestionArchived: the question was put away.
    """
    question = access_question(actor, question_id, to="edit")
    if question.archived_at is not None:
        raise QuestionArchived
    return question


def may_change_text(question: Question) -> bool:
    """Whether ``access_text`` would let the actor whose ``right`` its set carries change it."""
    may = "edit" in _ENOUGH[right_to(question.set)]
    return may and question.set.archived_at is None and question.archived_at is None


def access_questions(
    actor: Actor, question_ids: Collection[UUID], *, to: SetRight = "view"
) -> list[Question]:
    """All these questions, each once, in the order of their sets.

    Raises:
        NotThere: one of them is absent, or in a set that the actor may not see.
        NotAllowed, SetArchived: as ``access_set`` says of one of their sets.
    """
    if not isinstance(actor, TeacherActor):
        raise NotThere
    wanted = frozenset(question_ids)
    found = Question.objects.filter(pk__in=wanted).order_by(
        "set_id", "position", "created_at", "pk"
    )
    questions = list(found)
    sets = sets_of(actor.teacher).in_bulk({question.set_id for question in questions})
    if len(questions) < len(wanted) or any(q.set_id not in sets for q in questions):
        raise NotThere
    for question_set in sets.values():
        _allow(question_set, to)
    for question in questions:
        question.set = sets[question.set_id]
    return questions


def pictures_of(teacher: Teacher) -> QuerySet[Picture]:
    """Pictures this teacher may see: sent by themselves, or in a question of a set they may see."""
    shown = QuestionVersion.objects.filter(
        picture=OuterRef("pk"), question__set__in=sets_of(teacher).values("pk")
    )
    return Picture.objects.filter(Exists(still_in(teacher)), Q(owner=teacher) | Exists(shown))


def access_picture(actor: Actor, picture_id: UUID) -> Picture:
    """One of ``pictures_of`` the teacher. Students see those of their match at its address.

    Raises:
        NotThere: absent, or not open to them.
    """
    found = (
        pictures_of(actor.teacher).filter(pk=picture_id).first()
        if isinstance(actor, TeacherActor)
        else None
    )
    if found is None:
        raise NotThere
    return found


def access_import(actor: Actor, batch: UUID) -> list[ImportDraft]:
    """The files that a teacher has sent together and not saved yet: for that teacher alone.

    Raises:
        NotThere: absent, saved, given up, or somebody else's.
    """
    drafts = (
        list(ImportDraft.objects.filter(batch=batch, owner__in=still_in(actor.teacher)))
        if isinstance(actor, TeacherActor)
        else []
    )
    if not drafts:
        raise NotThere
    return drafts


def access_import_file(actor: Actor, draft_id: UUID) -> ImportDraft:
    """One file of such an import.

    Raises:
        NotThere: see ``access_import``.
    """
    found = (
        ImportDraft.objects.filter(pk=draft_id, owner__in=still_in(actor.teacher)).first()
        if isinstance(actor, TeacherActor)
        else None
    )
    if found is None:
        raise NotThere
    return found


def right_to(question_set: QuestionSet) -> SetRight:
    """The right with which ``sets_of`` or ``access_set`` gave out the set."""
    right: SetRight = question_set.right  # type: ignore[attr-defined]  # annotated
    return right


def _allow(question_set: QuestionSet, to: SetRight) -> None:
    if to not in _ENOUGH[right_to(question_set)]:
        raise NotAllowed
    if to == "edit" and question_set.archived_at is not None:
        raise SetArchived
