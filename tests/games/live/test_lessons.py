"""The socket of a lesson: waiting pages, the desk, the projector."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from classroom.models import Student
from games.live.hub import Hub
from games.models import Match
from games.selectors.screens import screen_token
from games.services import log, matches
from tests.games.live.sockets import browser
from tests.games.world import World, arrive

sync = sync_to_async


def _path(world: World, query: str = "") -> str:
    return f"/ws/lesson/{world.lesson.pk}/{query}"


async def _desk(world: World) -> str:
    return str(await sync(world.teacher_session)())


async def _waiting(world: World, place: int) -> str:
    return str(await sync(world.student_session)(world.students[place]))


async def test_waiting_page_hears_when_its_match_starts(live_world: World, hub: Hub) -> None:
    world = live_world
    match: Match = await sync(world.match)(world.students[:1], world.students[1:2])
    async with (
        browser(_path(world, "?waiting=1"), await _waiting(world, 0)) as ana,
        browser(_path(world, "?waiting=1"), await _waiting(world, 3)) as dia,
    ):
        hello = await ana.hear("hello")
        await sync(matches.start_match)(match_id=match.pk, actor=world.teacher)
        started = await ana.hear("started")
        await asyncio.sleep(0.2)
        await dia.say(type="ping")
        await dia.hear("pong")

    assert (hello["you"]["role"], hello["you"]["name"]) == ("member", "Ana")
    assert started == {
        "type": "started",
        "match": str(match.pk),
        "address": f"/matches/{match.pk}/play/",
    }
    assert [m for m in dia.got if m["type"] == "started"] == []


async def test_who_comes_late_to_the_waiting_page_is_sent_on_at_once(
    live_world: World, hub: Hub
) -> None:
    match = await sync(live_world.started)()

    async with browser(_path(live_world, "?waiting=1"), await _waiting(live_world, 0)) as ana:
        started = await ana.hear("started")

    assert started["match"] == str(match.pk)


@pytest.mark.case("CF-11")
async def test_desk_hears_when_moves_cannot_be_saved(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = live_world
    match = await sync(world.started)(world.students[:1], world.students[1:2])
    async with (
        browser(_path(world), await _desk(world)) as desk,
        browser(f"/ws/match/{match.pk}/", await _waiting(world, 0)) as ana,
    ):
        decision = (await ana.hear("observation"))["decision"]
        with monkeypatch.context() as broken:
            broken.setattr(log, "write", _full)
            refused = await ana.ask("vote", decision=1, move=decision["moves"][0]["move"])
        called = await desk.hear("notice")
        await ana.ask("vote", decision=1, move=decision["moves"][0]["move"])
        row = await desk.hear("row", version=2)  # which takes it back

    assert refused["code"] == "busy"
    assert (called["code"], called["match"], called["seat"]) == ("busy", str(match.pk), None)
    assert called["text"].startswith("Moves cannot be saved just now; none is lost")
    assert row["status"] == "playing"
    assert [message for message in ana.got if message["type"] == "notice"] == []


def _full(_changes: object) -> None:
    raise OperationalError("database or disk is full")


async def test_desk_has_a_row_for_each_match_and_sees_it_move(live_world: World, hub: Hub) -> None:
    world = live_world
    match = await sync(world.started)(world.students[:1], world.students[1:2])
    async with (
        browser(_path(world), await _desk(world)) as desk,
        browser(f"/ws/match/{match.pk}/", await _waiting(world, 0)) as ana,
    ):
        first = await desk.hear("row")
        decision = (await ana.hear("observation"))["decision"]
        await ana.ask("vote", decision=1, move=decision["moves"][0]["move"])
        row = await desk.hear("row", version=2)

    assert (first["number"], first["status"], first["version"]) == (1, "playing", 1)
    assert [wait["text"] for wait in row["waiting"]] == ["Dawn chooses a card."]
    assert row["standing"][0][1] == {
        "symbol": "oil",
        "value": 10,
        "out_of": None,
        "label": "Oil",
    }
    assert row["teams"][0]["members"] == [
        {"id": str(world.students[0].pk), "name": "Ana", "light": "here"}
    ]
    assert row["teams"][1]["members"][0]["light"] == "gone"


async def test_desk_hears_of_a_match_that_is_made_later(live_world: World, hub: Hub) -> None:
    async with browser(_path(live_world), await _desk(live_world)) as desk:
        await desk.hear("hello")
        await sync(live_world.match)()
        row = await desk.hear("row")

    assert (row["number"], row["status"]) == (1, "lobby")


async def test_desk_sees_who_is_in_the_lesson(live_world: World, hub: Hub) -> None:
    world = live_world

    def zoe() -> None:
        arrive(world, Student.objects.create(classroom=world.lesson.classroom, name="Zoe"))

    async with (
        browser(_path(world), await _desk(world)) as desk,
        browser(_path(world, "?waiting=1"), await _waiting(world, 0)),
    ):
        await desk.hear("roster")
        roster = await desk.hear("roster")
        await sync(zoe)()
        later = await desk.hear("roster")

    assert [(s["name"], s["light"]) for s in roster["students"]] == [
        ("Ana", "here"),
        ("Ben", "gone"),
        ("Caro", "gone"),
        ("Dia", "gone"),
    ]
    assert [s["name"] for s in later["students"]][-1] == "Zoe"


async def test_waiting_page_knows_whether_the_teacher_looks(live_world: World, hub: Hub) -> None:
    async with browser(_path(live_world, "?waiting=1"), await _waiting(live_world, 0)) as ana:
        alone = await ana.hear("teacher")
        async with browser(_path(live_world), await _desk(live_world)):
            together = await ana.hear("teacher")
        again = await ana.hear("teacher")

    assert [alone["here"], together["here"], again["here"]] == [False, True, False]


async def test_students_and_projector_get_no_roster(live_world: World, hub: Hub) -> None:
    screen = screen_token(live_world.lesson)
    await sync(live_world.started)()
    async with (
        browser(_path(live_world, "?waiting=1"), await _waiting(live_world, 0)) as ana,
        browser(_path(live_world, f"?screen={screen}"), "") as projector,
        browser(_path(live_world), await _desk(live_world)) as desk,
    ):
        await desk.hear("roster")
        await desk.hear("roster")
        for page in (ana, projector):
            await page.say(type="ping")
            await page.hear("pong")

    assert "roster" not in {m["type"] for m in [*ana.got, *projector.got]}
    assert "row" in {m["type"] for m in projector.got}
    assert "row" not in {m["type"] for m in ana.got}


@pytest.mark.case("WS-17")
@pytest.mark.parametrize("kind", ["move", "vote"])
async def test_nothing_is_played_on_the_socket_of_a_lesson(
    live_world: World, hub: Hub, kind: str
) -> None:
    await sync(live_world.started)()
    async with browser(_path(live_world, "?waiting=1"), await _waiting(live_world, 0)) as ana:
        answer: dict[str, Any] = await ana.ask(kind, decision=1, move={"type": "accept"})

    assert answer["code"] == "not_allowed"


@pytest.mark.rule("COR-QA-10")
async def test_question_that_is_not_understood_stops_the_clock_and_calls_the_teacher(
    live_world: World, hub: Hub
) -> None:
    world = live_world
    match = await sync(world.started)(world.students[:1], world.students[1:2])
    async with (
        browser(_path(world), await _desk(world)) as desk,
        browser(f"/ws/match/{match.pk}/", await _waiting(world, 0)) as ana,
        browser(f"/ws/match/{match.pk}/", await _waiting(world, 1)) as ben,
    ):
        for player in (ana, ben):
            decision = (await player.hear("observation"))["decision"]
            await player.ask("vote", decision=1, move=decision["moves"][0]["move"])
        for player in (ana, ben):
            while player.board is None or player.board["version"] < 3:
                await player.next()
        boards = {player: player.board["decision"] for player in (ana, ben) if player.board}
        asked, question = next((p, d) for p, d in boards.items() if d["knowledge"])

        answer = await asked.ask("explain", decision=question["decision"])
        # Who asked may hear of the pause before the answer, and would have read over it.
        paused = await (ben if asked is ana else ana).hear("paused")
        notice = await desk.hear("notice")
        async with browser(_path(world), await _desk(world)) as later:
            again = await later.hear("notice")

    assert answer["type"] == "accepted"
    assert again == notice
    assert (paused["why"], paused["seat"]) == ("explain", question["seat"])
    team = ["Dusk", "Dawn"][question["seat"]]
    assert notice["text"] == f"{team} asks you to explain the question. The match is paused."


async def test_the_log_marks_who_played_at_the_time(live_world: World, hub: Hub) -> None:
    world = live_world
    match = await sync(world.started)(world.students[:1], world.students[1:2])
    teacher = world.teacher
    await sync(matches.decide_for)(match_id=match.pk, actor=teacher, seat=0, decision=1)
    await sync(matches.step_in)(match_id=match.pk, actor=teacher, seat=0, played_by="bot")
    async with browser(f"/ws/match/{match.pk}/", await _waiting(world, 1)) as ben:
        events = (await ben.hear("observation"))["events"]

    by = {(event["version"], event["seat"]): event["by"] for event in events}
    assert by[2, 0] == "teacher"
    assert {said for (version, _seat), said in by.items() if version == 1} == {None}
