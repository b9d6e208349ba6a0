"""A TCP proxy in front of one server: cuts lines, and loses answers that were given."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Proxy:
    """Lines through one port to one server. ``port`` is where browsers connect."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.cuts = 0  # lines that were cut in mid-play
        self.lost = 0  # bytes of answers that never arrived
        self._deaf = False
        self._lines: set[asyncio.StreamWriter] = set()

    @property
    def lines(self) -> int:
        """How many browsers are connected through it."""
        return len(self._lines)

    async def lose_answers(self, seconds: float) -> None:
        """The server hears everything, the browsers hear nothing; then the lines break."""
        self._deaf = True
        await asyncio.sleep(seconds)
        self.cut()
        self._deaf = False

    def cut(self) -> None:
        """Break all lines at once, without a goodbye."""
        self.cuts += self.lines
        for line in tuple(self._lines):
            line.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One browser's line, until either side ends it."""
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:  # the server is down: so is the line
            writer.transport.abort()
            return
        self._lines.add(writer)
        ways = [
            asyncio.create_task(self._carry(reader, back, answers=False)),
            asyncio.create_task(self._carry(there, writer, answers=True)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._lines.discard(writer)
            for way in ways:
                way.cancel()
            back.transport.abort()
            writer.transport.abort()

    async def _carry(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, answers: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65_536):
                if answers and self._deaf:
                    self.lost += len(data)
                    continue
                sink.write(data)
                await sink.drain()


@asynccontextmanager
async def proxy(target: int) -> AsyncIterator[Proxy]:
    """A proxy that listens."""
    held = Proxy(target)
    server = await asyncio.start_server(held.serve, "127.0.0.1", 0)
    held.port = server.sockets[0].getsockname()[1]
    try:
        yield held
    finally:
        server.close()
        held.cut()
