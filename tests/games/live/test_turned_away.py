"""Refused handshakes leave a line each, and a storm of them not many."""

from __future__ import annotations

import logging
import time
from types import SimpleNamespace
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async as sync

from classroom import security_log
from classroom.security_log import Event, Storm
from games.live import consumers
from games.live.hub import Hub
from tests.games.live.sockets import wire
from tests.games.world import World, make_world


@pytest.fixture
def log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> pytest.LogCaptureFixture:
    """The security log of a process that has refused nobody yet."""
    monkeypatch.setattr(consumers, "turned_away", Storm(Event.HANDSHAKE_REFUSED))
    caplog.set_level(logging.INFO, logger="civictable.security")
    return caplog


def _lines(log: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in log.records if record.name == "civictable.security"]


@pytest.mark.case("WS-01", "WS-02", "WS-18")
async def test_each_refused_handshake_says_who_and_why(
    live_world: World, hub: Hub, log: pytest.LogCaptureFixture
) -> None:
    world, other = live_world, await sync(make_world)(2)
    match = await sync(world.started)()
    student = await sync(world.student_session)(world.students[0])
    teacher = await sync(other.teacher_session)()
    stranger = await sync(other.student_session)(other.students[0])
    path, nowhere = f"/ws/match/{match.pk}/", f"/ws/lesson/{uuid4()}/"

    for asked in (
        wire(path, student, origin="http://evil.example"),
        wire(f"{path}?screen=secret", ""),
        wire(path, ""),
        wire(path, teacher),
        wire(path, stranger),
        wire(nowhere, student),
    ):
        assert (await asked.connect())[0] is False

    by = f"account:{other.teacher.teacher.pk}"
    assert _lines(log) == [
        f"handshake-refused by=nobody-known about=origin:{path}",
        f"handshake-refused by=nobody-known about=not-theirs:{path}",
        f"handshake-refused by=nobody-known about=no-session:{path}",
        f"handshake-refused by={by} about=not-theirs:{path}",
        f"handshake-refused by=student about=not-theirs:{path}",
        f"handshake-refused by=student about=not-theirs:{nowhere}",
    ]


def test_storm_leaves_few_lines_and_its_size(
    log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()
    monkeypatch.setattr(security_log, "time", SimpleNamespace(monotonic=lambda: now))
    refused = Storm(Event.HANDSHAKE_REFUSED)

    for _handshake in range(10_000):
        refused.note(about="origin:/ws/match/1/")
    assert len(_lines(log)) == Storm.A_MINUTE
    now += 60
    refused.note(about="origin:/ws/match/2/")

    assert _lines(log)[Storm.A_MINUTE :] == [
        f"handshake-refused by=nobody-known about=left-out:{10_000 - Storm.A_MINUTE}",
        "handshake-refused by=nobody-known about=origin:/ws/match/2/",
    ]
