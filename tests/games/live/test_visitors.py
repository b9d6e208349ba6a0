"""Whether those who were let in are still welcome, asked for all of them at once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings

from classroom import access
from classroom.access import PublicScreen, TeacherActor
from classroom.models import CoTeacher, Device, Student, Teacher
from classroom.services.joining import make_test_student
from games.live.visitors import (
    Held,
    Query,
    Visitor,
    handshake,
    kept,
    still_welcome,
    visitor_of_lesson,
    visitor_of_match,
)
from games.models import Match
from games.services.frames import You
from tests.factories import people
from tests.games.world import World


def _visitors(world: World) -> list[Visitor]:
    lesson = str(world.lesson.pk)
    students = [
        Visitor(
            you=You(role="member", student=str(student.pk)),
            actor=kept(world.actor(student)),
            session=world.student_session(student),
            language="en",
            lesson=lesson,
        )
        for student in world.students
    ]
    teacher = Visitor(
        you=You(role="teacher"),
        actor=world.teacher,
        session=world.teacher_session(),
        language="en",
        lesson=lesson,
    )
    screen = Visitor(
        you=You(role="screen"),
        actor=PublicScreen(world.lesson),
        session="",
        language="en",
        lesson=lesson,
    )
    return [screen, teacher, *students]


@pytest.mark.parametrize("number", [3, 6])
def test_all_are_asked_for_in_the_same_few_queries(
    world: World, django_assert_max_num_queries: Any, number: int
) -> None:
    visitors = _visitors(world)[:number]

    with django_assert_max_num_queries(6):
        welcome = still_welcome(visitors)

    assert welcome == [True] * number


@pytest.mark.case("AZ-18")
def test_who_lost_name_session_or_device_is_welcome_no_more(world: World) -> None:
    screen, teacher, ana, ben, caro, dia = _visitors(world)
    world.students[0].attendance.update(kicked_at="2026-01-01T00:00Z")
    Student.objects.filter(pk=world.students[1].pk).update(proof=uuid4())
    Device.objects.filter(attendance__student=world.students[2]).delete()
    Teacher.objects.update(is_active=False)

    welcome = still_welcome([screen, teacher, ana, ben, caro, dia])

    assert welcome == [True, False, False, False, False, True]


@pytest.mark.case("AZ-20")
def test_test_student_goes_with_the_rights_of_its_teacher(world: World) -> None:
    colleague = people.co_teacher(world.lesson.classroom)
    student = make_test_student(actor=world.teacher, lesson_id=world.lesson.pk, name="Test")
    visitor = Visitor(
        you=You(role="member", student=str(student.pk)),
        actor=Held(student.pk, student.proof, access.test_device(student)),
        session=world.teacher_session(colleague),
        language="en",
        lesson=str(world.lesson.pk),
        teacher=TeacherActor(colleague),
    )
    assert still_welcome([visitor]) == [True]

    CoTeacher.objects.all().delete()

    assert still_welcome([visitor]) == [False]


@pytest.mark.case("AZ-20")
def test_socket_of_a_test_student_names_its_teacher(world: World) -> None:
    student = make_test_student(actor=world.teacher, lesson_id=world.lesson.pk, name="Test")
    request = handshake({"headers": [(b"cookie", _cookie(world.teacher_session()))]})

    visitor = visitor_of_lesson(
        request, str(world.lesson.pk), query=Query(playing=True, as_student=str(student.pk))
    )

    assert visitor.actor == Held(student.pk, student.proof, access.test_device(student))
    assert visitor.teacher == world.teacher


def test_student_waits_for_the_newest_match_that_is_not_over(
    world: World, django_assert_num_queries: Any
) -> None:
    """Session, lesson, student, seat, match: hundreds come at once when a bell rings."""
    ana, ben, *_others = world.students
    over, open_one, newest = (world.started([ana], [ben]) for _ in range(3))
    Match.objects.filter(pk__in=[over.pk, newest.pk]).update(status=Match.Status.ENDED)
    scope = {"headers": [(b"cookie", _cookie(world.student_session(ana)))]}
    asked = Query(playing=True)

    with django_assert_num_queries(5):
        visitor = visitor_of_lesson(handshake(scope), str(world.lesson.pk), query=asked)
    Match.objects.update(status=Match.Status.ENDED)
    later = visitor_of_lesson(handshake(scope), str(world.lesson.pk), query=asked)

    assert visitor.matches == (str(open_one.pk),)
    assert later.matches == (str(newest.pk),)


def test_socket_of_a_match_asks_the_database_little(
    world: World, django_assert_num_queries: Any
) -> None:
    """Session, match, student, seat, seat in the match."""
    ana, ben, *_others = world.students
    match = world.started([ana], [ben])
    scope = {"headers": [(b"cookie", _cookie(world.student_session(ben)))]}

    with django_assert_num_queries(5):
        visitor = visitor_of_match(handshake(scope), str(match.pk), query=Query(playing=True))

    assert (visitor.you.student, visitor.you.seat) == (str(ben.pk), 1)


def _cookie(session: str) -> bytes:
    return f"{settings.SESSION_COOKIE_NAME}={session}".encode()
