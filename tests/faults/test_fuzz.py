"""The real server under frames that no browser sends (T2, WS-03, WS-07, WS-09, WS-10)."""

from __future__ import annotations

import asyncio
import json
import os
import random
import struct
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.faults.nemesis import web_process
from tests.faults.runs import ask
from tests.site import Running, answers, site

pytestmark = [pytest.mark.timeout(900), pytest.mark.xdist_group("faults")]

CODES = {"bad_message", "unknown_type", "stale", "not_allowed", "too_fast"}
TYPES = ["move", "vote", "explain", "resume", "ping", "kick", "_receive", "websocket.disconnect"]
ODD: list[Any] = [
    *(None, True, [], {}, "", "x" * 41, "../../..", "\x00", "\ud800", "🐟" * 9, "' OR 1=1 --"),
    *(-1, 0, 1, 2**31 - 1, 2**31, 2**63, 10**400, 0.5, 1e308, {"type": "roll"}, {"type": []}),
    *([{}] * 50, {"a": {"a": {"a": {}}}}, {"__class__": "x"}, {"type": "buy", "property": None}),
]
RAW = [
    "",
    "{",
    "[]",
    "null",
    "NaN",
    '{"type":"ping","type":"move"}',
    '{"type":"resume","version":NaN}',
    '{"type":"resume","version":' + "9" * 5_000 + "}",
    "[" * 8_000,
    '{"type":' * 2_000,
    '{"type":"resume","version":1e999}',
    '{"type":"ping","\\ud800":1}',
    "\ufeff" + '{"type":"ping"}',
]


@pytest.fixture(scope="module")
def run() -> Iterator[Running]:
    """One site for all of them; it fails the tests when a traceback stands in a log."""
    with site() as running:
        yield running


@pytest.fixture(scope="module")
def stage(run: Running) -> dict[str, Any]:
    """A match with two students and a teacher."""
    return dict(ask(run, "begin(1)")["matches"][0])


def _headers(stage: dict[str, Any], place: int) -> dict[str, str]:
    return {"Cookie": f"{stage['cookie']}={stage['sessions'][place]}"}


@asynccontextmanager
async def _socket(run: Running, stage: dict[str, Any], place: int = 0) -> Any:
    async with connect(
        f"{run.url.replace('http', 'ws', 1)}/ws/match/{stage['match']}/",
        origin=run.url,  # type: ignore[arg-type]
        additional_headers=_headers(stage, place),
        close_timeout=1,
        max_size=2**20,
    ) as line:
        yield line


def _frame(chance: random.Random) -> str | bytes:
    """One frame that is nearly right, or not at all."""
    kind = chance.random()
    if kind < 0.15:
        return chance.choice(RAW)
    if kind < 0.25:
        return chance.randbytes(chance.randrange(200))
    message: dict[str, Any] = {
        "type": chance.choice(TYPES),
        "request_id": f"{chance.getrandbits(64):016x}",
        "decision": 10**6,  # that decision never was
        "version": 1,
        "move": {"type": "roll"},
    }
    for _change in range(chance.randrange(1, 4)):
        key = chance.choice([*message, "extra"])
        if chance.random() < 0.3:
            message.pop(key, None)
        else:
            message[key] = chance.choice(ODD)
    text = json.dumps(message)
    if kind < 0.4:  # cut or scrambled somewhere
        place = chance.randrange(len(text))
        return text[:place] + chance.choice(["", '"', "{", "\\", "\x01"]) + text[place + 1 :]
    return text


async def _answer(line: ClientConnection) -> dict[str, Any]:
    """The answer to the last frame; what is told to everybody is passed over."""
    while True:
        frame: dict[str, Any] = json.loads(await asyncio.wait_for(line.recv(), 20))
        if frame["type"] in {"refused", "accepted", "pong"}:
            return frame


def _resident_kib(run: Running) -> int:
    status = Path(f"/proc/{web_process(run.url)}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


@pytest.mark.case("WS-09", "WS-10")
async def test_no_frame_breaks_the_server_or_changes_the_match(
    run: Running, stage: dict[str, Any], numbers: Callable[[int, int], int]
) -> None:
    seed = int(os.environ.get("CIVIC_SEED") or random.SystemRandom().randrange(10**6))
    print(f"CIVIC_SEED={seed}")
    chance, told = random.Random(seed), Counter[str]()
    before = ask(run, f"tell({stage['match']!r})")["matches"][stage["match"]]["version"]
    sent, wanted = 0, numbers(500, 10_000)
    async with _socket(run, stage, 1) as witness:
        while sent < wanted:
            try:
                async with _socket(run, stage) as line:
                    for _frame_number in range(18):  # more would be too fast
                        await line.send(_frame(chance))
                        sent += 1
                        frame = await _answer(line)
                        told[frame.get("code", frame["type"])] += 1
            except ConnectionClosed as closed:
                told[f"closed {closed.rcvd.code if closed.rcvd else None}"] += 1
            await asyncio.sleep(0.15)  # the witness may not be too fast either
            await witness.send('{"type":"ping"}')
            assert (await _answer(witness))["type"] == "pong"

    print(told)
    after = ask(run, f"tell({stage['match']!r})")["matches"][stage["match"]]
    assert set(told) <= CODES | {"pong", "closed 1008"}
    assert told["bad_message"] > wanted // 4
    assert told["closed 1008"] > 0
    assert after["version"] == before
    assert after["same_state"]


def _upgrade(run: Running, stage: dict[str, Any], *, more: bytes = b"") -> bytes:
    host = run.url.removeprefix("http://")
    cookie = _headers(stage, 0)["Cookie"]
    return (
        f"GET /ws/match/{stage['match']}/ HTTP/1.1\r\nHost: {host}\r\nOrigin: {run.url}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}\r\nCookie: {cookie}\r\n"
    ).encode() + more


def _piece(code: int, body: bytes, *, final: bool = True, bits: int = 0) -> bytes:
    """A masked frame as a browser's, or one that breaks the rules by its ``bits``."""
    first = (0x80 if final else 0) | bits | code
    length = len(body)
    if length < 126:
        head = struct.pack("!BB", first, 0x80 | length)
    else:
        head = struct.pack("!BBH", first, 0x80 | 126, length)
    mask = b"\x00" * 4
    return head + mask + body


BROKEN_FRAMES = {
    "reserved bits": _piece(1, b"{}", bits=0x40),
    "unknown opcode": _piece(3, b"{}"),
    "not masked": b"\x81\x02{}",
    "not UTF-8": _piece(1, b"\xff\xfe\xfd"),
    "endless length": b"\x81\xff" + struct.pack("!Q", 2**62) + b"\x00" * 4,
    "continuation of nothing": _piece(0, b"{}"),
    "long ping": _piece(9, b"x" * 126),
    "close with half a code": _piece(8, b"\x03"),
    "close with a code that is none": _piece(8, struct.pack("!H", 1005)),
    "message of 17 KiB in pieces": b"".join(
        [_piece(1, b"x" * 100, final=False), *[_piece(0, b"x" * 100, final=False)] * 170]
    ),
}


async def _raw(run: Running, first: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    port = int(run.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(first)
    await writer.drain()
    return reader, writer


@pytest.mark.case("WS-03", "WS-09")
@pytest.mark.parametrize("name", BROKEN_FRAMES)
async def test_frame_against_the_protocol_ends_this_line_alone(
    run: Running, stage: dict[str, Any], name: str
) -> None:
    reader, writer = await _raw(run, _upgrade(run, stage, more=b"\r\n"))
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    assert head.startswith(b"HTTP/1.1 101"), head
    writer.write(BROKEN_FRAMES[name])
    await writer.drain()

    async with asyncio.timeout(20):
        while await reader.read(65_536):
            pass  # until the server ends the line

    writer.close()
    assert await asyncio.to_thread(answers, run.url)


@pytest.mark.case("WS-03")
async def test_message_in_tiny_pieces_that_never_ends_costs_no_memory(
    run: Running, stage: dict[str, Any]
) -> None:
    async with _socket(run, stage):  # warm
        pass
    before = _resident_kib(run)
    reader, writer = await _raw(run, _upgrade(run, stage, more=b"\r\n"))
    await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    writer.write(_piece(1, b"", final=False) + _piece(0, b"x", final=False) * 15_000)
    await writer.drain()
    await asyncio.sleep(1)

    assert _resident_kib(run) - before < 4 * 1024
    writer.close()


BROKEN_HANDSHAKES = {
    "another version": (b"Sec-WebSocket-Version: 99\r\n\r\n", b""),
    "64 KiB of headers": (b"X-Long: " + b"x" * 65_536 + b"\r\n\r\n", b""),
    "binary": (b"", b"\x16\x03\x01" + bytes(range(256))),
    "no line ends": (b"", b"GET /ws/match/ HTTP/1.1" * 400),
    "path that is no address": (b"", b"GET \xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n"),
    "negative length": (b"", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n"),
    "two lengths": (
        b"",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ),
}


@pytest.mark.case("WS-07", "SC-08")
@pytest.mark.parametrize("name", BROKEN_HANDSHAKES)
async def test_broken_handshake_is_refused(run: Running, stage: dict[str, Any], name: str) -> None:
    more, alone = BROKEN_HANDSHAKES[name]
    reader, writer = await _raw(run, alone or _upgrade(run, stage, more=more))

    try:
        answer = await asyncio.wait_for(reader.read(65_536), 3)
    except (TimeoutError, ConnectionResetError):
        answer = b""  # nothing was said

    writer.close()
    assert not answer.startswith(b"HTTP/1.1 101")
    assert not answer.startswith(b"HTTP/1.1 5")
    assert await asyncio.to_thread(answers, run.url)


@pytest.mark.case("WS-07")
async def test_handshakes_that_never_end_keep_nobody_out(
    run: Running, stage: dict[str, Any]
) -> None:
    begun = [await _raw(run, b"GET /ws/match/ HTTP/1.1\r\nHost: ") for _line in range(100)]

    start = time.monotonic()
    async with _socket(run, stage) as line:
        await line.send('{"type":"ping"}')
        assert (await _answer(line))["type"] == "pong"

    assert time.monotonic() - start < 10
    for _reader, writer in begun:
        writer.close()
