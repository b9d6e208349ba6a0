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


@pytest.mark.case("CF-17")
async def test_late_beats_are_counted_and_told_now_and_then(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    lateness = pulse.Lateness()
    for late_s in (0.0, 0.7, 0.1, 1.4):
        lateness.note(late_s)
    quiet = list(caplog.messages)

    monkeypatch.setattr(pulse, "TELL_EVERY_S", 0.0)
    lateness.note(0.2)
    lateness.note(0.2)  # nothing new

    assert quiet == []
    (told,) = caplog.messages
    assert told.endswith("the event loop was late 2 times, at most by 1.4 s.")
