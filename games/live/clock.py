"""What happens by itself: turn limits, windows of the rules, bots (docs/architecture.md).

One column drives it: ``Match.due_at``. The clock asks once a second for what is
due within the next one and keeps exact timers for it. Whoever is first plays;
the writer judges by the decision, so asking twice does nothing.
"""

from __future__ import annotations

import asyncio

from games.live import rounds
from games.live.hub import Hub
from games.models import Match
from games.services import steady
from games.services.log import moment


async def run(hub: Hub) -> None:
    """Ask for ever what is due."""
    started_at = steady.now()
    await rounds.for_ever(lambda: look(hub, started_at), name="The clock")


async def look(hub: Hub, started_at: float) -> None:
    """Set timers for what is due before the next look."""
    now = steady.now()
    for match, due_at in await hub.reader.ask(due, now + rounds.EVERY_S):
        # A little late is early enough; early would be asked in vain.
        wait_s = max(0.0, due_at - now) + 0.005
        asyncio.get_running_loop().call_later(wait_s, hub.expire, match, started_at)


def due(before: float) -> list[tuple[str, float]]:
    """Matches whose time is up before a Unix time, with that time."""
    rows = Match.objects.filter(status=Match.Status.PLAYING, due_at__lt=moment(before))
    return [
        (str(pk), due_at.timestamp())
        for pk, due_at in rows.values_list("pk", "due_at")
        if due_at is not None
    ]
