"""The live part of one web process: started and stopped with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from django.conf import settings

from games.live import clock, watch
from games.live.current import hold
from games.live.hub import Hub
from games.services import publishing


@asynccontextmanager
async def running() -> AsyncIterator[None]:
    """Writer, hub, clock, poll and subscription, as long as the process serves."""
    hub = Hub()
    hold(hub)
    publishing.listen(hub.changed)
    work = [hub.heartbeat(), clock.run(hub), watch.watch(hub)]
    if settings.REDIS_URL:
        work += [hub.listen_to_processes(), hub.tell_presence()]
    tasks = [asyncio.create_task(part) for part in work]
    try:
        yield
    finally:
        publishing.stop_listening(hub.changed)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await hub.stop()
        hold(None)
