"""The sockets of a match and of a lesson.

A consumer reads a message, hands it on and answers; it touches no model and no
rule. It never goes to the database by itself, so Channels' thread hop at every
message is left out (docs/reference/figures.md).
"""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import parse_qs

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http import HttpRequest
from django.utils.encoding import escape_uri_path

from classroom.access import asker
from classroom.errors import NotThere
from classroom.models import Teacher
from classroom.security_log import Event, Storm
from games.live import acting, current
from games.live.hub import Hub
from games.live.limits import Limits, Verdict
from games.live.lines import Line, line_of
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

turned_away = Storm(Event.HANDSHAKE_REFUSED)


class Socket(Connection, AsyncWebsocketConsumer):  # type: ignore[misc]
    """What both sockets share: the handshake, limits in and out, and the end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hub: Hub = current.hub()
        self.session = ""  # of a browser that was let in
        self._asker: Teacher | str = "nobody-known"
        self.heard_at = steady.now()
        self._ended = False
        self._limits = Limits()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """The handshake, then the line; unlike Channels' own, without a channel of its own."""
        self.scope = scope
        self.base_send = send
        self.line: Line = line_of(scope, receive, send)
        try:
            await receive()  # websocket.connect: a server says nothing else first
            await self._connect()
        except StopConsumer:
            return
        except BaseException:
            self._lost()
            raise
        # A socket is open for an hour: its headers are not needed, nor what led here.
        del self.scope
        await self.line.attend(self.hear, self._lost)

    # -- the handshake -------------------------------------------------------------------------

    async def _connect(self) -> None:
        headers = dict(self.scope["headers"])
        if not same_site(
            _header(headers, b"origin"),
            _header(headers, b"host"),
            self.scope.get("scheme", "ws"),
            settings.ALLOWED_HOSTS,
        ):
            await self._turn_away("origin")
        try:
            self.visitor = await self.hub.door.ask(self.ask_visitor)
        except NoSession:
            await self._turn_away("no-session", CloseCode.NO_SESSION)
        except (NotThere, ValueError):
            await self._turn_away("not-theirs", CloseCode.NOT_THERE)
        self.you = self.visitor.you
        # Projectors have no session in common: each counts by itself.
        self.session = f"{self.visitor.session or id(self)} {self.you.student}"
        self.language = self.visitor.language
        self.lesson = self.visitor.lesson
        await self.accept()
        self.hub.admit(self)
        await self.welcome()

    async def _turn_away(self, why: str, code: CloseCode | None = None) -> None:
        """Refuse before the accept, HTTP 403: nothing was joined."""
        turned_away.note(by=self._asker, about=f"{why}:{escape_uri_path(self.scope['path'])}")
        await self.close(code)
        raise StopConsumer

    def request(self) -> HttpRequest:
        """The handshake as a request; in a thread that may read the database."""
        request = handshake(self.scope)
        self._asker = asker(request)
        return request

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

    def hear(self, text: str | None) -> None:
        """A text came in; None stands for a binary frame. Nothing is heard after the end."""
        if self._ended:
            return
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
        self.said(message)

    def said(self, message: ClientMessage) -> None:
        """Do what a message of the protocol asks for."""
        raise NotImplementedError

    # -- what goes out -------------------------------------------------------------------------

    def push(self, text: bytes) -> None:
        self.line.write(text)
        if self.line.waiting_bytes() > OUTGOING_BYTES:
            self.end(CloseCode.SILENT)

    def lag_s(self) -> float:
        return self.line.full_s()

    def _lost(self) -> None:
        self._ended = True
        self.hub.leave(self)

    def end(self, code: CloseCode) -> None:
        if not self._ended:
            self._lost()
            self.hub.spawn(self._say_goodbye(code))

    async def _say_goodbye(self, code: CloseCode) -> None:
        """Close after what is on its way, but wait for nobody who takes nothing."""
        try:
            async with asyncio.timeout(1):
                await self.line.finish(int(code))
        except TimeoutError:
            self.line.stop()
        except (RuntimeError, OSError, asyncio.CancelledError):
            return  # the line is dead or already closed; the server drops it


class MatchSocket(Socket):
    """``/ws/match/<id>/``: play pages and boards."""

    @property
    def match(self) -> str:
        return str(self.scope["url_route"]["kwargs"]["match_id"])

    def ask_visitor(self) -> Visitor:
        return visitor_of_match(self.request(), self.match, query=self.query(playing=True))

    async def welcome(self) -> None:
        if not await self.hub.watch_match(self, self.match):
            self.end(CloseCode.NOT_THERE)

    def said(self, message: ClientMessage) -> None:
        if self.room is None:  # it was deleted while this browser came
            self.end(CloseCode.GONE)
        else:
            acting.act(self.hub, self, self.room, message, self.push)


class LessonSocket(Socket):
    """``/ws/lesson/<id>/``: waiting pages, the desk and the projector."""

    def ask_visitor(self) -> Visitor:
        lesson = str(self.scope["url_route"]["kwargs"]["lesson_id"])
        return visitor_of_lesson(self.request(), lesson, query=self.query(playing=False))

    async def welcome(self) -> None:
        self.push(frames.hello_of_lesson(self.you, steady.now()))
        await self.hub.watch_lesson(self, self.lesson, self.visitor.matches)

    def said(self, message: ClientMessage) -> None:
        if isinstance(message, Ping | Resume):
            self.push(frames.message("pong", version=0))
        else:
            self.push(acting.refused(self, message.request_id, Refusal.NOT_ALLOWED))


def _header(headers: dict[bytes, bytes], name: bytes) -> str | None:
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")
