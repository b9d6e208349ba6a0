"""WebSockets as uvicorn speaks them, with a direct line between browser and application.

ASGI hands each message over a queue and a task of its own. A live move needs one
message in and four out, so that costs more than the move itself
(docs/reference/figures.md). The handshake stays ASGI's. An application that takes the
line from its scope is called with each text at once from then on, writes without waiting,
and is told when the browser has gone. Its call ends with the handshake: a task with a
frame for each layer of the application is much of what an idle socket would keep.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # a platform without its compiled part
    from websockets.utils import apply_mask

_OPEN_TO_ALL = asyncio.Event()  # of all lines that are not full: an event is 0.7 KiB
_OPEN_TO_ALL.set()

Hear = Callable[[str | None], None]
Lost = Callable[[], None]


class _End:
    """Stands where ASGI's queue was: after the handshake all that comes by it is the end."""

    __slots__ = ("_lost",)

    def __init__(self, lost: Lost) -> None:
        self._lost = lost

    def put_nowait(self, _message: Any) -> None:
        """There is no line any more; said once or twice."""
        self._lost()


class DirectSockets(WebSocketsSansIOProtocol):
    """uvicorn's protocol, offered to the application as ``scope["extensions"]["civic.line"]``."""

    _hear: Hear | None = None
    _full_since: float | None = None
    _early = False  # bytes have come after the request and before its answer
    _whole = True  # nothing but whole texts and pongs has come since the handshake
    _out: list[bytes]  # texts with their heads, of this round of the event loop
    _out_bytes = 0

    async def run_asgi(self) -> None:
        """Offer the line, and call the application, whose call ends early if it takes it."""
        self._out = []
        offered: dict[str, Any] = self.scope["extensions"]
        offered["civic.line"] = self
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            self.logger.exception("A socket failed.")
        finally:
            if not self.handshake_complete:
                self.send_500_response()
            if self._hear is None and self.close_timer is None:
                self.transport.close()

    def start_keepalive(self) -> None:
        """The handshake is over: keep nothing of it, above all not each header in four forms."""
        super().start_keepalive()
        del self.scope, self.request, self.response
        if self.writable.is_set():
            self.writable = _OPEN_TO_ALL
        if not (self._early or self.conn.extensions):
            # The parser holds the request, too; another one goes on where that stands.
            self.conn = ServerProtocol(
                state=OPEN, max_size=self.config.ws_max_size, logger=self.conn.logger
            )

    async def attend(self, hear: Hear, lost: Lost) -> None:
        """Call ``hear`` with each further text as it comes (None stands for a binary frame).

        ``lost`` is called when there is no line any more, perhaps more than once. Returns at
        once; what came since the handshake has been heard then.
        """
        while not self.queue.empty():
            message = await self.receive()
            if message["type"] == "websocket.receive":
                hear(message.get("text"))
            else:
                lost()
        self.queue = _End(lost)  # type: ignore[assignment]
        self._hear = hear

    def write(self, text: bytes) -> None:
        """Send one text frame when the line is free; never blocks, nothing once it is closed.

        What is written in one round of the event loop goes out together: a call to the
        system costs more than a text.
        """
        if not self._out:
            self.loop.call_soon(self._flush)
        self._out += (_head(len(text)), text)
        self._out_bytes += len(text)

    def _flush(self) -> None:
        out, self._out, self._out_bytes = self._out, [], 0
        if out and not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(b"".join(out))

    def waiting_bytes(self) -> int:
        """How much the browser has not taken yet, beyond what the system holds."""
        return int(self.transport.get_write_buffer_size()) + self._out_bytes

    def full_s(self) -> float:
        """How long the line has been full; 0: it is not."""
        return 0.0 if self._full_since is None else time.monotonic() - self._full_since

    async def finish(self, code: int) -> None:
        """Close after what waits, as soon as the browser takes it."""
        self._flush()
        await self.send({"type": "websocket.close", "code": code})

    def stop(self) -> None:
        """Close now; what waits is not sent."""
        self.transport.abort()

    def pause_writing(self) -> None:
        """The browser takes less than it is sent."""
        self._full_since = time.monotonic()
        self.writable = asyncio.Event()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._full_since = None
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Read whole texts at a glance; from the first other frame on, uvicorn reads all.

        Browsers send a move as one frame, and it nearly always comes in one piece. Taking that
        frame apart as a stream that may end anywhere costs more than judging the move.
        """
        if self._hear is None:
            self._early |= self.handshake_initiated and not self.handshake_complete
            super().data_received(data)
            return
        start = 0
        while self._whole and not self.close_sent and start < len(data):
            end = _end(data, start)
            first, fits = data[start], end - start <= self.config.ws_max_size
            self._whole = end > 0 and (first == _PONG or (first == _TEXT and fits))
            if not self._whole:
                break
            if first == _PONG or not self._is_heard(data, start, end):
                super().data_received(data[start:end])
            start = end
        if start < len(data):
            super().data_received(data[start:] if start else data)

    def _is_heard(self, data: bytes, start: int, end: int) -> bool:
        """Hand on the text of a whole frame; False: its bytes are no text."""
        body = start + (6 if data[start + 1] < _LONG else 8)
        try:
            text = apply_mask(data[body:end], data[body - 4 : body]).decode()
        except UnicodeDecodeError:
            return False
        assert self._hear is not None
        self._hear(text)
        return True

    def send_receive_event_to_app(self) -> None:
        """Hand a whole message on: directly to who listens, else as uvicorn does."""
        if self._hear is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        if self.curr_msg_data_type == "text":
            try:
                text = data.decode()
            except UnicodeDecodeError:
                super().send_receive_event_to_app()  # which closes with 1007
                return
        self.frames = []
        self._hear(text if self.curr_msg_data_type == "text" else None)


_TEXT, _PONG = 0x81, 0x8A  # final frames, RFC 6455, section 5.2
_MASKED = 0x80
_LONG = _MASKED | 126  # the length stands in two more bytes; from here on in more


def _end(data: bytes, start: int) -> int:
    """Where the masked frame that begins at ``start`` ends; 0: later, or it is a rare one."""
    left = len(data) - start
    if left < 6 or not _MASKED <= (size := data[start + 1]) <= _LONG:
        return 0
    if size < _LONG:
        end = start + 6 + (size & 0x7F)
    else:
        end = start + 8 + int.from_bytes(data[start + 2 : start + 4], "big")
    return end if end <= len(data) else 0


def _head(size: int) -> bytes:
    """The head of an unmasked, final text frame (RFC 6455, section 5.2)."""
    if size < 126:
        return bytes((0x81, size))
    if size < 2**16:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")
