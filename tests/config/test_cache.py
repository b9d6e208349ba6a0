"""The shared cache: what lies in Redis, and what happens while that is away.

With a real one that dies: tests/faults/test_redis_away.py.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from django.core.cache.backends.redis import RedisCache
from redis import Redis
from redis.exceptions import ResponseError

from config import cache
from config.cache import ASKED_AGAIN_S, Json, SharedCache
from tests.services import postgres, redis
from tests.site import ROOT

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


KEEP = """
import django
django.setup()
from django.core.cache import cache
cache.set("rate", [1.5, 2.5], 60)
cache.add("lock", True, 60)
cache.add("misses", 0, 60)
cache.incr("misses")
print(cache.get_many(["rate", "lock", "misses"]))
"""


@pytest.mark.services
@pytest.mark.case("SC-11")
def test_what_lies_in_redis_is_text_and_numbers() -> None:
    """With the settings of several servers."""
    with redis() as server, postgres() as cluster:
        done = subprocess.run(
            [sys.executable, "-c", KEEP],
            cwd=ROOT,
            env=os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "config.settings.test",
                "DATABASE_URL": cluster.create("site"),
                "REDIS_URL": server.address,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        with Redis.from_url(server.address) as line:
            kept = {key.decode().rpartition(":")[2]: line.get(key) for key in line.scan_iter()}

    assert done.stdout.strip() == "{'rate': [1.5, 2.5], 'lock': True, 'misses': 1}", done.stderr
    assert {key: json.loads(value) for key, value in kept.items()} == {
        "rate": [1.5, 2.5],
        "lock": True,
        "misses": 1,
    }


class _Trap:
    """Runs something where it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str, ...]]:
        return pytest.fail, ("it was run",)


@pytest.mark.case("SC-11")
def test_what_somebody_else_has_put_into_redis_runs_nothing() -> None:
    with pytest.raises(ValueError, match=r"decode|Expecting"):
        Json().loads(pickle.dumps(_Trap()))
