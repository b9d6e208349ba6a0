"""A class in a lesson with a match of Lanterns, and the browsers of its people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from classroom.access import DEVICE, SEATS, StudentActor, TeacherActor
from classroom.codes import fingerprint
from classroom.models import Attendance, Classroom, Device, Lesson, Student, Teacher
from games.models import Deck, DeckVersion, Match
from games.services import matches
from games.services.matches import TeamPlan
from tests.rules.lanterns.game import CARDS

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@dataclass
class World:
    """Everybody and everything that a test of a match needs."""

    teacher: TeacherActor
    lesson: Lesson
    students: list[Student]
    devices: dict[str, str]  # student id: the secret in that browser's session
    versions: dict[str, int]

    def actor(self, student: Student) -> StudentActor:
        """The student as seen from the browser that holds the name."""
        key = fingerprint(self.devices[str(student.pk)])
        return StudentActor(student, self.lesson.classroom, key)

    def match(self, *teams: list[Student], **settings: Any) -> Match:
        """A match in the lobby; without teams the students are dealt out in turn."""
        if not teams:
            teams = (self.students[0::2], self.students[1::2])
        plans = [TeamPlan(students=tuple(str(student.pk) for student in team)) for team in teams]
        return matches.create_match(
            **{
                "lesson_id": self.lesson.pk,
                "actor": self.teacher,
                "game": "lanterns",
                "versions": self.versions,
                "teams": plans,
                **settings,
            }
        )

    def started(self, *teams: list[Student], **settings: Any) -> Match:
        """A match that is being played."""
        match = self.match(*teams, **settings)
        matches.start_match(match_id=match.pk, actor=self.teacher)
        match.refresh_from_db()
        return match

    def student_session(self, student: Student) -> str:
        """The session cookie of the browser that holds the student's name."""
        session = SessionStore()
        session[DEVICE] = self.devices[str(student.pk)]
        session[SEATS] = {str(self.lesson.classroom_id): [str(student.pk), str(student.proof)]}
        session.create()
        return str(session.session_key)

    def teacher_session(self, teacher: Teacher | None = None) -> str:
        """The session cookie of a teacher who is logged in."""
        user = teacher or self.teacher.teacher
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = BACKEND
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        return str(session.session_key)


def make_world(students: int = 4) -> World:
    """A teacher, an open lesson, students who have joined, and a deck of Lanterns."""
    teacher = Teacher.objects.create_user(f"{uuid4()}@school.example", "secret", name="Ms Grey")
    classroom = Classroom.objects.create(name="7b", owner=teacher, code=uuid4().hex[:12])
    lesson = Lesson.objects.create(classroom=classroom, activity="lanterns", state="open")
    names = ["Ana", "Ben", "Caro", "Dia", "Eli", "Fay", "Gil", "Hua"]
    everybody = [
        Student.objects.create(classroom=classroom, name=names[place]) for place in range(students)
    ]
    world = World(
        teacher=TeacherActor(teacher),
        lesson=lesson,
        students=everybody,
        devices={},
        versions={},
    )
    for student in everybody:
        arrive(world, student)
    deck = Deck.objects.create(
        game="lanterns", kind="cards", title="Cards", language="en", owner=teacher
    )
    version = DeckVersion.objects.create(deck=deck, number=1, content=CARDS)
    world.versions["cards"] = version.pk
    return world


def arrive(world: World, student: Student) -> None:
    """The student joins the lesson with a browser of their own."""
    secret = uuid4().hex
    attendance = Attendance.objects.create(lesson=world.lesson, student=student)
    Device.objects.create(
        attendance=attendance,
        key=fingerprint(secret),
        state=Device.State.IN,
        how=Device.How.FIRST,
    )
    world.devices[str(student.pk)] = secret
