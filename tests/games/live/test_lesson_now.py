"""What the desk and the projector hear where sockets are blocked."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import AsyncClient

from games.live import now as polls
from games.live.hub import Hub
from games.live.limits import Verdict
from games.selectors.screens import screen_token
from games.services import matches
from tests.games.world import World, make_world

sync = sync_to_async


async def _desk(world: World) -> AsyncClient:
    client = AsyncClient()
    client.cookies[settings.SESSION_COOKIE_NAME] = await sync(world.teacher_session)()
    return client


def _path(world: World, **query: str) -> str:
    query.setdefault("page", "desk")
    said = "&".join(f"{name}={value}" for name, value in query.items())
    return f"/lessons/{world.lesson.pk}/now/?{said}"


async def _until(client: AsyncClient, path: str, kind: str, **fields: Any) -> dict[str, Any]:
    for _time in range(10):
        for frame in (await client.get(path)).json():
            if frame["type"] == kind and fields.items() <= frame.items():
                return dict(frame)
    raise AssertionError(kind)


async def test_desk_gets_its_rows_at_once_and_news_as_they_come(
    live_world: World, hub: Hub
) -> None:
    match = await sync(live_world.started)()
    client, path = await _desk(live_world), _path(live_world)

    first = (await client.get(path)).json()
    waiting = asyncio.create_task(_until(client, path, "row", status="paused"))
    await sync(matches.pause_match)(match_id=match.pk, actor=live_world.teacher)
    row = await asyncio.wait_for(waiting, polls.WAIT_S / 2)

    assert [frame["type"] for frame in first][:2] == ["hello", "row"]
    assert first[0]["you"]["role"] == "teacher"
    assert row["match"] == str(match.pk)
    assert len(hub.connections()) == 1


async def test_two_pages_of_one_teacher_both_hear_everything(live_world: World, hub: Hub) -> None:
    match = await sync(live_world.started)()
    client = await _desk(live_world)
    paths = [_path(live_world, page=page) for page in ("desk", "match")]
    for path in paths:
        await _until(client, path, "row")

    await sync(matches.pause_match)(match_id=match.pk, actor=live_world.teacher)
    rows = [await _until(client, path, "row", status="paused") for path in paths]

    assert [row["version"] for row in rows] == [2, 2]


async def test_everything_is_told_anew_after_an_answer_that_got_lost(
    live_world: World, hub: Hub
) -> None:
    await sync(live_world.started)()
    client, path = await _desk(live_world), _path(live_world)
    lost = (await client.get(path)).json()

    again = (await client.get(f"{path}&again=1")).json()

    assert [frame["type"] for frame in again][:2] == [frame["type"] for frame in lost][:2]
    assert len(hub.connections()) == 1


async def test_projectors_without_a_session_do_not_push_each_other_out(
    live_world: World, hub: Hub
) -> None:
    await sync(live_world.started)()
    token = await sync(screen_token)(live_world.lesson)
    for place in range(7):
        path = _path(live_world, page=f"screen{place}", screen=token)
        frames = (await AsyncClient().get(path)).json()
        assert {frame["type"] for frame in frames} >= {"hello", "row"}
        assert "roster" not in {frame["type"] for frame in frames}

    assert len(hub.connections()) == 7


async def test_lesson_of_others_is_not_there(live_world: World, hub: Hub) -> None:
    other = await sync(make_world)(1)
    token = await sync(screen_token)(other.lesson)
    client = await _desk(other)
    paths = [_path(live_world), _path(live_world, screen=token), f"/lessons/{uuid4()}/now/"]

    answers = [await client.get(path, headers={"accept": "application/json"}) for path in paths]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert len({answer.content for answer in answers}) == 1


@pytest.mark.case("WS-05")
async def test_who_asks_without_a_pause_is_refused(live_world: World, hub: Hub) -> None:
    await sync(live_world.started)()
    client, path = await _desk(live_world), _path(live_world)
    await client.get(path)
    (poll,) = hub.connections()
    assert isinstance(poll, polls.Poll)
    while poll.asked.message() is Verdict.FINE:
        pass

    answer = await client.get(path, headers={"accept": "application/json"})

    assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")
