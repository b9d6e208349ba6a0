"""How text goes out to a browser and comes in, between handshake and end.

Our web server offers a line of its own (``config.sockets``); any other ASGI server is
served through its queue.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

Hear = Callable[[str | None], None]
Lost = Callable[[], None]


class Line(Protocol):
    """One browser's line."""

    async def attend(self, hear: Hear, lost: Lost) -> None:
        """Call ``hear`` with each further text; None stands for a binary frame.

        ``lost`` is called when there is no line any more, perhaps more than once. Returns when
        the server may take the application's call for ended, which may be at once.
        """

    def write(self, text: bytes) -> None:
        """Send when the line is free; never blocks."""

    def waiting_bytes(self) -> int:
        """How much the browser has not taken yet."""

    def full_s(self) -> float:
        """How long the browser has been taking too little."""

    async def finish(self, code: int) -> None:
        """Close after what waits."""

    def stop(self) -> None:
        """End now; what waits is not sent."""


class QueuedLine:
    """A line over ASGI's ``send``; what comes in comes as ASGI's messages."""

    def __init__(self, receive: Callable[[], Any], send: Callable[[Any], Any]) -> None:
        self._receive = receive
        self._send = send
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._bytes = 0
        self._sending: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()

    async def attend(self, hear: Hear, lost: Lost) -> None:
        """Hand on what comes, until the browser goes or this side has ended."""
        ended = asyncio.ensure_future(self._ended.wait())
        coming = asyncio.ensure_future(self._receive())
        try:
            while True:
                await asyncio.wait({coming, ended}, return_when=asyncio.FIRST_COMPLETED)
                if ended.done() or coming.result()["type"] != "websocket.receive":
                    return
                hear(coming.result().get("text"))
                coming = asyncio.ensure_future(self._receive())
        finally:
            lost()
            self.stop()
            ended.cancel()
            coming.cancel()

    def write(self, text: bytes) -> None:
        """Queue the text; a task sends while there are any."""
        self._waiting.append((time.monotonic(), text))
        self._bytes += len(text)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._send_waiting())

    async def _send_waiting(self) -> None:
        try:
            while self._waiting:
                text = self._waiting[0][1]
                await self._send({"type": "websocket.send", "text": text.decode()})
                self._waiting.popleft()
                self._bytes -= len(text)
        except OSError:  # the browser has gone
            self._waiting.clear()
            self._ended.set()

    def waiting_bytes(self) -> int:
        """What is queued."""
        return self._bytes

    def full_s(self) -> float:
        """How long the oldest text has waited."""
        return time.monotonic() - self._waiting[0][0] if self._waiting else 0.0

    async def finish(self, code: int) -> None:
        """Close after what is queued."""
        if self._sending is not None and not self._sending.done():
            await asyncio.shield(self._sending)
        await self._send({"type": "websocket.close", "code": code})
        self._ended.set()

    def stop(self) -> None:
        """Send no more."""
        self._ended.set()
        if self._sending is not None:
            self._sending.cancel()


def line_of(scope: Any, receive: Callable[[], Any], send: Callable[[Any], Any]) -> Line:
    """The line that the server offers, else one over its queue."""
    offered: Line | None = scope.get("extensions", {}).get("civic.line")
    return offered or QueuedLine(receive, send)
