"""Says where the event loop stands still (case CF-17).

While it does, no browser of this process is answered. A thread beside it looks whether
the loop still beats and writes the stack into the log, once for each time.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

logger = logging.getLogger("games.live")

BEAT_S = 0.25
STILL_S = 2.0


class Watchdog(threading.Thread):
    """Call ``beat`` from the loop's own thread."""

    def __init__(self) -> None:
        super().__init__(name="live-pulse", daemon=True)
        self._loop_thread = threading.get_ident()
        self._beat_at = time.monotonic()
        self._ended = threading.Event()

    def beat(self) -> None:
        """The loop goes round."""
        self._beat_at = time.monotonic()

    def stop(self) -> None:
        """Look no longer."""
        self._ended.set()
        self.join()

    def run(self) -> None:
        told_of = 0.0
        while not self._ended.wait(BEAT_S):
            beat_at = self._beat_at
            still_s = time.monotonic() - beat_at
            if still_s > STILL_S and beat_at != told_of:
                told_of = beat_at
                logger.error(
                    "The event loop has stood still for %.1f s:\n%s", still_s, self._where()
                )

    def _where(self) -> str:
        frame = sys._current_frames().get(self._loop_thread)
        return "".join(traceback.format_stack(frame)) if frame is not None else "(no stack)"


@asynccontextmanager
async def watched() -> AsyncIterator[None]:
    """The watchdog of this loop, as long as the process serves."""
    dog = Watchdog()
    dog.start()

    async def beat() -> None:
        while True:
            dog.beat()
            await asyncio.sleep(BEAT_S)

    beating = asyncio.create_task(beat())
    try:
        yield
    finally:
        beating.cancel()
        await asyncio.to_thread(dog.stop)
