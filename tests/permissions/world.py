"""Two schools that know nothing of each other, and everybody who may ask."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.utils import timezone

from classroom.access import DEVICE, SEATS
from classroom.codes import fingerprint
from classroom.models import Classroom, Device, Invitation, Job, Lesson, Student, Teacher
from tests.factories import people

ROLES = (
    "anonymous",
    "guest",
    "student",
    "other_student",
    "owner",
    "co_teacher",
    "other_teacher",
    "staff",
)
SECRET = "a-secret-of-the-tests"


@dataclass
class World:
    """The objects that addresses name (``args``), and one browser a role."""

    owner: Teacher
    classroom: Classroom
    lesson: Lesson
    student: Student
    guest: Student
    device: Device
    args: dict[str, Any] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)


def build() -> World:
    """A class with everything in it, a second school, and their people."""
    classroom = people.classroom(guests_allowed=True)
    lesson = people.lesson(of=classroom)
    student = people.student(classroom, "Amina")
    guest = people.student(classroom, "Visitor", guest_of=lesson)
    attendance = people.joined(lesson, student, device=_mark("student"))
    people.joined(lesson, guest, device=_mark("guest"))
    device = Device.objects.create(
        attendance=lesson.attendance.get(student=attendance.student),
        key="another",
        state=Device.State.WAITING,
        how=Device.How.TEACHER,
    )
    elsewhere = people.classroom()
    other_student = people.student(elsewhere, "Bilal")
    people.joined(people.lesson(of=elsewhere), other_student, device=_mark("other_student"))
    staff = people.teacher(is_staff=True)
    colleague = people.co_teacher(classroom)
    invitation = Invitation.objects.create(
        purpose=Invitation.Purpose.TEACHER,
        secret_hash=fingerprint(SECRET),
        created_by=staff,
        expires_at=timezone.now() + timedelta(days=1),
    )
    job = Job.objects.create(owner=classroom.owner, kind="none", state=Job.State.FAILED)
    world = World(classroom.owner, classroom, lesson, student, guest, device)
    world.args = {
        "classroom_id": classroom.pk,
        "lesson_id": lesson.pk,
        "student_id": student.pk,
        "device_id": device.pk,
        "teacher_id": colleague.pk,
        "invitation_id": invitation.pk,
        "job_id": job.pk,
        "secret": SECRET,
    }
    world.clients = {
        "anonymous": Client(),
        "guest": seated(guest, "guest"),
        "student": seated(student, "student"),
        "other_student": seated(other_student, "other_student"),
        "owner": logged_in(classroom.owner),
        "co_teacher": logged_in(colleague),
        "other_teacher": logged_in(elsewhere.owner),
        "staff": logged_in(staff),
    }
    return world


def absent(args: dict[str, Any]) -> dict[str, Any]:
    """The same address for things that are not there."""
    nowhere: dict[type, Any] = {UUID: uuid4(), int: 10**9}
    return {name: nowhere.get(type(value), value) for name, value in args.items()}


def logged_in(teacher: Teacher) -> Client:
    """A browser of a teacher."""
    client = Client()
    client.force_login(teacher, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def seated(student: Student, mark: str) -> Client:
    """A browser that holds a student's seat."""
    session = SessionStore()
    session[DEVICE] = mark
    session[SEATS] = {str(student.classroom_id): [str(student.pk), str(student.proof)]}
    session.create()
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return client


def _mark(role: str) -> str:
    return fingerprint(role)
