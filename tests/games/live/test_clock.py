"""What happens by itself: bots, limits, pauses of the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.live import clock, rounds
from games.live.hub import Hub
from games.models import Match
from games.selectors import positions
from games.services import chances, matches, steady
from games.services.matches import TeamPlan
from tests.games.live.sockets import browser
from tests.games.world import World

sync = sync_to_async


async def _ended(match: Match, within_s: float) -> Match:
    async with asyncio.timeout(within_s):
        while (stored := await Match.objects.aget(pk=match.pk)).status != "ended":
            await asyncio.sleep(0.1)
    return stored


async def test_bots_play_a_match_to_its_end(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chances, "bot_delay_s", lambda: 0.02)
    monkeypatch.setattr(rounds, "EVERY_S", 0.05)
    bots = [TeamPlan(played_by="bot"), TeamPlan(played_by="bot", bot="random")]
    match = await sync(live_world.match)(teams=bots, options={"rounds": 2})
    await sync(matches.start_match)(match_id=match.pk, actor=live_world.teacher)

    stored = await _ended(match, 20)

    def kinds() -> set[str]:
        return set(match.records.values_list("kind", flat=True))

    assert await sync(kinds)() == {"setup", "bot"}
    states = await sync(positions.replayed)(stored)
    assert states[-1] == (await sync(positions.load)(match.pk)).state


async def test_limit_of_a_decision_plays_the_default_in_time(
    live_world: World, hub: Hub, pass_time: Callable[[float], None]
) -> None:
    match = await sync(live_world.started)(decision_limit_s=30)
    session = await sync(live_world.student_session)(live_world.students[0])
    async with browser(f"/ws/match/{match.pk}/", session) as ana:
        board = await ana.hear("observation")
        pass_time(29)
        later = await ana.hear("observation")
    record = await match.records.aget(version=2)

    assert 0 < board["decision"]["deadline_ms"] <= 30_000
    assert later["version"] >= 2
    assert record.kind == "timeout"
    assert (record.at - match.started_at).total_seconds() > 29.9


async def test_nothing_is_due_in_a_match_that_is_paused(
    live_world: World, hub: Hub, pass_time: Callable[[float], None]
) -> None:
    match = await sync(live_world.started)(decision_limit_s=30)
    await sync(matches.pause_match)(match_id=match.pk, actor=live_world.teacher)

    pass_time(60)

    assert await hub.reader.ask(clock.due, steady.now()) == []
    stored = await Match.objects.aget(pk=match.pk)
    assert (stored.version, stored.due_at) == (2, None)


async def test_window_of_the_rules_runs_without_any_limit(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.rules.lanterns.game.CONTEST_S", 1)
    match = await sync(live_world.started)(live_world.students[:1], live_world.students[1:2])
    for seat in (0, 1):
        await sync(matches.decide_for)(
            match_id=match.pk, actor=live_world.teacher, seat=seat, decision=1
        )

    async with asyncio.timeout(20):
        while (stored := await Match.objects.aget(pk=match.pk)).version < 4:
            await asyncio.sleep(0.1)

    record: Any = await match.records.aget(version=4)
    assert (record.kind, record.data) == ("timeout", '{"type":"accept"}')
    assert stored.due_at is None
