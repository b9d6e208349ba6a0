"""The shared cache while Redis is away; with a real one: tests/faults/test_redis_away.py."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ResponseError

from config import cache
from config.cache import ASKED_AGAIN_S, SharedCache

NOBODY_THERE = "redis://127.0.0.1:1/0"


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> SharedCache:
    """A cache whose Redis does not answer, in a process that has not asked yet."""
    monkeypatch.setattr(SharedCache, "_away_until", 0.0)
    made = SharedCache(NOBODY_THERE, {})
    made._own.clear()
    return made


@pytest.mark.case("CF-08")
def test_process_counts_by_itself(shared: SharedCache) -> None:
    assert shared.add("misses", 0, 60)
    assert not shared.add("misses", 0, 60)
    assert [shared.incr("misses") for _miss in range(3)] == [1, 2, 3]
    shared.set("other", ["a"], 60)

    assert shared.get_many(["misses", "other", "none"]) == {"misses": 3, "other": ["a"]}
    assert shared.delete("other")
    assert (shared.get("other"), shared.get("other", 7)) == (None, 7)


@pytest.mark.case("CF-08")
def test_redis_that_failed_is_left_alone_for_a_while_and_then_asked_again(
    shared: SharedCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()
    asked: list[float] = []
    monkeypatch.setattr(cache, "time", SimpleNamespace(monotonic=lambda: now))

    def get(_cache: RedisCache, _key: str) -> str:
        asked.append(now)
        if len(asked) == 1:
            raise ResponseError("OOM command not allowed")
        return "from Redis"

    monkeypatch.setattr(RedisCache, "get", get)

    assert [shared.get("key") for _ask in range(3)] == [None] * 3
    now += ASKED_AGAIN_S

    assert shared.get("key") == "from Redis"
    assert len(asked) == 2
