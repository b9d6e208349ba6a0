"""Time belongs to the server: whatever the clocks of computer and browsers say."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games.live import runtime
from games.live.hub import Hub
from games.models import Match
from games.services.play import deadlines
from tests.games.live.sockets import Browser, browser
from tests.games.world import World

sync = sync_to_async

CLOCKS = {"deadline_ms", "since_ms", "due_in_ms", "server_time"}


async def _duel(world: World, **how: Any) -> tuple[Match, str]:
    match: Match = await sync(world.started)(world.students[:1], world.students[1:2], **how)
    return match, await sync(world.student_session)(world.students[0])


async def _until_version(match: Match, version: int) -> None:
    async with asyncio.timeout(60):
        while (await Match.objects.aget(pk=match.pk)).version < version:
            await asyncio.sleep(0.05)


@pytest.mark.case("CK-01")
@pytest.mark.parametrize("jump_s", [3600, -3600])
async def test_clock_set_by_an_hour_neither_ends_a_turn_nor_holds_it_up(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch, jump_s: int
) -> None:
    match, session = await _duel(live_world, decision_limit_s=3)
    wall = time.time
    async with browser(f"/ws/match/{match.pk}/", session) as ana:
        await ana.hear("observation")

        monkeypatch.setattr(time, "time", lambda: wall() + jump_s)
        await _until_version(match, 2)
    record = await match.records.aget(version=2)

    assert 2.9 < (record.at - match.started_at).total_seconds() < 90


@pytest.mark.case("CK-02")
async def test_restart_during_a_turn_keeps_its_end_and_adds_the_grace(
    live_world: World, monkeypatch: pytest.MonkeyPatch, pass_time: Callable[[float], None]
) -> None:
    monkeypatch.setattr(deadlines, "RESTART_GRACE_S", 2)
    match, session = await _duel(live_world, decision_limit_s=30)
    boards = []
    for _run in range(2):
        async with runtime.running():
            async with browser(f"/ws/match/{match.pk}/", session) as ana:
                boards.append(await ana.hear("observation"))
                await asyncio.sleep(0.4)
            if len(boards) == 2:
                pass_time(29)
                await _until_version(match, 2)
    record = await match.records.aget(version=2)
    before, after = (board["decision"]["deadline_ms"] for board in boards)

    assert after <= before - 400
    assert record.kind == "timeout"
    assert (record.at - match.started_at).total_seconds() > 31.9


def _clocks(value: Any) -> list[tuple[str, float]]:
    match value:
        case dict():
            own = [(key, at) for key, at in value.items() if key in CLOCKS and at is not None]
            return own + [pair for inner in value.values() for pair in _clocks(inner)]
        case list():
            return [pair for inner in value for pair in _clocks(inner)]
        case _:
            return []


@pytest.mark.case("CK-03")
async def test_browsers_are_told_how_long_and_never_until_when(live_world: World, hub: Hub) -> None:
    match, session = await _duel(live_world, decision_limit_s=30)
    async with browser(f"/ws/match/{match.pk}/", session) as ana:
        await ana.hear("presence")
    told = [pair for frame in ana.got if frame["type"] != "hello" for pair in _clocks(frame)]

    assert ("deadline_ms") in {key for key, _at in told}
    assert all(0 <= at <= 30_000 for _key, at in told)


@pytest.mark.case("WS-23", "CK-03")
@pytest.mark.parametrize("field", ["at", "time", "lag_ms", "sent_at"])
async def test_message_that_tells_the_time_is_refused(
    live_world: World, hub: Hub, field: str
) -> None:
    match, session = await _duel(live_world)
    async with browser(f"/ws/match/{match.pk}/", session) as ana:
        decision = (await ana.hear("observation"))["decision"]
        move = decision["moves"][0]["move"]
        answer = await ana.ask(
            "vote", decision=decision["decision"], move=move, **{field: time.time() - 60}
        )
    stored = await Match.objects.aget(pk=match.pk)

    assert (answer["type"], answer["code"]) == ("refused", "bad_message")
    assert stored.version == 1


@pytest.mark.case("WS-23", "CC-03")
async def test_answer_after_the_end_is_late_whenever_it_was_sent(
    live_world: World, hub: Hub, pass_time: Callable[[float], None]
) -> None:
    match, session = await _duel(live_world, decision_limit_s=30)
    async with browser(f"/ws/match/{match.pk}/", session) as ana:
        late: Browser = ana
        decision = (await ana.hear("observation"))["decision"]
        pass_time(31)
        await _until_version(match, 2)
        move = decision["moves"][0]["move"]
        answers = [
            await late.ask("vote", decision=decision["decision"], move=move) for _time in range(2)
        ]
    kinds = await sync(list)(match.records.filter(seat=0).values_list("kind", flat=True))

    assert [answer["code"] for answer in answers] == ["stale", "stale"]
    assert kinds == ["timeout"]
