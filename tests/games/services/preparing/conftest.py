from __future__ import annotations

import pytest
from django.core.management import call_command

from classroom.access import TeacherActor
from classroom.models import Lesson, Teacher
from tests.games.services.preparing.classes import new_lesson


@pytest.fixture(autouse=True)
def starters():
    call_command("load_starters")


@pytest.fixture
def teacher() -> TeacherActor:
    return TeacherActor(Teacher.objects.create_user("t@school.example", name="T"))


@pytest.fixture
def lesson(teacher) -> Lesson:
    return new_lesson(teacher, "7c")
