"""The direct line between a browser and the application, over a real web server."""

from __future__ import annotations

import asyncio
import gc
import socket
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from config.sockets import DirectSockets
from tests.services import free_port

Act = Callable[[DirectSockets, str | None], None]


async def _at_once() -> None:
    """Nothing to wait for."""


@asynccontextmanager
async def _serving(application: Any) -> AsyncIterator[tuple[int, uvicorn.Server]]:
    """A server and its port."""
    port = free_port()
    config = uvicorn.Config(
        application, port=port, ws=DirectSockets, lifespan="off", log_level="error", loop="none"
    )
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext  # type: ignore[method-assign]
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield port, server
    finally:
        server.should_exit = True
        await serving


class Application:
    """Takes the line and calls ``act`` with each text.

    ``before``: awaited ahead of the accept; ``after``: between that and the line.
    """

    def __init__(
        self,
        act: Act,
        before: Callable[[], Awaitable[Any]] = _at_once,
        after: Callable[[], Awaitable[Any]] = _at_once,
    ) -> None:
        self.act, self.before, self.after = act, before, after
        self.lines: list[DirectSockets] = []
        self.lost: list[DirectSockets] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        line: DirectSockets = scope["extensions"]["civic.line"]
        await receive()  # connect
        await self.before()
        await send({"type": "websocket.accept"})
        await self.after()
        await line.attend(lambda text: self.act(line, text), lambda: self.lost.append(line))
        self.lines.append(line)


@asynccontextmanager
async def _served(act: Act) -> AsyncIterator[tuple[ClientConnection, list[DirectSockets]]]:
    """A browser on an application that takes the line and calls ``act`` with each text."""
    application = Application(act)
    async with (
        _serving(application) as (port, _server),
        connect(f"ws://127.0.0.1:{port}/", max_size=None) as browser,
    ):
        await _until(lambda: application.lines)
        yield browser, application.lines


def _ask(port: int, browser: str = "") -> socket.socket:
    """A connection on which a socket has been asked for, by a browser of this name."""
    line = socket.create_connection(("127.0.0.1", port))
    line.setblocking(False)
    line.send(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        b"User-Agent: " + browser.encode() + b"\r\n\r\n"
    )
    return line


async def _until(happens: Callable[[], Any]) -> None:
    async with asyncio.timeout(20):
        while not happens():
            await asyncio.sleep(0.01)


async def _hear(browser: ClientConnection) -> str | bytes:
    return await asyncio.wait_for(browser.recv(), 20)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 200_000])
async def test_texts_of_any_length_come_back_whole(size: int) -> None:
    async with _served(lambda line, text: line.write((text or "").encode())) as (browser, _lines):
        await browser.send("é" * (size // 2) + "x" * (size % 2))

        assert await _hear(browser) == "é" * (size // 2) + "x" * (size % 2)


async def test_what_is_written_together_comes_in_order_and_message_by_message() -> None:
    def act(line: DirectSockets, _text: str | None) -> None:
        for word in (b"one", b"two", b"three"):
            line.write(word)

    async with _served(act) as (browser, _lines):
        await browser.send("go")

        assert [await _hear(browser) for _word in range(3)] == ["one", "two", "three"]


async def test_text_in_pieces_is_heard_once_and_a_binary_one_is_told_apart() -> None:
    heard: list[str | None] = []

    def act(line: DirectSockets, text: str | None) -> None:
        heard.append(text)
        line.write(b"ok")

    async with _served(act) as (browser, _lines):
        await browser.send(["in ", "two ", "pieces"])
        await _hear(browser)
        await browser.send(b"\x00\xff")
        await _hear(browser)

    assert heard == ["in two pieces", None]


async def test_texts_of_one_packet_and_in_halves_are_heard_in_order() -> None:
    heard: list[str | None] = []
    frames = [_frame(f"{number} é {'x' * size}") for number, size in enumerate((0, 110, 300, 5))]
    pong, piece, last = _frame("", first=0x8A), _frame("a", first=0x01), _frame("b", first=0x80)
    whole = b"".join(frames)

    async with _served(lambda _line, text: heard.append(text)) as (_browser, lines):
        for packet in (whole, frames[0] + pong + frames[1]):
            lines[0].data_received(packet)
        told = list(heard)
        lines[0].data_received(whole[:20])
        lines[0].data_received(whole[20:] + piece + last)

    words = [f"{number} é {'x' * size}" for number, size in enumerate((0, 110, 300, 5))]
    assert told == [*words, words[0], words[1]]
    assert heard == [*told, *words, "ab"]


@pytest.mark.parametrize(
    ("packet", "code"),
    [
        (b"\x81\x01x", 1002),  # without a mask
        (b"\xa1\x81\0\0\0\0x", 1002),  # with a bit that means nothing
        (b"\x80\x81\0\0\0\0x", 1002),  # goes on with nothing
    ],
)
async def test_frames_against_the_protocol_are_refused_after_good_ones(
    packet: bytes, code: int
) -> None:
    heard: list[str | None] = []

    async with _served(lambda _line, text: heard.append(text)) as (browser, lines):
        lines[0].data_received(_frame("good") + packet + _frame("too late"))
        with pytest.raises(ConnectionClosed) as closed:
            await _hear(browser)

    assert heard == ["good"]
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


async def test_text_longer_than_the_server_takes_ends_the_line() -> None:
    heard: list[str | None] = []

    async with _served(lambda _line, text: heard.append(text)) as (browser, lines):
        lines[0].config.ws_max_size = lines[0].conn.max_message_size = 200
        lines[0].data_received(_frame("x" * 201))
        with pytest.raises(ConnectionClosed) as closed:
            await _hear(browser)

    assert heard == []
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def _frame(text: str, first: int = 0x81, mask: bytes = b"\x01\x80\x7f\xff") -> bytes:
    """A masked frame of a browser, up to 64 KiB."""
    data = text.encode()
    size = len(data)
    length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes((first,)) + length + mask + bytes(b ^ mask[n % 4] for n, b in enumerate(data))


async def test_bytes_that_are_no_text_end_the_line() -> None:
    async with _served(lambda _line, _text: None) as (browser, _lines):
        await browser.send(b"\xff\xfe", text=True)
        with pytest.raises(ConnectionClosed) as closed:
            await _hear(browser)

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1007


async def test_line_is_closed_after_what_waits_and_takes_nothing_then() -> None:
    closing: list[asyncio.Task[None]] = []

    def act(line: DirectSockets, _text: str | None) -> None:
        line.write(b"the last word")
        closing.append(asyncio.get_running_loop().create_task(line.finish(4408)))

    async with _served(act) as (browser, lines):
        await browser.send("go")
        last = await _hear(browser)
        with pytest.raises(ConnectionClosed) as closed:
            await _hear(browser)
        lines[0].write(b"too late")

    assert last == "the last word"
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4408


async def test_line_tells_how_much_a_browser_leaves_and_for_how_long() -> None:
    texts = 400

    def act(line: DirectSockets, _text: str | None) -> None:
        for _number in range(texts):
            line.write(b"x" * 65_536)

    async with _served(act) as (browser, lines):
        await browser.send("go")
        await _until(lambda: lines and lines[0].full_s() > 0.1)
        waiting = lines[0].waiting_bytes()  # the browser takes few that it has not read
        for _number in range(texts):
            await _hear(browser)

        assert waiting > 1_000_000
        await _until(lambda: (lines[0].waiting_bytes(), lines[0].full_s()) == (0, 0.0))


def _nothing(_line: DirectSockets, _text: str | None) -> None:
    """Who listens and does nothing."""


async def test_call_of_the_application_ends_with_the_handshake_and_the_socket_goes_on() -> None:
    application = Application(lambda line, text: line.write((text or "").encode()))

    async with (
        _serving(application) as (port, server),
        connect(f"ws://127.0.0.1:{port}/") as browser,
    ):
        await _until(lambda: application.lines and not server.server_state.tasks)
        await browser.send("still there?")

        assert await _hear(browser) == "still there?"
        assert application.lost == []


@pytest.mark.parametrize("how", ["closes", "is gone", "sends no frame", "the server stops"])
async def test_application_is_told_when_the_line_has_ended(how: str) -> None:
    application = Application(_nothing)

    async with (
        _serving(application) as (port, server),
        connect(f"ws://127.0.0.1:{port}/") as browser,
    ):
        await _until(lambda: application.lines)
        match how:
            case "closes":
                await browser.close()
            case "is gone":
                browser.transport.abort()
            case "sends no frame":
                browser.transport.write(b"\xff" * 10)
            case _:
                server.should_exit = True
        await _until(lambda: application.lost)

        assert set(application.lost) == set(application.lines)


async def test_line_that_is_stopped_is_gone_with_what_waits() -> None:
    application = Application(_nothing)

    async with _serving(application) as (port, server):
        with _ask(port):  # which takes nothing
            await _until(lambda: application.lines)
            application.lines[0].write(b"x" * 20_000_000)
            await _until(application.lines[0].transport.get_write_buffer_size)
            application.lines[0].stop()
            await _until(lambda: application.lost)

        await _until(lambda: not server.server_state.connections)


async def test_line_that_is_full_holds_up_no_other() -> None:
    application = Application(_nothing)

    async with _serving(application) as (port, _server):
        with _ask(port):  # which takes nothing
            await _until(lambda: application.lines)
            async with connect(f"ws://127.0.0.1:{port}/") as browser:
                await _until(lambda: len(application.lines) == 2)
                full, free = application.lines
                full.write(b"x" * 20_000_000)
                await _until(full.full_s)
                await asyncio.wait_for(free.finish(4408), 20)
                with pytest.raises(ConnectionClosed):
                    await _hear(browser)
            full.stop()


@pytest.mark.parametrize("late", ["before", "after"])
async def test_what_is_sent_during_the_handshake_is_heard_whole_and_in_order(late: str) -> None:
    heard: list[str | None] = []
    go_on = asyncio.Event()
    application = Application(lambda _line, text: heard.append(text))
    setattr(application, late, go_on.wait)
    frames = b"".join(_frame(f"{number} {'x' * 50}") for number in range(4))

    async with _serving(application) as (port, server):
        browser = _ask(port)
        await _until(lambda: server.server_state.tasks)
        line = next(iter(server.server_state.connections))
        line.data_received(frames[:100])
        go_on.set()
        await _until(lambda: application.lines)
        line.data_received(frames[100:])
        browser.close()
        await _until(lambda: application.lost)

    assert heard == [f"{number} {'x' * 50}" for number in range(4)]


async def test_idle_socket_keeps_nothing_of_its_handshake() -> None:
    sockets, browser = 20, "x" * 8_000
    application = Application(_nothing)

    async def open_all() -> list[socket.socket]:
        found = [_ask(port, browser) for _number in range(sockets)]
        await _until(lambda: len(application.lines) % sockets == 0 and application.lines)
        await _until(lambda: not server.server_state.tasks)
        return found

    async with _serving(application) as (port, server):
        first = await open_all()  # what is made once
        application.lines.clear()
        gc.collect()
        tracemalloc.start()
        second = await open_all()
        gc.collect()
        a_socket = tracemalloc.get_traced_memory()[0] / sockets
        tracemalloc.stop()
        for line in first + second:
            line.close()

    assert a_socket < len(browser)
