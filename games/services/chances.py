"""The chance of live play."""

from __future__ import annotations

import os
import random
import threading

from django.conf import settings

from games.engine.chance import Chance


class SystemSource(random.SystemRandom):
    """The operating system's secure source, asked for many bytes at a time.

    To ask it for each die costs more than the whole rules of a move. Threads may share one.
    """

    FETCHED = 4096  # bytes

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._bytes = b""

    def getrandbits(self, k: int, /) -> int:
        """A whole number of ``k`` random bits."""
        size = (k + 7) // 8
        with self._lock:
            if len(self._bytes) < size:
                self._bytes = os.urandom(max(size, self.FETCHED))
            taken, self._bytes = self._bytes[:size], self._bytes[size:]
        return int.from_bytes(taken, "big") >> (8 * size - k)


_SECURE = SystemSource()
_SEEDED = random.Random(settings.SEEDED_CHANCE)  # noqa: S311  reproducible on purpose


def live() -> Chance:
    """The operating system's secure source; one seeded source only under the test settings."""
    if settings.SEEDED_CHANCE is None:
        return Chance(_SECURE.randrange)
    return Chance(_SEEDED.randrange)


def bot_delay_s() -> float:
    """How long a bot takes over a decision, whatever it is about: 1 to 3 s."""
    # Asked at every move; nobody gains by guessing it.
    return random.uniform(1, 3)  # noqa: S311
