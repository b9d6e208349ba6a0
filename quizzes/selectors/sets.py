"""Sets as the bank's pages list them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Q, QuerySet

from classroom.models import Teacher
from quizzes.access import SetRight, changeable_sets_of, right_to, sets_of
from quizzes.models import QuestionSet, SetShare


@dataclass(frozen=True)
class SetLine:
    """One set in a list. ``many`` counts its questions outside the archive."""

    set: QuestionSet
    right: SetRight
    many: int


@dataclass(frozen=True)
class Shelves:
    """The sets a teacher may see, by how they come to see them."""

    own: tuple[SetLine, ...]
    shared: tuple[SetLine, ...]
    everybodys: tuple[SetLine, ...]  # built in, and offered by others to the whole site


def shelves(teacher: Teacher, *, archived: bool = False) -> Shelves:
    """All sets of a teacher by title, owners preloaded; built-in ones before other people's.

    ``archived``: those that were put away instead.
    """
    found = (
        sets_of(teacher)
        .filter(archived_at__isnull=not archived)
        .annotate(many=Count("questions", filter=Q(questions__archived_at=None)))
        .order_by("title", "created_at")
    )
    with_share = set(SetShare.objects.filter(teacher=teacher).values_list("set_id", flat=True))
    own, shared, everybodys = [], [], []
    for question_set in found:
        line = SetLine(question_set, right_to(question_set), question_set.many)
        if line.right == "own":
            own.append(line)
        elif question_set.pk in with_share:
            shared.append(line)
        elif line.many:  # an empty set has nothing to offer to strangers
            everybodys.append(line)
    everybodys.sort(key=lambda line: line.set.owner_id is not None)
    return Shelves(tuple(own), tuple(shared), tuple(everybodys))


def has_archive(teacher: Teacher) -> bool:
    """Whether this teacher has put sets away, or colleagues have that were shared."""
    return sets_of(teacher).exclude(archived_at=None).exists()


def targets(teacher: Teacher, *, but: QuestionSet | None = None) -> QuerySet[QuestionSet]:
    """The sets into which this teacher may put questions, by title."""
    found = changeable_sets_of(teacher).order_by("title", "created_at")
    return found.exclude(pk=but.pk) if but is not None else found


def shares(question_set: QuestionSet) -> QuerySet[SetShare]:
    """The colleagues a set is shared with, by name."""
    return question_set.shares.select_related("teacher").order_by("teacher__name")


@dataclass(frozen=True)
class Colleagues:
    """Whom a teacher may pick to share with, by name. Nobody's address is told."""

    near: tuple[Teacher, ...]  # of the same classes, or with whom sets are shared either way
    others: tuple[Teacher, ...]  # of the site; none where strangers may sign up

    def __contains__(self, teacher: object) -> bool:
        return teacher in self.near or teacher in self.others


def colleagues(teacher: Teacher) -> Colleagues:
    """Whom this teacher may share sets with without knowing an address."""
    everybody = Teacher.objects.filter(is_active=True).exclude(pk=teacher.pk).order_by("name", "pk")
    known = everybody.filter(
        Q(classrooms__co_teachers=teacher)
        | Q(co_teacher_rows__classroom__owner=teacher)
        | Q(co_teacher_rows__classroom__co_teachers=teacher)
        | Q(set_shares__set__owner=teacher)
        | Q(question_sets__shares__teacher=teacher)
    )
    near = tuple(everybody.filter(pk__in=known.values("pk")))
    if settings.SIGNUP == "open":
        return Colleagues(near, ())
    return Colleagues(near, tuple(everybody.exclude(pk__in=known.values("pk"))))


def rights(teacher: Teacher, set_ids: Collection[UUID]) -> dict[UUID, SetRight]:
    """The right of this teacher to each of these sets that they may see."""
    found = sets_of(teacher).in_bulk(set(set_ids)).values()
    return {question_set.pk: right_to(question_set) for question_set in found}
