"""The sockets of a match and of a lesson.

A consumer reads a message, hands it on and answers; it touches no model and no
rule. It never goes to the database by itself, so Channels' thread hop at every
message is left out (quality/performance).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Any
from urllib.parse import parse_qs

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from classroom.errors import NotThere
from games.live import acting, current
from games.live.hub import Hub
from games.live.limits import Limits, Verdict
from games.live.messages import BadMessage, ClientMessage, Ping, Resume, parse
from games.live.origins import same_site
from games.live.rooms import Connection
from games.live.visitors import (
    NoSession,
    Query,
    Visitor,
    handshake,
    visitor_of_lesson,
    visitor_of_match,
)
from games.services import frames, steady
from games.services.codes import CloseCode, Refusal

OUTGOING_BYTES = 256 * 1024  # more than this waits: the browser takes nothing


class Socket(Connection, AsyncWebsocketConsumer):  # type: ignore[misc]
    """What both sockets share: the handshake, limits in and out, and the end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hub: Hub = current.hub()
        self.session = ""  # of a browser that was let in
        self.heard_at = steady.now()
        self._waiting: deque[tuple[float, str]] = deque()
        self.waiting_bytes = 0
        self._sending: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self._limits = Limits()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One socket from handshake to end; unlike Channels' own, without a channel of its own."""
        self.scope = scope
        self.base_send = send
        closing = asyncio.ensure_future(self._closing.wait())
        coming = asyncio.ensure_future(receive())
        try:
            while True:
                await asyncio.wait({coming, closing}, return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    return
                message = coming.result()
                await self.dispatch(message)
                coming = asyncio.ensure_future(receive())
        except StopConsumer:
            pass
        finally:
            self.hub.leave(self)
            for task in (closing, coming, self._sending):
                if task is not None:
                    task.cancel()

    async def dispatch(self, message: Any) -> None:
        """The three messages that a server sends; no database in sight."""
        match message["type"]:
            case "websocket.connect":
                await self._connect()
            case "websocket.receive":
                await self._receive(message.get("text"))
            case _:
                raise StopConsumer

    # -- the handshake -------------------------------------------------------------------------

    async def _connect(self) -> None:
        headers = dict(self.scope["headers"])
        if not same_site(
            _header(headers, b"origin"),
            _header(headers, b"host"),
            self.scope.get("scheme", "ws"),
            settings.ALLOWED_HOSTS,
        ):
            await self.close()  # before accept: HTTP 403
            raise StopConsumer
        try:
            self.visitor = await self.hub.reader.ask(self.ask_visitor)
        except NoSession:
            await self._turn_away(CloseCode.NO_SESSION)
        except (NotThere, ValueError):
            await self._turn_away(CloseCode.NOT_THERE)
        self.you = self.visitor.you
        # Projectors have no session in common: each counts by itself.
        self.session = f"{self.visitor.session or id(self)} {self.you.student}"
        self.language = self.visitor.language
        self.lesson = self.visitor.lesson
        await self.accept()
        self.hub.admit(self)
        await self.welcome()

    async def _turn_away(self, code: CloseCode) -> None:
        """Refuse before the accept, HTTP 403: nothing was joined."""
        await self.close(int(code))
        raise StopConsumer

    def ask_visitor(self) -> Visitor:
        """Who this is; in a thread that may read the database."""
        raise NotImplementedError

    async def welcome(self) -> None:
        """What a newcomer is sent first."""
        raise NotImplementedError

    def query(self, *, playing: bool) -> Query:
        """What the address says; ``playing``: what holds without ``board`` or ``waiting``."""
        asked: dict[str, list[str]] = parse_qs(self.scope["query_string"].decode("latin-1"))
        if "board" in asked or "waiting" in asked:
            playing = "waiting" in asked
        return Query(
            playing=playing,
            screen=asked.get("screen", [""])[0],
            as_student=asked.get("as", [""])[0],
        )

    # -- what comes in -------------------------------------------------------------------------

    async def _receive(self, text: str | None) -> None:
        verdict = self._limits.message()
        if verdict is not Verdict.FINE:
            self.push(acting.refused(self, None, Refusal.TOO_FAST))
            if verdict is Verdict.ABUSE:
                self.end(CloseCode.ABUSE)
            return
        self.heard_at = steady.now()
        try:
            message = parse(text)
        except BadMessage as bad:
            self.push(acting.refused(self, None, bad.refusal))
            if self._limits.bad_message() is Verdict.ABUSE:
                self.end(CloseCode.ABUSE)
            return
        await self.said(message)

    async def said(self, message: ClientMessage) -> None:
        """Do what a message of the protocol asks for."""
        raise NotImplementedError

    # -- what goes out -------------------------------------------------------------------------

    def push(self, text: str) -> None:
        self._waiting.append((time.monotonic(), text))
        self.waiting_bytes += len(text)
        if self.waiting_bytes > OUTGOING_BYTES:
            self.end(CloseCode.SILENT)
        elif self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._send_waiting())

    async def _send_waiting(self) -> None:
        try:
            while self._waiting:
                text = self._waiting[0][1]
                await self.base_send({"type": "websocket.send", "text": text})
                self._waiting.popleft()
                self.waiting_bytes -= len(text)
        except OSError:  # the browser has gone
            self._waiting.clear()
            self._closing.set()
            self.hub.leave(self)

    def lag_s(self) -> float:
        return time.monotonic() - self._waiting[0][0] if self._waiting else 0.0

    def end(self, code: CloseCode) -> None:
        if not self._closing.is_set():
            self._closing.set()
            self.hub.leave(self)
            self.hub.spawn(self._say_goodbye(code, self._sending))

    async def _say_goodbye(self, code: CloseCode, sending: asyncio.Task[None] | None) -> None:
        """Close after what is on its way, but wait for nobody who takes nothing."""
        try:
            async with asyncio.timeout(1):
                if sending is not None and not sending.done():
                    await asyncio.shield(sending)
                await self.base_send({"type": "websocket.close", "code": int(code)})
        except (TimeoutError, RuntimeError, OSError, asyncio.CancelledError):
            return  # the line is dead or already closed; the server drops it


class MatchSocket(Socket):
    """``/ws/match/<id>/``: play pages and boards."""

    @property
    def match(self) -> str:
        return str(self.scope["url_route"]["kwargs"]["match_id"])

    def ask_visitor(self) -> Visitor:
        return visitor_of_match(handshake(self.scope), self.match, query=self.query(playing=True))

    async def welcome(self) -> None:
        if not await self.hub.watch_match(self, self.match):
            self.end(CloseCode.NOT_THERE)

    async def said(self, message: ClientMessage) -> None:
        room = await self.hub.room(self.match)
        if room is None:
            self.end(CloseCode.GONE)
        else:
            self.push(await acting.answer(self.hub, self, room, message))


class LessonSocket(Socket):
    """``/ws/lesson/<id>/``: waiting pages, the desk and the projector."""

    def ask_visitor(self) -> Visitor:
        lesson = str(self.scope["url_route"]["kwargs"]["lesson_id"])
        return visitor_of_lesson(handshake(self.scope), lesson, query=self.query(playing=False))

    async def welcome(self) -> None:
        self.push(frames.hello_of_lesson(self.you, steady.now()))
        await self.hub.watch_lesson(self, self.lesson, self.visitor.matches)

    async def said(self, message: ClientMessage) -> None:
        if isinstance(message, Ping | Resume):
            self.push(frames.message("pong", version=0))
        else:
            self.push(acting.refused(self, message.request_id, Refusal.NOT_ALLOWED))


def _header(headers: dict[bytes, bytes], name: bytes) -> str | None:
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")
