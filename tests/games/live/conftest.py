"""The live part of a process, in the test's own event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from games.live import current, runtime
from games.live.hub import Hub


@pytest_asyncio.fixture
async def hub(live_world: object) -> AsyncIterator[Hub]:
    """Writer, hub, clock and poll, running."""
    async with runtime.running():
        yield current.hub()
