"""Reads of the live part: those who come, and those who are in."""

from __future__ import annotations

import asyncio
import threading

from asgiref.sync import sync_to_async

from games.live.hub import Hub
from tests.games.live.sockets import PATIENCE_S
from tests.games.world import World


async def test_who_is_in_waits_for_nobody_at_the_door(live_world: World, hub: Hub) -> None:
    match = await sync_to_async(live_world.started)()
    opened = threading.Event()
    coming = [asyncio.create_task(hub.door.ask(opened.wait)) for _place in range(20)]

    try:
        room = await asyncio.wait_for(hub.room(str(match.pk)), PATIENCE_S)
    finally:
        opened.set()

    assert room is not None
    assert all(await asyncio.gather(*coming))
