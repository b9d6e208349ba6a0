"""Who is asking, and what they may reach: the one permission layer (docs/architecture.md).

Services and views take an ``Actor``, never a request or a user: students are not
users. ``access_*`` functions fetch or refuse. They read rights from the database
at every call, so a socket that was let in an hour ago asks anew.
Absent and foreign get the same ``NotThere``; who is known in the class but may
not do this gets ``NotAllowed``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest

from classroom.codes import fingerprint
from classroom.errors import NotAllowed, NotThere
from classroom.models import (
    Attendance,
    Classroom,
    CoTeacher,
    Device,
    Job,
    Lesson,
    Student,
    Teacher,
)

DEVICE = "device"  # session key: a random value that marks this browser
SEATS = "seats"  # session key: {classroom id: [student id, proof, mark of the personal code given]}
ASKING = "asking"  # session key: ids of classes whose teacher has not nodded to the seat yet

ClassroomRight = Literal["run", "own"]
LessonRight = Literal["run", "own", "play", "watch"]
StudentRight = Literal["run", "own", "self"]


@dataclass(frozen=True)
class TeacherActor:
    """A teacher who is logged in. Which classes are theirs is asked at each action (C8)."""

    teacher: Teacher


@dataclass(frozen=True)
class StudentActor:
    """A student whose name this browser holds, in one class. ``student.is_guest`` tells guests.

    ``device`` is the fingerprint of this browser.
    """

    student: Student
    classroom: Classroom
    device: str = ""


@dataclass(frozen=True)
class PublicScreen:
    """A read-only link of one lesson: board and projector, public facts only."""

    lesson: Lesson


@dataclass(frozen=True)
class Anonymous:
    """Nobody known here."""


Actor = TeacherActor | StudentActor | PublicScreen | Anonymous


class Role(StrEnum):
    """A teacher's part in one class."""

    OWNER = "owner"
    CO_TEACHER = "co_teacher"


# -- who is asking ---------------------------------------------------------------------------------


def actor(
    session: Mapping[str, Any],
    user: AbstractBaseUser | AnonymousUser | None,
    classroom: Classroom,
    *,
    playing: bool = False,
    as_student: UUID | None = None,
) -> Actor:
    """Who asks about ``classroom``, from the data of a session and the account logged in.

    For HTTP and for the socket handshake. A browser may be logged in and hold a
    student's seat: with ``playing`` the seat counts first, else the account.
    ``as_student`` is heeded for a teacher of the class and a test student of it.

    Raises:
        NotThere: ``as_student`` is not such a test student.
    """
    teacher = user if isinstance(user, Teacher) and user.is_active else None
    if as_student is not None:
        return _test_student(teacher, classroom, as_student)
    if teacher is not None and not playing:
        return TeacherActor(teacher)
    student = _seated(session, classroom)
    if student is not None:
        return StudentActor(student, classroom, device_of(session))
    return TeacherActor(teacher) if teacher is not None else Anonymous()


def device_of(session: Mapping[str, Any]) -> str:
    """The fingerprint of this browser, empty for one that never joined."""
    secret = session.get(DEVICE)
    return fingerprint(secret) if isinstance(secret, str) else ""


def _seated(session: Mapping[str, Any], classroom: Classroom) -> Student | None:
    seats = session.get(SEATS)
    seat = seats.get(str(classroom.pk)) if isinstance(seats, dict) else None
    if not isinstance(seat, list):
        return None
    student_id, proof, *_code = seat
    return Student.objects.filter(
        pk=student_id, proof=proof, classroom=classroom, removed_at=None
    ).first()


def _test_student(teacher: Teacher | None, classroom: Classroom, student_id: UUID) -> StudentActor:
    student = Student.objects.filter(
        pk=student_id, classroom=classroom, test=True, removed_at=None
    ).first()
    if teacher is None or student is None:
        raise NotThere
    access_classroom(TeacherActor(teacher), classroom.pk)
    return StudentActor(student, classroom, test_device(student))


def test_device(student: Student) -> str:
    """The device that holds a test student, whichever window of its teacher asks."""
    return fingerprint(f"test:{student.proof.hex}")


# -- what they may reach ---------------------------------------------------------------------------


def access_classroom(actor: Actor, classroom_id: UUID, *, to: ClassroomRight = "run") -> Classroom:
    """The class, for its owner (``run``, ``own``) or a co-teacher (``run``).

    Raises:
        NotThere: absent, or the actor has no part in it.
        NotAllowed: a co-teacher asks for what only the owner may.
    """
    if not isinstance(actor, TeacherActor):
        raise NotThere
    classroom = classrooms_of(actor.teacher).filter(pk=classroom_id).first()
    if classroom is None:
        raise NotThere
    if to == "own" and role_in(actor, classroom) is not Role.OWNER:
        raise NotAllowed
    return classroom


def access_lesson(actor: Actor, lesson_id: UUID, *, to: LessonRight = "run") -> Lesson:
    """The lesson, its classroom preloaded.

    ``run`` and ``own``: teachers of the class. ``play``: a student whom this browser
    holds in this lesson, not kicked and not waiting for the teacher; the lesson may
    be closed (services ask for its state). ``watch``: teachers, and the public screen
    of a class that was not put away.

    Raises:
        NotThere: absent, or not theirs.
        NotAllowed: a co-teacher asks for what only the owner may.
    """
    lesson = Lesson.objects.select_related("classroom").filter(pk=lesson_id).first()
    if lesson is None:
        raise NotThere
    check_lesson(actor, lesson, to=to)
    return lesson


def check_lesson(actor: Actor, lesson: Lesson, *, to: LessonRight) -> None:
    """Refuse as ``access_lesson`` does, for who has just read the lesson and its classroom."""
    match actor:
        case TeacherActor() if to != "play":
            access_classroom(actor, lesson.classroom_id, to="own" if to == "own" else "run")
        case StudentActor() if to == "play" and seat_of(actor, lesson):
            pass
        case PublicScreen(shown) if to == "watch" and shown.pk == lesson.pk:
            if lesson.classroom.archived_at is not None:
                raise NotThere
        case _:
            raise NotThere


def access_student(actor: Actor, student_id: UUID, *, to: StudentRight = "run") -> Student:
    """A student who is not removed, classroom preloaded: for teachers of the class, or for oneself.

    Raises:
        NotThere: absent, removed, or not theirs.
        NotAllowed: a co-teacher asks for what only the owner may.
    """
    student = (
        Student.objects.select_related("classroom").filter(pk=student_id, removed_at=None).first()
    )
    if student is None:
        raise NotThere
    match actor:
        case TeacherActor() if to != "self":
            access_classroom(actor, student.classroom_id, to="own" if to == "own" else "run")
        case StudentActor(known) if (
            to == "self" and known.pk == student.pk and known.proof == student.proof
        ):
            pass
        case _:
            raise NotThere
    return student


def access_job(actor: Actor, job_id: UUID) -> Job:
    """A job of this teacher's own.

    Raises:
        NotThere: absent, or somebody else's.
    """
    if not isinstance(actor, TeacherActor):
        raise NotThere
    job = Job.objects.filter(pk=job_id, owner__in=still_in(actor.teacher)).first()
    if job is None:
        raise NotThere
    return job


def access_oneself(actor: Actor) -> Teacher:
    """The account that asks, for what belongs to a teacher alone.

    Raises:
        NotThere: the actor is no teacher.
    """
    if not isinstance(actor, TeacherActor):
        raise NotThere
    return actor.teacher


def access_accounts(actor: Actor) -> Teacher:
    """The administrator, for the pages about teacher accounts.

    Raises:
        NotThere: nobody, or a teacher who is no administrator.
    """
    if isinstance(actor, TeacherActor):
        teacher = still_in(actor.teacher).filter(is_staff=True).first()
        if teacher is not None:
            return teacher
    raise NotThere


def classrooms_of(teacher: Teacher) -> QuerySet[Classroom]:
    """Classes this teacher owns or shares, while the account may log in and this login lasts."""
    shared = CoTeacher.objects.filter(classroom=OuterRef("pk"), teacher=teacher)
    return Classroom.objects.select_related("owner").filter(
        Exists(still_in(teacher)), Q(owner=teacher) | Exists(shared)
    )


def role_in(actor: Actor, classroom: Classroom) -> Role | None:
    """The actor's part in a class that ``access_classroom`` has let through."""
    if not isinstance(actor, TeacherActor):
        return None
    return Role.OWNER if classroom.owner_id == actor.teacher.pk else Role.CO_TEACHER


def still_in(teacher: Teacher) -> QuerySet[Teacher]:
    """The account as it was at login; nothing once it was shut, logged out or changed."""
    return Teacher.objects.filter(
        pk=teacher.pk, is_active=True, stamp=teacher.stamp, password=teacher.password
    )


def seat_of(actor: StudentActor, lesson: Lesson) -> Attendance | None:
    """The row of this student in this lesson, where this browser holds the student now."""
    return Attendance.objects.filter(
        lesson=lesson,
        student=actor.student,
        kicked_at=None,
        student__proof=actor.student.proof,
        student__removed_at=None,
        devices__key=actor.device,
        devices__state=Device.State.IN,
    ).first()


def asker(request: HttpRequest) -> Teacher | str:
    """Who asks, as logs name them: the account; of a student no more than that it was one."""
    user = getattr(request, "user", None)
    if isinstance(user, Teacher):
        return user
    return "student" if request.session.get(SEATS) else "nobody-known"
