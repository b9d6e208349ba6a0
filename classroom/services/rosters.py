"""Names of a class: added by pasting, renamed, removed, merged."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, access_classroom, access_student
from classroom.activities import activities
from classroom.errors import DomainError, NotThere
from classroom.models import Attendance, Fact, Lesson, Student
from classroom.names import LONGEST_NAME, Line, clean, free_name, has_letter, parse
from classroom.selectors.classrooms import roster_names
from classroom.transactions import whole

LONGEST_NOTE = 200


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
    put_out(student, actor)
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


def good_name(name: str) -> str:
    """The name without signs that do not belong.

    Raises:
        BadName: no letter, or too long.
    """
    name = clean(name)
    if not has_letter(name) or len(name) > LONGEST_NAME:
        raise BadName
    return name


def put_out(student: Student, actor: Actor) -> None:
    """Out of everything that still goes on."""
    for known in activities():
        known.gone(student, lesson=None, actor=actor)
