"""The world of the matrix, and an activity that lessons can hold."""

from __future__ import annotations

import pytest

from classroom import activities
from tests.classroom.conftest import Lanterns
from tests.permissions.world import World, build


@pytest.fixture
def world(db, monkeypatch) -> World:
    """Two schools; lessons hold a small activity."""
    monkeypatch.setitem(activities._registered, Lanterns.key, Lanterns())
    return build()
