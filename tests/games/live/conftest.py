"""The live part of a process, in the test's own event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from games.live import current, runtime
from games.live.hub import Hub
from games.services import steady


@pytest_asyncio.fixture
async def hub(live_world: object) -> AsyncIterator[Hub]:
    """Writer, hub, clock and poll, running."""
    async with runtime.running():
        yield current.hub()


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let matches' time go ahead by some seconds: no test has to be quicker than its machine."""
    real = steady.now

    def ahead(by_s: float) -> None:
        monkeypatch.setattr(steady, "now", lambda: real() + by_s)

    return ahead
