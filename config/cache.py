"""The cache of several servers, which is Redis, and what takes its place while that is away.

Only misses and rates are counted in it (``classroom.throttle``, allauth). Without Redis
each process counts for itself: whoever guesses is still slowed, and no page fails.
"""

from __future__ import annotations

import json
import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

ASKED_AGAIN_S = 5.0


class Json:
    """How values lie in Redis: as text, so that who can write there makes nobody run anything.

    Django's own pickles them (QUALITY SC-11). Numbers stay numbers, which Redis itself counts.
    """

    def dumps(self, value: Any) -> int | bytes:
        """The value as Redis keeps it."""
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, stored: bytes | int) -> Any:
        """The value again; tuples come back as lists."""
        return json.loads(stored) if isinstance(stored, bytes) else stored


def _shared(method: str) -> Any:
    """The method of the shared cache; of the process's own while that is away."""

    def ask(self: SharedCache, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= SharedCache._away_until:
            try:
                return getattr(RedisCache, method)(self, *args, **kwargs)
            except RedisError as error:
                logger.warning("Redis does not answer; this process counts by itself: %s", error)
                SharedCache._away_until = time.monotonic() + ASKED_AGAIN_S
        return getattr(self._own, method)(*args, **kwargs)

    return ask


class SharedCache(RedisCache):
    """Redis; for ``ASKED_AGAIN_S`` after it failed, the memory of this process."""

    _away_until = 0.0  # of the whole process: each thread has a cache of its own

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._own = LocMemCache("without-redis", {})

    # All that Redis is asked.
    add = _shared("add")
    get = _shared("get")
    set = _shared("set")
    touch = _shared("touch")
    delete = _shared("delete")
    has_key = _shared("has_key")
    incr = _shared("incr")
    get_many = _shared("get_many")
    set_many = _shared("set_many")
    delete_many = _shared("delete_many")
    clear = _shared("clear")
