"""A teacher who brings in files, and a folder of the test for their bytes."""

from __future__ import annotations

import pytest

from classroom.access import TeacherActor
from tests.factories import people


@pytest.fixture
def actor():
    return TeacherActor(people.teacher())


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
