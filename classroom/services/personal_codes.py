"""Codes by which a student alone can take the own name."""

from __future__ import annotations

from uuid import UUID

from django.utils.crypto import constant_time_compare, salted_hmac

from classroom.access import Actor, access_classroom, access_student
from classroom.codes import new_personal_code, typed
from classroom.models import Student
from classroom.selectors.classrooms import students
from classroom.transactions import whole

CODE_TRIES = 5  # misses of one name until the teacher unlocks it (case AZ-15)


@whole
def make_codes(*, actor: Actor, classroom_id: UUID) -> list[tuple[Student, str]]:
    """New personal codes for the whole roster: the only moment they can be read.

    Only a keyed hash is stored. Devices that are in stay in.
    """
    classroom = access_classroom(actor, classroom_id)
    made = [(student, new_personal_code()) for student in students(classroom)]
    for student, code in made:
        student.code_hash = _code_hash(student, code)
        student.code_misses = 0
    Student.objects.bulk_update(
        [student for student, _code in made], ["code_hash", "code_misses"], batch_size=200
    )
    return made


def make_code(*, actor: Actor, student_id: UUID) -> tuple[Student, str]:
    """A new personal code for one student; unlocks the name."""
    student = access_student(actor, student_id)
    code = new_personal_code()
    student.code_hash = _code_hash(student, code)
    student.code_misses = 0
    student.save(update_fields=["code_hash", "code_misses"])
    return student, code


def unlock_student(*, actor: Actor, student_id: UUID) -> Student:
    """Let a name be tried again after too many wrong personal codes."""
    student = access_student(actor, student_id)
    student.code_misses = 0
    student.save(update_fields=["code_misses"])
    return student


def is_code_of(student: Student, code: str) -> bool:
    """Whether ``code``, as typed, is the student's personal code."""
    return bool(student.code_hash) and constant_time_compare(
        student.code_hash, _code_hash(student, typed(code))
    )


def _code_hash(student: Student, code: str) -> str:
    """Keyed with the site's secret, not slow: thirty students join in one minute, and the
    guard against guessing is the lock after five misses."""
    return salted_hmac(
        "classroom.personal-code", f"{student.pk.hex}:{code}", algorithm="sha256"
    ).hexdigest()
