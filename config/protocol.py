"""HTTP as uvicorn speaks it, with an end to patience and a short way for files.

uvicorn waits for ever for a request that never becomes whole, and each one keeps
a connection open. A browser sends its headers at once; the slowest network is
through within seconds.

A page names dozens of files. Those that never change are answered here, in the
call that read the request: the task and the applications on the usual way cost
more than everything else about a file.
"""

from __future__ import annotations

import asyncio
from asyncio.events import TimerHandle
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from config import heads, kept

HEADERS_S = 5.0  # for a whole head; also for a connection on which nothing is asked
BODY_S = 300.0  # 20 MB at half a megabit a second


class Bounded(HttpToolsProtocol):
    """Closes a connection whose request is not whole in time.

    Between two requests uvicorn's own keep-alive limit holds.
    """

    # A timer that rings too early is set anew: to set one at each request costs more.
    _patience: TimerHandle | None = None
    _rings_at = 0.0
    _until: float | None = None  # when patience ends; None: nothing is waited for

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A browser is there: it may ask."""
        super().connection_made(transport)
        self._wait(HEADERS_S)

    def on_message_begin(self) -> None:
        """The first byte of a request came; on a kept connection, of the next."""
        super().on_message_begin()
        if self._until is None:
            self._wait(HEADERS_S)

    def on_headers_complete(self) -> None:
        """The headers are whole: a body may follow."""
        self._wait(BODY_S)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole; how long the answer takes is another matter."""
        self._until = None
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
        self._until = self.loop.time() + seconds
        if self._patience is None or self._until < self._rings_at:
            self._ring_in(seconds)

    def _ring_in(self, seconds: float) -> None:
        if self._patience is not None:
            self._patience.cancel()
        self._rings_at = self.loop.time() + seconds
        self._patience = self.loop.call_later(seconds, self._ring)

    def _stop_waiting(self) -> None:
        self._until = None
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _ring(self) -> None:
        self._patience = None
        if self._until is None or self.transport.is_closing():
            return
        left = self._until - self.loop.time()
        if left > 0:
            self._ring_in(left)
        else:
            self.transport.abort()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Ask the application, unless the answer is kept and the line is free for it."""
        found = None
        if app is self.app and not self.pipeline and not self.flow.write_paused:
            found = _kept(cycle.scope)
        if found is None:
            super()._start_asgi_task(cycle, app)
            return
        added = [b"%b: %b\r\n" % header for header in cycle.default_headers]
        if not cycle.keep_alive:
            added.append(b"connection: close\r\n")
        cycle.response_started = cycle.response_complete = True
        self.transport.write(b"".join([STATUS_LINE[200], *added, found.text]))
        if not cycle.keep_alive:
            self.transport.close()
        cycle.on_response()


def _kept(scope: Any) -> kept.Answer | None:
    """The answer to a request that the application would take, too."""
    key = kept.key_of(scope)
    if key is None or heads.size(scope) > heads.LARGEST:
        return None
    return kept.answers.get(key)
