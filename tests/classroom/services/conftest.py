from __future__ import annotations

import pytest

from classroom.access import TeacherActor
from tests.factories import people


@pytest.fixture
def administrator():
    return TeacherActor(people.teacher(is_staff=True))


@pytest.fixture
def classroom():
    return people.classroom(names=("Amina", "Bilal"))


@pytest.fixture
def owner(classroom):
    return TeacherActor(classroom.owner)
