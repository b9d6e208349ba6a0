"""Lanterns in the catalogue, and a class that plays it."""

from __future__ import annotations

import pytest

from games import catalog
from tests.games.world import World, make_world
from tests.rules.lanterns.game import LANTERNS


@pytest.fixture
def lanterns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test game, playable like any other."""
    monkeypatch.setitem(catalog.GAMES, "lanterns", LANTERNS)


@pytest.fixture
def world(lanterns: None, db: None) -> World:
    """A lesson with four students who have joined."""
    return make_world()


@pytest.fixture
def live_world(lanterns: None, transactional_db: None) -> World:
    """The same where threads of their own read and write."""
    return make_world()
