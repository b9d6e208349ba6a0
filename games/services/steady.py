"""Unix time as matches count it: it does not jump while somebody plays (case CK-01).

Somebody who sets the computer's clock by an hour would end every turn that has a limit,
or hold it up for an hour. So the wall clock is read once, and from then on seconds are
counted; only while nobody plays in this process is the wall clock followed again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

# Seconds since some moment, while the computer sleeps too, where that can be had.
_counted: Callable[[], float] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME)
    if hasattr(time, "CLOCK_BOOTTIME")
    else time.monotonic
)


class SteadyClock:
    """Goes with ``wall`` at the start and then with ``counted``; both give seconds."""

    def __init__(
        self, wall: Callable[[], float] = time.time, counted: Callable[[], float] = _counted
    ) -> None:
        self._wall = wall
        self._counted = counted
        self.follow()

    def now(self) -> float:
        """Unix time, without the jumps of the wall clock since ``follow``."""
        return self._counted() + self._ahead_s

    def follow(self) -> None:
        """Be right again by the wall clock; for when nobody plays."""
        self._ahead_s = self._wall() - self._counted()


_clock = SteadyClock()
now = _clock.now
follow = _clock.follow
