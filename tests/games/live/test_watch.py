"""What the poll of once a second takes for news."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async as sync
from msgspec.structs import replace

from games.live import watch
from games.live.hub import Hub
from games.live.writer import Reload, Task
from games.models import Match
from games.position import Position
from tests.games.world import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)


async def _held(world: World, hub: Hub) -> Position:
    """The position of a match that has started and is held here."""
    room = await hub.room(str((await sync(world.started)()).pk))
    assert room is not None
    assert room.position is not None
    return room.position


def _put(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    """What is put before the writer from now on, which hears nothing of it."""
    put: list[Task] = []
    monkeypatch.setattr(hub, "put", lambda _match, task: put.append(task))
    return put


async def test_a_move_of_our_own_while_the_poll_asks_is_no_news(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = await _held(live_world, hub)
    put = _put(hub, monkeypatch)
    older = (position.version - 1, "playing")
    newer = (position.version + 1, "playing")

    assert not watch._differs(older, position, before=None)
    assert watch._differs(older, position, before=position)
    assert watch._differs(newer, position, before=None)
    await watch.look(hub)
    assert put == []


async def test_a_move_that_is_written_and_not_yet_shown_is_no_news(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = await _held(live_world, hub)
    put = _put(hub, monkeypatch)
    written = replace(position, version=position.version + 1)
    await sync(Match.objects.filter(pk=position.match).update)(version=written.version)

    await watch.look(hub)
    assert put == [Reload()]
    monkeypatch.setitem(hub.writer._positions, position.match, written)
    await watch.look(hub)

    assert put == [Reload()]


@pytest.mark.parametrize("lessons", [1, 3])
def test_who_is_in_each_lesson_is_asked_for_all_of_them_at_once(
    live_world: World, django_assert_num_queries: Any, lessons: int
) -> None:
    worlds = [live_world, *(make_world(students) for students in range(1, lessons))]
    empty = make_world(0)
    asked = [str(world.lesson.pk) for world in worlds]

    with django_assert_num_queries(1):
        found = watch.present([*asked, str(empty.lesson.pk)])

    assert {lesson: [row["id"] for row in rows] for lesson, rows in found.items()} == {
        lesson: [str(student.pk) for student in world.students]
        for lesson, world in zip(asked, worlds, strict=True)
    }
