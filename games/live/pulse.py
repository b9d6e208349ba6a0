"""Says where the event loop stands still (case CF-17).

While it does, no browser of this process is answered. A thread beside it looks whether
the loop still beats and writes the stack into the log, once for each time. Shorter
waits are counted and told now and then.
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
LATE_S = 0.5  # a beat that comes so much too late is felt by who plays
TELL_EVERY_S = 600.0


class Lateness:
    """How late the beats of a loop were since it was told last."""

    def __init__(self) -> None:
        self._told_at = time.monotonic()
        self._times = 0
        self._longest_s = 0.0

    def note(self, late_s: float) -> None:
        """A beat came so much later than it should; tell when it is time and worth it."""
        if late_s >= LATE_S:
            self._times += 1
            self._longest_s = max(self._longest_s, late_s)
        now = time.monotonic()
        if now - self._told_at >= TELL_EVERY_S:
            if self._times:
                logger.warning(
                    "In the last %.0f s the event loop was late %d times, at most by %.1f s.",
                    now - self._told_at,
                    self._times,
                    self._longest_s,
                )
            self._told_at, self._times, self._longest_s = now, 0, 0.0


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
        lateness = Lateness()
        while True:
            dog.beat()
            due = time.monotonic() + BEAT_S
            await asyncio.sleep(BEAT_S)
            lateness.note(time.monotonic() - due)

    beating = asyncio.create_task(beat())
    try:
        yield
    finally:
        beating.cancel()
        await asyncio.to_thread(dog.stop)
