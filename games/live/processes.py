"""What web processes tell each other: which match has changed, and who is there."""

from __future__ import annotations

import asyncio
from typing import Any

from channels.layers import get_channel_layer

from games.deciding import PRESENT_S
from games.live import hints
from games.live.hub import Hub
from games.live.writer import Reload
from games.services import steady

EVERY_S = 5
AGAIN_S = 1.0


async def listen(hub: Hub) -> None:
    """Hear what others say, for ever; where Redis is away at the start, as soon as it is there."""
    layer = get_channel_layer()
    assert layer is not None
    name = await _joined(layer)
    while True:
        hint = await layer.receive(name)
        match hint.get("type"):
            case "match.changed" if hint["match"] in hub.rooms:
                hub.put(hint["match"], Reload())
            case "match.seen" if hint["match"] in hub.rooms:
                room, now = hub.rooms[hint["match"]], steady.now()
                for student, ago_s in hint["students"].items():
                    room.seen[student] = max(room.seen.get(student, 0), now - ago_s)
                hub.look(room)


async def _joined(layer: Any) -> str:
    """The channel under which this process hears."""
    while True:
        try:
            name = str(await layer.new_channel())
            await layer.group_add(hints.GROUP, name)
        except Exception as error:
            hints.logger.warning("The channel layer is not there; the poll will do: %r", error)
            await layer.flush()  # it holds a name that nobody hears under
            await asyncio.sleep(AGAIN_S)
        else:
            return name


async def tell_presence(hub: Hub) -> None:
    """Say now and then whom this process has heard of."""
    while True:
        await asyncio.sleep(EVERY_S)
        now = steady.now()
        for room in tuple(hub.rooms.values()):
            mine = {
                socket.you.student: now - socket.heard_at
                for socket in room.sockets
                if socket.you.student and now - socket.heard_at < PRESENT_S
            }
            if mine:
                await hints.give({"type": "match.seen", "match": room.match, "students": mine})
