"""What is known of a student: forgotten, or handed out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, access_classroom, access_oneself, access_student
from classroom.activities import activities
from classroom.errors import NotThere
from classroom.models import Student
from classroom.names import clean
from classroom.security_log import Event, note
from classroom.services.classrooms import NameDiffers
from classroom.services.rosters import put_out
from classroom.transactions import whole


@whole
def erase_student(*, actor: Actor, student_id: UUID) -> None:
    """Forget who a student or guest was; results stay under a pseudonym (docs/architecture.md)."""
    student = access_student(actor, student_id, to="own")
    put_out(student, actor)
    forget(student)
    _note_down(Event.STUDENT_ERASED, actor, student.classroom_id)


@whole
def erase_removed_student(*, actor: Actor, classroom_id: UUID, student_id: UUID) -> None:
    """The same for one who was removed before."""
    classroom = access_classroom(actor, classroom_id, to="own")
    student = classroom.students.filter(pk=student_id).exclude(removed_at=None).first()
    if student is None:
        raise NotThere
    forget(student)
    _note_down(Event.STUDENT_ERASED, actor, classroom_id)


@whole
def anonymise_classroom(*, actor: Actor, classroom_id: UUID, typed_name: str) -> int:
    """Erase every student of a class at once; the number erased.

    Raises:
        NameDiffers: the typed name is not the class's.
    """
    classroom = access_classroom(actor, classroom_id, to="own")
    if clean(typed_name) != clean(classroom.name):
        raise NameDiffers(_("That is not the name of the class. Nothing was erased."))
    erased = list(classroom.students.exclude(name="").order_by("pk"))  # one lock order
    for student in erased:
        put_out(student, actor)
        forget(student)
    _note_down(Event.STUDENT_ERASED, actor, classroom_id)
    return len(erased)


def _note_down(event: Event, actor: Actor, classroom_id: UUID) -> None:
    """Who did it, in which class; not to whom, since not even a student's id belongs in a log."""
    note(event, by=access_oneself(actor), about=f"class:{classroom_id}")


def forget(student: Student) -> None:
    """Empty everything that tells who it was. Inside the caller's transaction."""
    for known in activities():
        known.erase(student)
    student.name = student.note = student.code_hash = ""
    student.proof = uuid4()
    student.removed_at = student.removed_at or timezone.now()
    student.save()


def forget_again(student_ids: Sequence[UUID]) -> int:
    """Erase those that a backup brought back (case PV-09); how many there were."""
    back = Student.objects.filter(pk__in=student_ids).exclude(name="")
    count = 0
    for student in back:
        whole(forget)(student)
        count += 1
    return count


def export_student(*, actor: Actor, student_id: UUID) -> dict[str, Any]:
    """Everything kept about one student, as plain values; no other name is in it."""
    student = access_student(actor, student_id)
    here = student.attendance.select_related("lesson").order_by("first_seen_at")
    _note_down(Event.STUDENT_EXPORTED, actor, student.classroom_id)
    return {
        "name": student.name,
        "class": student.classroom.name,
        "note": student.note,
        "guest": student.is_guest,
        "has_personal_code": bool(student.code_hash),
        "added_at": student.created_at.isoformat(),
        "lessons": [
            {
                "title": str(row.lesson),
                "activity": row.lesson.activity,
                "first_seen_at": row.first_seen_at.isoformat(),
                "last_seen_at": row.last_seen_at.isoformat(),
            }
            for row in here
        ],
        "facts": list(
            student.facts.order_by("id").values(
                "lesson_id", "activity", "kind", "what", "about", "topic", "value"
            )
        ),
        "activities": {known.key: dict(known.export(student)) for known in activities()},
    }
