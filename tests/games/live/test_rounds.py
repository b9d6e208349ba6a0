"""The looks of once a second go on, whatever fails in one of them."""

from __future__ import annotations

import asyncio
import logging

import pytest
from django.db import InterfaceError, OperationalError

from games.live import rounds
from tests.games.live.sockets import PATIENCE_S


@pytest.mark.case("CF-09")
@pytest.mark.parametrize(
    ("error", "level"),
    [
        (OperationalError("the database is locked"), logging.WARNING),
        (InterfaceError("the connection is closed"), logging.WARNING),
        (ZeroDivisionError(), logging.ERROR),
    ],
)
async def test_a_look_that_fails_is_told_and_followed_by_the_next(
    error: Exception,
    level: int,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rounds, "EVERY_S", 0)
    went_on = asyncio.Event()
    fails = [True, False]

    async def look() -> None:
        if fails and fails.pop(0):
            raise error
        went_on.set()

    looking = asyncio.create_task(rounds.for_ever(look, name="The clock"))
    await asyncio.wait_for(went_on.wait(), PATIENCE_S)
    looking.cancel()

    assert [(record.levelno, record.exc_info is not None) for record in caplog.records] == [
        (level, True)
    ]
