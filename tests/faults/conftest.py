"""A match with canaries in its questions, and the live part that serves it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from classroom import transactions
from games.live import current, heartbeat, limits, runtime
from games.live.hub import Hub
from games.models import Deck, DeckVersion
from games.services.decks import load_starters, starter_versions
from tests.faults.canaries import canary_content
from tests.games.world import World, make_world


@pytest.fixture
def conflicts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What PostgreSQL called the conflicts that reached the product."""
    met: list[str] = []
    judge = transactions.is_conflict

    def noted(error: Exception) -> bool:
        met.append(str(getattr(error.__cause__, "sqlstate", "")))
        return judge(error)  # type: ignore[arg-type]

    monkeypatch.setattr(transactions, "is_conflict", noted)
    return met


@pytest.fixture
def canary_world(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    """A lesson of two students whose deck of questions is full of canaries."""
    monkeypatch.setattr(limits, "A_SECOND", 10_000)  # bots do not have to think
    monkeypatch.setattr(limits, "BURST", 10_000)
    monkeypatch.setattr(heartbeat, "SILENT_S", 3_600)  # boards here only listen
    load_starters()
    world = make_world(2)
    versions = starter_versions("corruption", "one-lesson")
    deck = Deck.objects.create(
        game="corruption",
        kind="qa",
        title="Canaries",
        language="en",
        owner=world.teacher.teacher,
    )
    content = canary_content()["qa"]
    qa = DeckVersion.objects.create(deck=deck, number=1, content=content)
    world.versions = {kind: v.pk for kind, v in versions.items()} | {"qa": qa.pk}
    return world


@pytest_asyncio.fixture
async def hub(canary_world: World) -> AsyncIterator[Hub]:
    """Writer, hub, clock and poll, running."""
    async with runtime.running():
        yield current.hub()
