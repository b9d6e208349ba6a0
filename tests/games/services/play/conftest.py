"""Matches of Lanterns that have just begun."""

from __future__ import annotations

import pytest

from games.position import Position
from games.selectors import positions
from tests.games.world import World


@pytest.fixture
def duel(world: World) -> Position:
    """Two teams of one; each may lay a card."""
    match = world.started(world.students[:1], world.students[1:2])
    return positions.load(match.pk)


@pytest.fixture
def quartet(world: World) -> Position:
    """Two teams of two."""
    return positions.load(world.started().pk)
