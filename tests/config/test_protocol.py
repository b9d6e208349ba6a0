"""HTTP below the application: files that are kept, and requests that never become whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from config import heads, kept
from config.heads import BoundedHeads
from config.kept import KeptFiles
from config.protocol import BODY_S, HEADERS_S, Bounded

FILE = "/static/css/base.1234.css"
TEXT = b"body { color: teal }"


class Shop:
    """An application of one file, and of pages that take their time; notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go_on = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(scope["path"])
        headers = [(b"Content-Length", str(len(TEXT)).encode())]
        if scope["path"] == FILE:
            headers.append((b"Cache-Control", b"max-age=315360000, public, immutable"))
        else:
            await self.go_on.wait()
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": TEXT})


class Wire(asyncio.Transport):
    """A browser's line: what was written to it, and whether it is still open."""

    def __init__(self) -> None:
        super().__init__()
        self.said = b""
        self.closed = self.aborted = False

    def write(self, data: Any) -> None:
        self.said += bytes(data)

    def is_closing(self) -> bool:
        return self.closed or self.aborted

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True

    def pause_reading(self) -> None:
        """Nobody reads here."""

    def resume_reading(self) -> None:
        """Nobody reads here."""


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "answers", {})


def _connected(app: Any, loop: Any = None) -> tuple[Bounded, Wire]:
    protocol = Bounded(Config(app, log_config=None), ServerState(), {}, loop)
    wire = Wire()
    protocol.connection_made(wire)
    return protocol, wire


def _request(path: str, *lines: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


async def _said(protocol: Bounded, wire: Wire, request: bytes) -> bytes:
    """What is answered to a request on an open line."""
    wire.said = b""
    protocol.data_received(request)
    await asyncio.gather(*protocol.tasks)
    return wire.said


def _run(story: Callable[[Shop, Bounded, Wire], Any]) -> Shop:
    async def told() -> Shop:
        shop = Shop()
        protocol, wire = _connected(BoundedHeads(KeptFiles(shop, kept.answers)))
        await story(shop, protocol, wire)
        protocol.connection_lost(None)
        return shop

    return asyncio.run(told())


def test_file_that_is_kept_is_answered_with_the_same_bytes_and_without_the_application() -> None:
    async def story(_shop: Shop, protocol: Bounded, wire: Wire) -> None:
        first = await _said(protocol, wire, _request(FILE))
        assert first.endswith(TEXT)

        wire.said = b""
        protocol.data_received(_request(FILE) * 2)

        assert wire.said == first * 2
        assert not protocol.tasks
        assert not wire.is_closing()

    assert _run(story).asked == [FILE]


def test_line_is_closed_where_the_browser_asks_for_it() -> None:
    async def story(_shop: Shop, protocol: Bounded, wire: Wire) -> None:
        await _said(protocol, wire, _request(FILE))

        said = await _said(protocol, wire, _request(FILE, "Connection: close"))

        assert b"\r\nconnection: close\r\n" in said
        assert said.endswith(TEXT)
        assert wire.closed

    assert _run(story).asked == [FILE]


@pytest.mark.parametrize(
    "request_",
    [
        _request(FILE, "If-None-Match: 1"),
        _request(f"{FILE}?again"),
        _request(FILE, "Content-Length: 0"),
        _request("/static/css/layout.1234.css"),
    ],
    ids=["newer", "query", "body", "other"],
)
def test_application_is_asked_for_everything_else(request_: bytes) -> None:
    async def story(shop: Shop, protocol: Bounded, wire: Wire) -> None:
        shop.go_on.set()
        await _said(protocol, wire, _request(FILE))

        await _said(protocol, wire, request_)

    assert len(_run(story).asked) == 2


def test_head_that_is_too_long_is_refused_for_a_file_that_is_kept() -> None:
    async def story(_shop: Shop, protocol: Bounded, wire: Wire) -> None:
        await _said(protocol, wire, _request(FILE))

        said = await _said(protocol, wire, _request(FILE, f"X-Long: {'x' * heads.LARGEST}"))

        assert said.startswith(b"HTTP/1.1 431 ")

    _run(story)


def test_file_waits_for_the_page_that_was_asked_for_before_it() -> None:
    async def story(shop: Shop, protocol: Bounded, wire: Wire) -> None:
        first = await _said(protocol, wire, _request(FILE))
        wire.said = b""
        protocol.data_received(_request("/page/") + _request(FILE) * 3)
        while "/page/" not in shop.asked:
            await asyncio.sleep(0)
        assert wire.said == b""

        shop.go_on.set()
        while wire.said.count(TEXT) < 4:
            await asyncio.sleep(0)

        assert wire.said.endswith(first * 3)

    assert _run(story).asked == [FILE, "/page/"]


def test_browser_that_takes_nothing_is_written_nothing() -> None:
    async def story(_shop: Shop, protocol: Bounded, wire: Wire) -> None:
        first = await _said(protocol, wire, _request(FILE))
        protocol.pause_writing()
        wire.said = b""
        protocol.data_received(_request(FILE))
        for _ in range(10):
            await asyncio.sleep(0)
        assert wire.said == b""

        protocol.resume_writing()
        await asyncio.gather(*protocol.tasks)

        assert wire.said == first

    assert _run(story).asked == [FILE]


# -- patience --------------------------------------------------------------------------------------


class Timer:
    """A bell that can be stopped."""

    def __init__(self, at: float, ring: Callable[[], None]) -> None:
        self.at, self.ring = at, ring
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Hours:
    """An event loop whose time passes when it is told to."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._timers: list[Timer] = []

    def time(self) -> float:
        return self._now

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        self._timers.append(Timer(self._now + delay, callback))
        return self._timers[-1]

    def waiting(self) -> int:
        """How many timers are set."""
        return sum(not timer.cancelled for timer in self._timers)

    def create_task(self, work: Any) -> Any:
        """What is asked for is never answered."""
        work.close()
        return asyncio.get_running_loop().create_future()

    def pass_by(self, seconds: float) -> None:
        """Let the time pass; what is due rings when it is due."""
        end = self._now + seconds
        while due := [one for one in self._timers if not one.cancelled and one.at <= end]:
            first = min(due, key=lambda one: one.at)
            self._timers.remove(first)
            self._now = max(self._now, first.at)
            first.ring()
        self._now = end


HALF = b"GET /page/ HTTP/1.1\r\nHost: lo"
FORM = b"POST /page/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n"


@pytest.mark.parametrize(
    ("asked", "patience_s"),
    [([b""], HEADERS_S), ([HALF], HEADERS_S), ([FORM], BODY_S), ([FORM, b"12"], BODY_S)],
    ids=["nothing", "half a head", "no body", "half a body"],
)
def test_request_that_never_becomes_whole_ends(asked: list[bytes], patience_s: float) -> None:
    async def ask() -> None:
        hours = Hours()
        protocol, wire = _connected(Shop(), hours)
        for piece in asked:
            protocol.data_received(piece)

        hours.pass_by(patience_s - 0.1)
        assert not wire.aborted
        hours.pass_by(0.1)

        assert wire.aborted

    asyncio.run(ask())


def test_answer_may_take_its_time_and_the_next_request_has_its_own() -> None:
    async def ask() -> None:
        hours = Hours()
        kept.answers[FILE, "http", False] = kept.Answer({}, b"", b"\r\n")
        protocol, wire = _connected(Shop(), hours)
        protocol.timeout_keep_alive = 10_000
        protocol.data_received(FORM + b"1234")
        hours.pass_by(BODY_S * 2)
        assert not wire.aborted

        protocol, wire = _connected(Shop(), hours)
        protocol.timeout_keep_alive = 10_000
        protocol.data_received(_request(FILE))
        hours.pass_by(HEADERS_S * 2)
        protocol.data_received(HALF)
        hours.pass_by(HEADERS_S - 0.1)
        assert not wire.aborted
        hours.pass_by(0.1)

        assert wire.aborted

    asyncio.run(ask())


def test_line_that_is_gone_leaves_no_timer() -> None:
    async def ask() -> None:
        hours = Hours()
        protocol, _wire = _connected(Shop(), hours)
        protocol.data_received(FORM)

        protocol.connection_lost(None)

        assert hours.waiting() == 0

    asyncio.run(ask())
