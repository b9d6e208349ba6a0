"""Once a second: is everybody still there, and do they have the newest board?"""

from __future__ import annotations

import asyncio
import logging

from games.live import showing
from games.live.hub import Hub
from games.services import frames, steady
from games.services.codes import CloseCode

logger = logging.getLogger("games.live")

VERSIONS_S = 10  # how often all sockets are told their match's version
SILENT_S = 60
STOOD_STILL_S = 5  # between two looks that are a second apart
LAG_S = 30  # a browser that takes nothing for so long is gone
FAILURES_S = 600  # how often it is told how many there were


async def beat(hub: Hub) -> None:
    """Beat for ever."""
    beats, looked_at = 0, steady.now()
    while True:
        await asyncio.sleep(1)
        beats += 1
        if steady.now() - looked_at > STOOD_STILL_S:
            excuse(hub)
        else:
            end_silent(hub)
        looked_at = steady.now()
        if beats % VERSIONS_S == 0:
            for room in tuple(hub.rooms.values()):
                if room.position is not None:
                    showing.tell(room, frames.message("pong", version=room.position.version))
                hub.tell_rows(room)
                hub.close_if_empty(room)
        if beats % FAILURES_S == 0:
            tell_failures(hub)


def tell_failures(hub: Hub) -> None:
    """How often something failed since this was told last; nothing when it never did."""
    if hub.failures:
        logger.error(
            "In the last %d s the live part failed %d times; each has its lines above.",
            FAILURES_S,
            hub.failures,
        )
        hub.failures = 0


def excuse(hub: Hub) -> None:
    """Blame no browser for the time in which this process itself stood still (case CF-17).

    What they said and took meanwhile is read only now, so by the clock they are gone.
    """
    latest = steady.now() - SILENT_S / 2
    for connection in hub.connections():
        connection.heard_at = max(connection.heard_at, latest)


def end_silent(hub: Hub) -> None:
    """End sockets that say or take nothing; follow the wall clock while there are none."""
    if not hub.rooms and not hub.sessions:
        steady.follow()
    now = steady.now()
    for connection in hub.connections():
        if now - connection.heard_at > SILENT_S or connection.lag_s() > LAG_S:
            connection.end(CloseCode.SILENT)
