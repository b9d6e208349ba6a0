"""What the poll of once a second takes for news."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async as sync

from games.live import watch
from games.live.hub import Hub
from games.live.writer import Task
from tests.games.world import World

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_move_of_our_own_while_the_poll_asks_is_no_news(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = str((await sync(live_world.started)()).pk)
    room = await hub.room(match)
    assert room is not None
    assert room.position is not None
    put: list[Task] = []
    monkeypatch.setattr(hub, "put", lambda _match, task: put.append(task))
    older = (room.position.version - 1, "playing")
    newer = (room.position.version + 1, "playing")

    assert not watch._differs(older, room.position, before=None)
    assert watch._differs(older, room.position, before=room.position)
    assert watch._differs(newer, room.position, before=None)
    await watch.look(hub)
    assert put == []
