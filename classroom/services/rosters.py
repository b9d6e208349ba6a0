"""Names of a class: added by pasting, renamed, removed, merged, given codes, erased."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, access_classroom, access_oneself, access_student
from classroom.activities import activities
from classroom.codes import new_personal_code, typed
from classroom.errors import DomainError, NotThere
from classroom.models import Attendance, Fact, Lesson, Student
from classroom.names import LONGEST_NAME, Line, clean, free_name, has_letter, parse
from classroom.security_log import Event, note as note_down
from classroom.selectors.classrooms import roster_names, students
from classroom.services.classrooms import NameDiffers
from classroom.transactions import whole

LONGEST_NOTE = 200
CODE_TRIES = 5  # misses of one name until the teacher unlocks it (case AZ-15)


class BadName(DomainError):
    """Nothing to call the student by, or too long."""

    code = "bad_name"
    message = _("A name needs a letter and at most 60 characters.")


class SameStudent(DomainError):
    """Guest and student have both played in the same lesson."""

    code = "same_student"
    message = _("Both were in the same lesson, so they are two people.")


class StillPlaying(DomainError):
    """A guest is merged when the lesson is over."""

    code = "still_playing"
    message = _("Close the lesson first. Then put the guest and the student together.")
    status = 409


def preview(*, actor: Actor, classroom_id: UUID, text: str) -> tuple[Line, ...]:
    """What ``add_students`` would do with a pasted list. Changes nothing."""
    classroom = access_classroom(actor, classroom_id)
    return parse(text, roster_names(classroom))


@whole
def add_students(*, actor: Actor, classroom_id: UUID, text: str) -> tuple[Line, ...]:
    """Save the names of a pasted list; the answer is the same as that of ``preview``."""
    classroom = access_classroom(actor, classroom_id)
    lines = parse(text, roster_names(classroom))
    Student.objects.bulk_create(
        Student(classroom=classroom, name=line.name) for line in lines if line.name
    )
    return lines


@whole
def add_student(*, actor: Actor, classroom_id: UUID, name: str) -> Student:
    """Add one more student; a namesake gets a number behind the name.

    Raises:
        BadName: no letter, or too long.
    """
    classroom = access_classroom(actor, classroom_id)
    free = free_name(good_name(name), roster_names(classroom))
    return Student.objects.create(classroom=classroom, name=free)


@whole
def rename_student(*, actor: Actor, student_id: UUID, name: str) -> Student:
    """Give a student or guest another name; seat and results stay.

    Raises:
        BadName: no letter, or too long.
    """
    student = access_student(actor, student_id)
    others = roster_names(student.classroom, but=student)
    student.name = good_name(name) if student.is_guest else free_name(good_name(name), others)
    student.save(update_fields=["name"])
    return student


def write_note(*, actor: Actor, student_id: UUID, note: str) -> Student:
    """Keep a line about a student, for teachers of the class alone."""
    student = access_student(actor, student_id)
    student.note = clean(note)[:LONGEST_NOTE].strip()
    student.save(update_fields=["note"])
    return student


@whole
def remove_student(*, actor: Actor, student_id: UUID) -> Student:
    """Take a student out of the class; results stay until they are erased. Devices are put out."""
    student = access_student(actor, student_id)
    _gone(student, actor)
    student.removed_at = timezone.now()
    student.proof = uuid4()
    student.save(update_fields=["removed_at", "proof"])
    return student


@whole
def restore_student(*, actor: Actor, classroom_id: UUID, student_id: UUID) -> Student:
    """Take back a removal."""
    classroom = access_classroom(actor, classroom_id)
    student = classroom.students.filter(pk=student_id).exclude(name="").first()
    if student is None:
        raise NotThere
    if student.removed_at is not None:
        student.name = free_name(student.name, roster_names(classroom))
        student.removed_at = None
        student.save(update_fields=["name", "removed_at"])
    return student


@whole
def keep_guest(*, actor: Actor, student_id: UUID) -> Student:
    """Make a guest a student of the roster, results included."""
    guest = access_student(actor, student_id)
    guest.name = free_name(guest.name, roster_names(guest.classroom, but=guest))
    guest.guest_of = None
    guest.save(update_fields=["name", "guest_of"])
    return guest


@whole
def merge_guest(*, actor: Actor, guest_id: UUID, student_id: UUID) -> Student:
    """Give a guest's facts and presence to a student of the roster; the guest is gone.

    Raises:
        SameStudent: both were in one lesson.
        StillPlaying: the guest's lesson is open.
        NotThere: the first is no guest, or they are of two classes.
    """
    guest = access_student(actor, guest_id)
    student = access_student(actor, student_id)
    if not guest.is_guest or student.is_guest or guest.classroom_id != student.classroom_id:
        raise NotThere
    if Attendance.objects.filter(student=student, lesson=guest.guest_of).exists():
        raise SameStudent
    if guest.guest_of is not None and guest.guest_of.state == Lesson.State.OPEN:
        raise StillPlaying
    Attendance.objects.filter(student=guest).update(student=student)
    Fact.objects.filter(student=guest).update(student=student)
    for known in activities():
        known.merge(guest, student)
    student.proof = uuid4()
    student.save(update_fields=["proof"])
    guest.delete()
    return student


# -- personal codes --------------------------------------------------------------------------------


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


# -- erasing and exporting -------------------------------------------------------------------------


@whole
def erase_student(*, actor: Actor, student_id: UUID) -> None:
    """Forget who a student or guest was; results stay under a pseudonym (docs/architecture.md)."""
    student = access_student(actor, student_id, to="own")
    _gone(student, actor)
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
        _gone(student, actor)
        forget(student)
    _note_down(Event.STUDENT_ERASED, actor, classroom_id)
    return len(erased)


def _note_down(event: Event, actor: Actor, classroom_id: UUID) -> None:
    """Who did it, in which class; not to whom, since not even a student's id belongs in a log."""
    note_down(event, by=access_oneself(actor), about=f"class:{classroom_id}")


def _gone(student: Student, actor: Actor) -> None:
    """Out of everything that still goes on."""
    for known in activities():
        known.gone(student, lesson=None, actor=actor)


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


# -- shared by services of people ------------------------------------------------------------------


def good_name(name: str) -> str:
    """The name without signs that do not belong.

    Raises:
        BadName: no letter, or too long.
    """
    name = clean(name)
    if not has_letter(name) or len(name) > LONGEST_NAME:
        raise BadName
    return name
