"""Votes of a team over sockets: silent, open, split, and when somebody leaves."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import deciding
from games.live import looks
from games.live.hub import Hub
from games.live.rooms import Room
from games.models import Match
from tests.games.live.sockets import Browser, browser
from tests.games.world import World

sync = sync_to_async


async def _open(world: World, match: Match, place: int) -> Any:
    session = await sync(world.student_session)(world.students[place])
    return browser(f"/ws/match/{match.pk}/", session)


async def _vote(player: Browser, card: int) -> dict[str, Any]:
    assert player.board is not None
    decision = player.board["decision"]
    return await player.ask(
        "vote", decision=decision["decision"], move=decision["moves"][card]["move"]
    )


async def test_open_vote_is_shown_to_the_own_team_and_to_nobody_else(
    live_world: World, hub: Hub
) -> None:
    world = live_world
    match = await sync(world.started)()
    ana_id, caro_id = (str(world.students[place].pk) for place in (0, 2))
    async with (
        await _open(world, match, 0) as ana,
        await _open(world, match, 2) as caro,
        await _open(world, match, 1) as ben,
    ):
        for player in (ana, caro, ben):
            await player.hear("observation")
        answer = await _vote(ana, 0)
        shown = await caro.hear("votes", voted=[ana_id])
        await ben.say(type="ping")
        await ben.hear("pong")

    assert (answer["type"], answer["version"]) == ("accepted", 1)
    assert (shown["stage"], shown["waiting"], shown["own"]) == ("open", [caro_id], None)
    assert [option["voters"] for option in shown["options"]] == [[ana_id]]
    assert [m for m in ben.got if m["type"] == "votes" and m["voted"]] == []


@pytest.mark.parametrize(("silent_first", "looks"), [("never", False), ("always", True)])
async def test_only_the_end_of_a_silent_stage_is_work_for_the_writer(
    live_world: World,
    hub: Hub,
    monkeypatch: pytest.MonkeyPatch,
    silent_first: str,
    looks: bool,
) -> None:
    settled: list[int] = []
    settle = hub._settle

    def counted(room: Room, seat: int) -> None:
        settled.append(seat)
        settle(room, seat)

    monkeypatch.setattr(hub, "_settle", counted)
    monkeypatch.setattr(deciding, "SILENT_S", 0.1)
    world = live_world
    match = await sync(world.started)(silent_first=silent_first)
    async with await _open(world, match, 0) as ana, await _open(world, match, 2) as caro:
        for player in (ana, caro):
            await player.hear("observation")
        await caro.hear("votes", stage="open")
        await _vote(ana, 0)
        await caro.hear("votes", voted=[str(world.students[0].pk)])

    assert (settled != []) is looks


async def test_silent_vote_shows_who_has_voted_but_not_for_what(
    live_world: World, hub: Hub
) -> None:
    world = live_world
    match = await sync(world.started)(silent_first="always")
    async with await _open(world, match, 0) as ana, await _open(world, match, 2) as caro:
        for player in (ana, caro):
            await player.hear("observation")
            await player.hear("votes")
        await _vote(ana, 0)
        told = await caro.hear("votes")
        while not told["voted"]:
            told = await caro.hear("votes")
        await _vote(caro, 1)
        opened = await ana.hear("votes", stage="open")

    assert (told["stage"], told["options"], told["own"]) == ("silent", [], None)
    assert len(told["voted"]) == 1
    assert len(opened["options"]) == 2


async def test_split_team_reads_that_it_is_split_and_agrees_in_the_end(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "SPLIT_TEAM_S", 0.3)
    monkeypatch.setattr(deciding, "SPLIT_DESK_S", 0.6)
    world = live_world
    match = await sync(world.started)()
    teacher = await sync(world.teacher_session)()
    async with (
        await _open(world, match, 0) as ana,
        await _open(world, match, 2) as caro,
        browser(f"/ws/lesson/{world.lesson.pk}/", teacher) as desk,
    ):
        for player in (ana, caro):
            await player.hear("observation")
        await _vote(ana, 0)
        await _vote(caro, 1)
        told = await ana.hear("votes")
        while not told["split"]:
            told = await ana.hear("votes")
        row = await desk.hear("row")
        while not row["split"]:
            row = await desk.hear("row")
        await _vote(caro, 0)
        await ana.hear("observation", version=2)

    assert told["split"] == ("You are split 1–1. Each side gives one reason, then vote again.")
    assert row["split"] == [{"seat": 0, "decision": 1, "text": told["split"]}]
    record = await match.records.aget(version=2)
    assert (record.kind, record.seat) == ("move", 0)


async def test_vote_is_settled_when_the_other_side_goes_home(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (deciding, looks):
        monkeypatch.setattr(module, "PRESENT_S", 1.0)
    world = live_world
    match = await sync(world.started)()
    async with await _open(world, match, 0) as ana:
        async with await _open(world, match, 2) as caro:
            for player in (ana, caro):
                await player.hear("observation")
            await _vote(ana, 0)
            await _vote(caro, 1)

        async def stay() -> None:
            while True:
                await ana.say(type="ping")
                await asyncio.sleep(0.3)

        staying = asyncio.create_task(stay())
        await ana.hear("observation", version=2, timeout_s=4)
        staying.cancel()

    record = await match.records.select_related("student").aget(version=2)
    assert record.seat == 0


async def test_votes_survive_the_process(live_world: World, hub: Hub) -> None:
    world = live_world
    match = await sync(world.started)()
    async with await _open(world, match, 0) as ana, await _open(world, match, 2) as caro:
        for player in (ana, caro):
            await player.hear("observation")
        await _vote(ana, 1)
    await asyncio.sleep(0.1)
    assert hub.rooms == {}

    async with await _open(world, match, 2) as caro, await _open(world, match, 0) as ana:
        told = await ana.hear("votes")
        while told["own"] is None:
            told = await ana.hear("votes")

    assert ana.board is not None
    assert told["own"] == ana.board["decision"]["moves"][1]["move"]
