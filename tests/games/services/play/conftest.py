"""Matches of Lanterns that have just begun."""

from __future__ import annotations

import pytest

from games.position import Position
from games.services import log
from tests.games.world import World


@pytest.fixture
def duel(world: World) -> Position:
    """Two teams of one; each may lay a card."""
    match = world.started(world.students[:1], world.students[1:2])
    return log.load(match.pk)


@pytest.fixture
def quartet(world: World) -> Position:
    """Two teams of two."""
    return log.load(world.started().pk)
