"""A run of the kill harness that ends before its time is told, and compared all the same."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from tests.faults.runs import stood_still


class Still:
    """A nemesis that waited in vain for play to go on."""

    kills = 2

    def __init__(self) -> None:
        self.done = Counter(kill=2)

    async def rage(self) -> None:
        raise TimeoutError


async def _ended(work) -> set[asyncio.Task[None]]:
    done, _ = await asyncio.wait({asyncio.create_task(work)})
    return done


async def test_a_run_in_which_play_stands_still_says_so():
    harm = Still()

    assert stood_still(await _ended(harm.rage()), harm) == ["play stood still after {'kill': 2}"]


async def test_a_run_that_has_raged_has_nothing_to_say():
    assert stood_still(await _ended(asyncio.sleep(0)), Still()) == []


async def test_what_else_fails_in_a_run_is_a_fault_of_the_harness():
    async def broken() -> None:
        raise RuntimeError

    ended = await _ended(broken())

    with pytest.raises(RuntimeError):
        stood_still(ended, Still())
