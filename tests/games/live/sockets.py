"""A browser's socket in a test: the same frames, without a server in between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from games.live.routing import sockets

HOST = "localhost:8000"
PATIENCE_S = 20.0  # for what comes at once, on a machine with much else to do


class Wire(ApplicationCommunicator):  # type: ignore[misc]
    """The server's side of one socket, as a web server would drive it."""

    async def connect(self, timeout: float = PATIENCE_S) -> tuple[bool, int | None]:
        """Whether the handshake was accepted, else the code of the refusal."""
        await self.send_input({"type": "websocket.connect"})
        answer = await self.receive_output(timeout)
        return answer["type"] == "websocket.accept", answer.get("code")

    async def send_text(self, text: str) -> None:
        """One text frame."""
        await self.send_input({"type": "websocket.receive", "text": text})

    async def disconnect(self) -> None:
        """The browser goes away."""
        await self.send_input({"type": "websocket.disconnect", "code": 1001})
        await self.wait(PATIENCE_S)


class Browser:
    """One socket with everything that it was sent."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.got: list[dict[str, Any]] = []
        self.board: dict[str, Any] | None = None  # the last observation
        self.closed: int | None = None

    async def say(self, **message: Any) -> None:
        """Send one message."""
        await self.wire.send_text(json.dumps(message))

    async def hear(self, kind: str, timeout_s: float = PATIENCE_S, **fields: Any) -> dict[str, Any]:
        """The next message of a type, and with these fields."""
        async with asyncio.timeout(timeout_s):
            while True:
                message = await self.next()
                if message["type"] == kind and fields.items() <= message.items():
                    return message

    async def next(self) -> dict[str, Any]:
        """The next message, whatever it is."""
        output = await self.wire.receive_output(timeout=PATIENCE_S)
        if output["type"] == "websocket.close":
            self.closed = output["code"]
            raise ConnectionResetError(output["code"])
        message: dict[str, Any] = json.loads(output["text"])
        self.got.append(message)
        if message["type"] == "observation":
            self.board = message
        return message

    async def hear_close(self, timeout_s: float = PATIENCE_S) -> int:
        """The code with which the server ends the socket."""
        async with asyncio.timeout(timeout_s):
            while self.closed is None:
                try:
                    await self.next()
                except ConnectionResetError:
                    break
        assert self.closed is not None
        return self.closed

    async def ask(self, kind: str = "move", **message: Any) -> dict[str, Any]:
        """Send a move or vote; the answer to it."""
        message.setdefault("request_id", uuid4().hex)
        await self.say(type=kind, **message)
        async with asyncio.timeout(PATIENCE_S):
            while True:
                answer = await self.next()
                if answer["type"] in {"accepted", "refused"}:
                    return answer


def wire(
    path: str,
    session: str = "",
    *,
    origin: str | None = f"http://{HOST}",
    host: str = HOST,
    language: str = "en",
) -> Wire:
    """A socket that has not connected yet."""
    headers = [(b"host", host.encode()), (b"accept-language", language.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    if session:
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode()))
    path, _mark, query = path.partition("?")
    scope = {
        "type": "websocket",
        "path": path,
        "query_string": query.encode(),
        "headers": headers,
        "scheme": "ws",
        "subprotocols": [],
    }
    return Wire(sockets, scope)


@asynccontextmanager
async def browser(path: str, session: str, **how: Any) -> AsyncIterator[Browser]:
    """A browser that was let in."""
    line = wire(path, session, **how)
    connected, code = await line.connect()
    assert connected, f"refused with {code}"
    held = Browser(line)
    try:
        yield held
    finally:
        if held.closed is None:
            await line.disconnect()
