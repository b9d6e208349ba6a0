"""The same frames over plain requests."""

from __future__ import annotations

import asyncio
import os
import signal
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import AsyncClient

from classroom.services import attendance
from games.live import limits, now as polls, runtime
from games.live.hub import Hub
from games.live.limits import Verdict
from games.models import Match
from games.services import matches
from tests.games.live.sockets import browser
from tests.games.world import World

sync = sync_to_async


async def _client(world: World, place: int) -> AsyncClient:
    client = AsyncClient()
    session = await sync(world.student_session)(world.students[place])
    client.cookies[settings.SESSION_COOKIE_NAME] = session
    return client


async def _duel(world: World) -> Match:
    match: Match = await sync(world.started)(world.students[:1], world.students[1:2])
    return match


def _path(match: Match) -> str:
    return f"/matches/{match.pk}/now/"


async def _until(client: AsyncClient, path: str, kind: str, after: int = 0) -> dict[str, Any]:
    for _time in range(10):
        for frame in (await client.get(path, {"after": after})).json():
            if frame["type"] == kind:
                return dict(frame)
    raise AssertionError(kind)


def _vote(board: dict[str, Any], request_id: str = "over-http") -> dict[str, Any]:
    decision = board["decision"]
    return {
        "type": "vote",
        "request_id": request_id,
        "decision": decision["decision"],
        "move": decision["moves"][0]["move"],
    }


async def test_first_answer_has_the_board_at_once(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    client = await _client(live_world, 0)

    frames = (await client.get(_path(match), {"after": 0})).json()

    assert [frame["type"] for frame in frames][:2] == ["hello", "observation"]
    assert frames[0]["you"]["seat"] == 0


async def test_move_over_post_reaches_sockets_and_polls_alike(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    ana, ben = await _client(live_world, 0), await _client(live_world, 1)
    teacher = await sync(live_world.teacher_session)()
    async with browser(f"/ws/match/{match.pk}/", teacher) as watcher:
        board = await _until(ana, _path(match), "observation")
        await _until(ben, _path(match), "observation")

        answer = await ana.post(_path(match), _vote(board), content_type="application/json")
        shown = await watcher.hear("observation", version=2)
        polled = await _until(ben, _path(match), "observation", after=1)

    assert answer.json() == [{"type": "accepted", "request_id": "over-http", "version": 2}]
    assert shown["waiting"] == polled["waiting"]


async def test_refusal_over_post_has_the_status_of_its_code(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    client = await _client(live_world, 0)
    board = await _until(client, _path(match), "observation")
    said = [
        _vote(board, "too-late") | {"decision": 0},
        _vote(board, "not-in-hand") | {"move": {"type": "lay", "card": "none"}},
    ]

    answers = [
        await client.post(_path(match), one, content_type="application/json") for one in said
    ]

    assert [answer.json()[0]["code"] for answer in answers] == ["stale", "lanterns.card-not-held"]
    assert [answer.status_code for answer in answers] == [409, 422]


async def test_request_waits_for_news(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    client = await _client(live_world, 0)
    await _until(client, _path(match), "observation")
    (held,) = hub.connections()
    held_poll = held
    assert isinstance(held_poll, polls.Poll)
    waiting = asyncio.create_task(_until(client, _path(match), "paused", after=1))
    await asyncio.sleep(0.3)
    assert not waiting.done()

    await sync(matches.pause_match)(match_id=match.pk, actor=live_world.teacher)

    assert (await asyncio.wait_for(waiting, polls.WAIT_S / 2))["version"] == 2
    assert hub.connections() == [held_poll]


async def test_answer_that_got_lost_is_made_up_for(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    ana = await _client(live_world, 0)
    board = await _until(ana, _path(match), "observation")
    await ana.post(_path(match), _vote(board), content_type="application/json")
    await _until(ana, _path(match), "observation", after=1)

    again = await _until(ana, _path(match), "observation", after=1)

    assert again["version"] == 2
    assert [event["version"] for event in again["events"]] == [2]


@pytest.mark.case("WS-14")
@pytest.mark.parametrize("after", ["-1", "x", "\N{SUPERSCRIPT TWO}", "9" * 5000])
async def test_version_that_is_none_is_answered_with_the_board(
    live_world: World, hub: Hub, after: str
) -> None:
    match = await _duel(live_world)
    client = await _client(live_world, 0)

    answer = await client.get(_path(match), {"after": after})

    assert answer.status_code == 200
    assert [frame["type"] for frame in answer.json()][:2] == ["hello", "observation"]


@pytest.mark.case("WS-05")
async def test_who_asks_without_a_pause_is_refused_and_may_still_vote(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: 0.0))
    match = await _duel(live_world)
    client = await _client(live_world, 0)
    board = await _until(client, _path(match), "observation")
    (poll,) = hub.connections()
    assert isinstance(poll, polls.Poll)
    while poll.asked.message() is Verdict.FINE:
        pass

    asked = await client.get(_path(match), {"after": 0}, headers={"accept": "application/json"})
    voted = await client.post(_path(match), _vote(board), content_type="application/json")

    assert (asked.status_code, asked.json()["code"]) == (429, "too_fast")
    assert voted.json()[0]["type"] == "accepted"


@pytest.mark.case("WS-18")
async def test_match_of_others_is_not_there(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    bystander = await _client(live_world, 3)

    answers = [
        await client.get(path, headers={"accept": "application/json"})
        for client, path in (
            (bystander, _path(match)),
            (bystander, f"/matches/{uuid4()}/now/"),
            (AsyncClient(), _path(match)),
        )
    ]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert len({answer.content for answer in answers}) == 1


@pytest.mark.case("WS-09")
@pytest.mark.parametrize("body", ["", "[]", '{"type":"move"}', '{"type":"fly"}', "\\udcff"])
async def test_bad_message_is_refused(live_world: World, hub: Hub, body: str) -> None:
    match = await _duel(live_world)
    client = await _client(live_world, 0)

    answer = await client.post(_path(match), body, content_type="application/json")

    assert answer.status_code == 422
    (refused,) = answer.json()
    assert refused["code"] in {"bad_message", "unknown_type"}


@pytest.mark.case("AZ-18")
async def test_kicked_student_is_refused_at_the_next_request(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    client = await _client(live_world, 0)
    board = await _until(client, _path(match), "observation")
    await sync(attendance.kick_student)(
        lesson_id=live_world.lesson.pk,
        actor=live_world.teacher,
        student_id=live_world.students[0].pk,
    )

    asked = await client.get(_path(match), {"after": 1})
    said = await client.post(_path(match), _vote(board), content_type="application/json")

    assert (asked.status_code, said.status_code) == (404, 404)
    assert "move" not in await sync(lambda: list(match.records.values_list("kind", flat=True)))()


async def test_poll_ends_at_once_when_the_process_is_told_to_stop(live_world: World) -> None:
    """TERM reaches the browsers that wait before the server waits for their requests."""
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _frame: heard.append(number))
    try:
        async with runtime.running():
            match = await _duel(live_world)
            client = await _client(live_world, 0)
            await _until(client, _path(match), "observation")
            await client.get(_path(match), {"after": 1})  # a heartbeat; now there is no news
            waiting = asyncio.create_task(client.get(_path(match), {"after": 1}))
            await asyncio.sleep(0.3)
            assert not waiting.done()

            os.kill(os.getpid(), signal.SIGTERM)
            answer = await asyncio.wait_for(waiting, polls.WAIT_S / 2)
    finally:
        signal.signal(signal.SIGTERM, before)

    assert heard == [signal.SIGTERM]
    assert answer.status_code == 503
