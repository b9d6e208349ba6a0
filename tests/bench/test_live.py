"""The load client counts what it says it counts."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

from bench._wire import Line, family, memory_kib
from bench.live import Duel, Load, medians

HELLO = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"


class Wire:
    """A transport that keeps what was written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)


class Counting(Duel):
    """A match that plays with nobody."""

    moves = 0

    def move(self) -> None:
        self.moves += 1


def _text(body: bytes) -> bytes:
    if len(body) < 126:
        return bytes((0x81, len(body))) + body
    return bytes((0x81, 126)) + len(body).to_bytes(2, "big") + body


@pytest.mark.parametrize("piece", [1, 7, 1_000])
async def test_frames_are_heard_whole_however_the_bytes_arrive(piece: int) -> None:
    heard: list[bytes] = []
    line, there = Line("here", "/", "", heard.append), Wire()
    line.connection_made(there)
    sent = HELLO + _text(b"short") + b"\x89\x00" + _text(b"x" * 300)

    for start in range(0, len(sent), piece):
        line.data_received(sent[start : start + piece])

    assert heard == [b"short", b"x" * 300]
    assert line.bytes == 305
    assert there.written[-1] == b"\x8a\x80\0\0\0\0"  # the ping was answered


async def test_line_that_is_refused_says_so() -> None:
    line = Line("here", "/", "", lambda _text: None)
    line.connection_made(Wire())

    line.data_received(b"HTTP/1.1 403 Forbidden\r\n\r\n")

    with pytest.raises(ConnectionError, match="403"):
        await line.ready


async def test_move_counts_when_both_sockets_have_it() -> None:
    load = Load(rate=0, count=1)
    load.counting = True
    duel = Counting(load)
    duel.start(0)

    duel.shown(1)
    assert load.took_s == []
    duel.shown(1)
    duel.shown(1)  # told once more: an old board

    assert len(load.took_s) == 1
    assert duel.moves == 2


async def test_open_loop_counts_from_the_moment_a_move_was_due() -> None:
    load = Load(rate=10, count=1)
    load.counting = True
    duel = Counting(load)
    duel.start(load.clock() - 5)  # the server is five seconds behind

    duel.shown(1)
    duel.shown(1)

    assert load.took_s[0] >= 5
    await asyncio.sleep(0)


def test_medians_come_with_lowest_and_highest() -> None:
    kind = {"server": "a", "rate": 200.0, "pages": 10}
    rows: list[dict[str, Any]] = [{**kind, "us_a_move": value} for value in (5, 1, 3)]

    assert medians(rows) == [{**kind, "rounds": 3, "us_a_move": [1, 3, 5]}]


def test_own_process_is_measured() -> None:
    pid = os.getpid()

    assert family(pid)[0] == pid
    assert memory_kib(pid) > 1_000
