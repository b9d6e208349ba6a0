"""Votes of a team over sockets: silent, open, split, and when somebody leaves."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from classroom.services import attendance
from games import deciding
from games.live import looks, rooms, watch
from games.live.hub import Hub
from games.live.rooms import Room
from games.live.writer import Task
from games.models import Match
from games.selectors import positions
from games.services import steady
from games.services.play import Accepted, Submission
from tests.faults.processes import Process
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


async def test_student_alone_in_a_team_is_told_of_no_vote(live_world: World, hub: Hub) -> None:
    world = live_world
    match = await sync(world.started)(world.students[:1], world.students[1:2])
    async with await _open(world, match, 0) as ana:
        await ana.hear("observation")
        await ana.say(type="ping")
        await ana.hear("pong")
        answer = await _vote(ana, 0)

    assert answer["type"] == "accepted"
    assert "votes" not in [frame["type"] for frame in ana.got]


async def test_student_who_is_left_alone_is_told_how_the_vote_stands(
    live_world: World, hub: Hub
) -> None:
    world = live_world
    match = await sync(world.started)()
    async with await _open(world, match, 0) as ana, await _open(world, match, 2):
        await ana.hear("votes", needed=2, members=2)
        await sync(attendance.kick_student)(
            lesson_id=match.lesson_id, student_id=world.students[2].pk, actor=world.teacher
        )

        await ana.hear("votes", needed=1, members=1)


async def test_who_is_still_on_the_way_is_among_those_who_must_agree(
    live_world: World, hub: Hub
) -> None:
    match = await sync(live_world.started)()
    async with await _open(live_world, match, 0) as ana:
        await ana.hear("votes", needed=2, members=2)


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
        await ana.hear("observation", version=2)
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
    await _nobody_there(hub)

    async with await _open(world, match, 2) as caro, await _open(world, match, 0) as ana:
        told = await ana.hear("votes")
        while told["own"] is None:
            told = await ana.hear("votes")

    assert ana.board is not None
    assert told["own"] == ana.board["decision"]["moves"][1]["move"]


async def _nobody_there(hub: Hub) -> None:
    async with asyncio.timeout(20):
        while hub.rooms:
            await asyncio.sleep(0.01)


async def _split_and_away(world: World, hub: Hub) -> Match:
    """A match whose first team is split, and of which nobody is connected any more."""
    match = await sync(world.started)()
    async with await _open(world, match, 0) as ana, await _open(world, match, 2) as caro:
        for place, player in enumerate((ana, caro)):
            await player.hear("observation")
            await _vote(player, place)
    await _nobody_there(hub)
    return match


async def test_who_comes_back_first_does_not_decide_alone(live_world: World, hub: Hub) -> None:
    match = await _split_and_away(live_world, hub)

    async with await _open(live_world, match, 0) as ana:
        await ana.hear("votes")
        await asyncio.sleep(0.5)
        async with await _open(live_world, match, 2) as caro:
            await caro.hear("votes")
            await asyncio.sleep(0.5)

    assert not await match.records.filter(version=2).aexists()


async def test_the_others_are_not_waited_for_long(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await _split_and_away(live_world, hub)
    monkeypatch.setattr(rooms, "BACK_S", 0.5)

    async with await _open(live_world, match, 0) as ana:
        await ana.hear("observation", version=2)

    assert (await match.records.aget(version=2)).seat == 0


async def test_vote_that_another_process_took_is_shown_without_its_hint(
    live_world: World, hub: Hub, settings: Any
) -> None:
    settings.REDIS_URL = "redis://localhost/"
    world = live_world
    match = await sync(world.started)(silent_first="never")
    ana_id = str(world.students[0].pk)
    async with await _open(world, match, 0) as ana, await _open(world, match, 2) as caro:
        for player in (ana, caro):  # both are here, only the vote comes another way
            await player.hear("observation")
        position = await sync(positions.load)(match.pk)
        cards = position.state.hands[0]
        others = Process(lambda _match: dict.fromkeys(map(str, world.devices), steady.now()))

        for card in (0, 1):
            vote = Submission(
                decision=1,
                at=steady.now(),
                move={"type": "lay", "card": cards[card]},
                student=ana_id,
            )
            (answer,) = await sync(others.do)(match.pk, vote)
            assert isinstance(answer, Accepted)
            shown = await caro.hear("votes", voted=[ana_id])
            chosen = [option["move"]["card"] for option in shown["options"] if option["voters"]]
            assert chosen == [cards[card]]


async def test_poll_loads_nothing_anew_while_votes_are_as_they_were(
    live_world: World, hub: Hub, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = "redis://localhost/"
    world = live_world
    match = await sync(world.started)(silent_first="never")
    async with await _open(world, match, 0) as ana, await _open(world, match, 2) as caro:
        for player in (ana, caro):
            await player.hear("observation")
        await _vote(ana, 0)
        await caro.hear("votes", voted=[str(world.students[0].pk)])
        put: list[Task] = []
        monkeypatch.setattr(hub, "put", lambda _match, task: put.append(task))

        await watch.look(hub)

    assert put == []
