"""Misses are counted in the cache."""

from __future__ import annotations

import time_machine

from classroom.throttle import Misses


def test_misses_are_counted_for_each_key_and_forgotten_with_the_minute():
    misses = Misses("test", limit=2)

    with time_machine.travel(1_700_000_000, tick=False) as clock:
        assert [misses.add("a"), misses.add("a"), misses.add("b")] == [1, 2, 1]
        assert (misses.over("a"), misses.over("b")) == (True, False)
        clock.shift(60)
        assert not misses.over("a")


def test_address_is_not_readable_in_the_cache():
    misses = Misses("test", limit=2)

    assert "10.0.0.1" not in misses._slot("10.0.0.1")
