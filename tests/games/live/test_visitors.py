"""Whether those who were let in are still welcome, asked for all of them at once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from classroom.access import PublicScreen
from classroom.models import Device, Student, Teacher
from games.live.visitors import Visitor, still_welcome
from games.services.frames import You
from tests.games.world import World


def _visitors(world: World) -> list[Visitor]:
    lesson = str(world.lesson.pk)
    students = [
        Visitor(
            you=You(role="member", student=str(student.pk)),
            actor=world.actor(student),
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

    assert welcome == set(visitors)


@pytest.mark.case("AZ-18")
def test_who_lost_name_session_or_device_is_welcome_no_more(world: World) -> None:
    screen, teacher, ana, ben, caro, dia = _visitors(world)
    world.students[0].attendance.update(kicked_at="2026-01-01T00:00Z")
    Student.objects.filter(pk=world.students[1].pk).update(proof=uuid4())
    Device.objects.filter(attendance__student=world.students[2]).delete()
    Teacher.objects.update(is_active=False)

    assert still_welcome([screen, teacher, ana, ben, caro, dia]) == {screen, dia}
