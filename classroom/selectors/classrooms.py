"""Classes of a teacher and what one class's page shows."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from classroom.access import classrooms_of
from classroom.models import Classroom, Invitation, Lesson, Student, Teacher
from classroom.names import in_order


def classrooms(teacher: Teacher, *, archived: bool = False) -> QuerySet[Classroom]:
    """The classes of a teacher with ``student_count``, ``is_open`` and ``last_lesson_at``."""
    open_now = Lesson.objects.filter(classroom=OuterRef("pk"), state=Lesson.State.OPEN)
    return (
        classrooms_of(teacher)
        .filter(archived_at__isnull=not archived)
        .annotate(
            student_count=Count(
                "students", filter=Q(students__removed_at=None, students__guest_of=None)
            ),
            is_open=Exists(open_now),
        )
        .order_by("name", "created_at")
    )


def roster(classroom: Classroom) -> QuerySet[Student]:
    """The students of the class, without guests and without those removed."""
    return Student.objects.filter(classroom_id=classroom.pk, removed_at=None, guest_of=None)


def roster_names(classroom: Classroom, *, but: Student | None = None) -> list[str]:
    """The names of the roster; ``but`` leaves out one student."""
    named = roster(classroom) if but is None else roster(classroom).exclude(pk=but.pk)
    return list(named.values_list("name", flat=True))


def forgotten_students() -> list[UUID]:
    """Whose names were erased; their rows stay, for results that nobody can read a name from."""
    return list(Student.objects.filter(name="").values_list("pk", flat=True))


def students(classroom: Classroom) -> list[Student]:
    """The roster by name, each with ``last_seen_at`` (None: never here)."""
    found = roster(classroom).annotate(last_seen_at=Max("attendance__last_seen_at"))
    return sorted(found, key=lambda student: in_order(student.name))


def removed_students(classroom: Classroom) -> QuerySet[Student]:
    """Who was taken out of the class and can be brought back or erased."""
    return (
        classroom.students.filter(guest_of=None)
        .exclude(removed_at=None)
        .exclude(name="")
        .order_by("name")
    )


def guests(classroom: Classroom) -> QuerySet[Student]:
    """Guests of the class who are not forgotten yet, newest first, lesson preloaded."""
    return (
        classroom.students.filter(removed_at=None, test=False)
        .exclude(guest_of=None)
        .select_related("guest_of")
        .order_by("-created_at")
    )


@dataclass(frozen=True)
class Colleague:
    """Somebody who teaches the class."""

    teacher: Teacher
    is_owner: bool


def colleagues(classroom: Classroom) -> list[Colleague]:
    """The owner first, then co-teachers by name."""
    shared = classroom.co_teachers.order_by("name")
    return [
        Colleague(classroom.owner, is_owner=True),
        *(Colleague(teacher, is_owner=False) for teacher in shared),
    ]


def open_invitations(classroom: Classroom) -> QuerySet[Invitation]:
    """Links to this class that nobody has used yet."""
    usable = classroom.invitations.filter(used_at=None, expires_at__gt=timezone.now())
    return usable.order_by("created_at")
