"""A loop that stands still is told in the log, with the place."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

import pytest

from games.live import pulse


def stand_still(told: Callable[[], object]) -> None:
    """Until somebody was told, or should have been, and a little longer: it is told once."""
    end = time.monotonic() + 60
    while not told() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.3)


@pytest.mark.case("CF-17")
async def test_loop_that_stands_still_is_told_once_with_the_place(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "BEAT_S", 0.02)
    monkeypatch.setattr(pulse, "STILL_S", 2.0)
    with caplog.at_level(logging.ERROR, logger="games.live"):
        async with pulse.watched():
            await asyncio.sleep(0.3)
            quiet = list(caplog.messages)
            stand_still(told=lambda: caplog.messages)
            await asyncio.sleep(0.1)

    assert quiet == []
    assert len(caplog.messages) == 1
    assert "stand_still" in caplog.text
