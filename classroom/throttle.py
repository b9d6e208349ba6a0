"""Counting misses in the cache: shared by pages and sockets, by all processes behind one cache.

Only misses count. A class of thirty behind one school address joins in one
minute without being slowed (case AZ-08, AZ-10).
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from django.core.cache import cache

from classroom.codes import fingerprint

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Misses:
    """A count of misses for each key and ``window_s`` seconds."""

    name: str
    limit: int
    window_s: int = 60

    def add(self, key: str) -> int:
        """Count one more miss of ``key``; the number in this window."""
        slot = self._slot(key)
        cache.add(slot, 0, self.window_s * 2)
        try:
            return cache.incr(slot)
        except ValueError:  # the cache threw it out between the two calls
            cache.set(slot, 1, self.window_s * 2)
            return 1

    def over(self, key: str) -> bool:
        """Whether ``key`` has used up its misses."""
        return int(cache.get(self._slot(key), 0)) >= self.limit

    def _slot(self, key: str) -> str:
        return f"misses:{self.name}:{fingerprint(key)}:{int(time.time()) // self.window_s}"


# Ten wrong codes a minute are answered one by one, more with "too fast". A right code
# passes all the same, so a guesser cannot lock out the class beside it, until an
# address misses so often that no class could: then it must wait.
CODE_MISSES = Misses("code", limit=10)
CODE_FLOOD = Misses("code-flood", limit=300)
ALL_CODE_MISSES = Misses("code-all", limit=200)


def count_code_miss(address: str) -> bool:
    """Note a wrong class code from ``address``; True when it was one too many this minute."""
    over = CODE_MISSES.over(address)
    CODE_MISSES.add(address)
    CODE_FLOOD.add(address)
    if ALL_CODE_MISSES.add("everywhere") == ALL_CODE_MISSES.limit:
        log.warning("More than %d wrong class codes in one minute.", ALL_CODE_MISSES.limit)
    return over
