"""HTTP as uvicorn speaks it, with an end to patience.

uvicorn waits for ever for a request that never becomes whole, and each one keeps
a connection open. A browser sends its headers at once; the slowest network is
through within seconds.
"""

from __future__ import annotations

import asyncio
from asyncio.events import TimerHandle

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADERS_S = 5.0  # QUALITY F16; also for a connection on which nothing is asked
BODY_S = 300.0  # 20 MB at half a megabit a second


class Bounded(HttpToolsProtocol):
    """Closes a connection whose request is not whole in time.

    Between two requests uvicorn's own keep-alive limit holds.
    """

    _patience: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A browser is there: it may ask."""
        super().connection_made(transport)
        self._wait(HEADERS_S)

    def on_message_begin(self) -> None:
        """The first byte of a request came; on a kept connection, of the next."""
        super().on_message_begin()
        if self._patience is None:
            self._wait(HEADERS_S)

    def on_headers_complete(self) -> None:
        """The headers are whole: a body may follow."""
        self._wait(BODY_S)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole; how long the answer takes is another matter."""
        self._stop_waiting()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing to wait for."""
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """The socket's own limits hold from here."""
        self._stop_waiting()
        super().handle_websocket_upgrade()

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._patience = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        if not self.transport.is_closing():
            self.transport.abort()
