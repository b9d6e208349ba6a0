"""The same frames over plain requests, where sockets are blocked (docs/reference/live-messages.md).

A browser that polls is held like one with a socket; what it would have been sent
waits here for its next request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe
from msgspec import Struct

from classroom.errors import DomainError, NotThere, TooFast
from games.live import acting, current
from games.live.hub import Hub
from games.live.limits import Limits, Verdict
from games.live.messages import BadMessage, parse
from games.live.rooms import Connection, Room
from games.live.visitors import (
    NoSession,
    Query,
    Visitor,
    visitor_of_lesson,
    visitor_of_match,
)
from games.services import frames, steady
from games.services.codes import CloseCode, Refusal

WAIT_S = 20
LARGEST_BUFFER = 256 * 1024  # bytes that wait for a browser that does not ask
COME_BACK = {CloseCode.RESTART, CloseCode.SILENT, CloseCode.REPLACED}


class Restarting(DomainError):
    """Asking again is all it needs."""

    code = "busy"
    message = _("The site is just restarting. Wait a moment, then try again.")
    status = 503


class Poll(Connection):
    """A page that asks again and again; ``page`` tells it from others of the same browser."""

    def __init__(self, visitor: Visitor, page: str) -> None:
        self.visitor = visitor
        self.page = page
        self.you = visitor.you
        # Projectors have no session in common: each counts by itself.
        self.session = f"{visitor.session or page} {visitor.you.student} poll"
        self.language = visitor.language
        self.lesson = visitor.lesson
        self.heard_at = steady.now()
        self.limits = Limits()
        self.asked = Limits()  # how often it asks; a whole board is made for each answer
        self.ended: CloseCode | None = None
        self.version = 0  # of the last observation that was fetched
        self._frames: list[bytes] = []
        self._news = asyncio.Event()

    def push(self, text: bytes) -> None:
        self._frames.append(text)
        self._news.set()
        if sum(map(len, self._frames)) > LARGEST_BUFFER:
            self.end(CloseCode.SILENT)

    def end(self, code: CloseCode) -> None:
        self.ended = self.ended or code
        self._news.set()
        current.hub().leave(self)

    def lag_s(self) -> float:
        return 0.0  # who does not ask is silent

    async def fetch(self) -> list[bytes]:
        """What waits, or comes within 20 s."""
        try:
            async with asyncio.timeout(WAIT_S):
                await self._news.wait()
        except TimeoutError:
            return []
        self._news.clear()
        fetched, self._frames = self._frames, []
        return fetched


@require_http_methods(["GET", "POST"])
async def now(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """GET: the frames since ``?after=``, at the latest after 20 s. POST: one message's answer."""
    hub = current.hub()
    match = str(match_id)
    try:
        visitor = await hub.door.ask(
            visitor_of_match, request, match, query=_query(request, "board" not in request.GET)
        )
    except (NoSession, ValueError) as error:
        raise NotThere from error
    room = await hub.room(match)
    if room is None:
        raise NotThere
    poll = await _held(hub, room, visitor, _page(request))
    if request.method == "POST":
        return await _post(hub, room, poll, request)
    if poll.asked.message() is not Verdict.FINE:
        raise TooFast
    after = request.GET.get("after", "0")[:9]
    shown = room.shown
    if after.isdecimal() and shown is not None and int(after) < min(poll.version, shown.version):
        hub.resume(room, poll, int(after))  # an answer of ours got lost
    answer = await _fetched(poll)
    if room.shown is not None:
        poll.version = room.shown.version
    return answer


@require_safe
async def lesson_now(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """What the socket of a lesson would have told; ``again`` after an answer that got lost."""
    hub = current.hub()
    lesson = str(lesson_id)
    try:
        visitor = await hub.door.ask(
            visitor_of_lesson, request, lesson, query=_query(request, "waiting" in request.GET)
        )
    except (NoSession, ValueError) as error:
        raise NotThere from error
    page = _page(request)
    room = hub.lessons.get(lesson)
    held = None if room is None else _poll_of(room.sockets, visitor, page)
    if held is not None and "again" in request.GET:
        held.end(CloseCode.REPLACED)
        held = None
    poll = held or Poll(visitor, page)
    if held is None:
        hub.admit(poll)
        poll.push(frames.hello_of_lesson(poll.you, steady.now()))
        await hub.watch_lesson(poll, lesson, visitor.matches)
    poll.heard_at = steady.now()
    if poll.asked.message() is not Verdict.FINE:
        raise TooFast
    return await _fetched(poll)


def _query(request: HttpRequest, playing: bool) -> Query:
    return Query(
        playing=playing,
        screen=request.GET.get("screen", ""),
        as_student=request.GET.get("as", ""),
    )


def _page(request: HttpRequest) -> str:
    return request.GET.get("page", "")[:40]


def _poll_of(sockets: Iterable[Connection], visitor: Visitor, page: str) -> Poll | None:
    for connection in sockets:
        if (
            isinstance(connection, Poll)
            and connection.visitor == visitor
            and connection.page == page
        ):
            return connection
    return None


async def _held(hub: Hub, room: Room, visitor: Visitor, page: str) -> Poll:
    held = _poll_of(room.sockets, visitor, page)
    if held is not None:
        hub.heard(room, held)
        return held
    poll = Poll(visitor, page)
    hub.admit(poll)
    await hub.watch_match(poll, room.match)
    return poll


async def _fetched(poll: Poll) -> HttpResponse:
    """The frames that wait or come; or why there will be no more."""
    fetched = await poll.fetch()
    poll.heard_at = steady.now()
    if poll.ended in COME_BACK:
        raise Restarting
    if poll.ended is not None:
        raise NotThere
    return _json(fetched)


async def _post(hub: Hub, room: Room, poll: Poll, request: HttpRequest) -> HttpResponse:
    if poll.limits.message() is not Verdict.FINE:
        raise TooFast
    try:
        message = parse(request.body.decode())
    except (BadMessage, UnicodeDecodeError) as error:
        refusal = error.refusal if isinstance(error, BadMessage) else Refusal.BAD_MESSAGE
        poll.limits.bad_message()
        return _json([acting.refused(poll, None, refusal)], status=refusal.status)
    answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
    acting.act(
        hub, poll, room, message, lambda text: None if answer.done() else answer.set_result(text)
    )
    text = await answer
    return _json([text], status=_status(text))


class _Answer(Struct):
    """As much of a frame as its HTTP status depends on."""

    type: str
    code: str = ""


_read = msgspec.json.Decoder(_Answer).decode
_PLATFORM = {refusal.value: refusal.status for refusal in Refusal}


def _status(text: bytes) -> int:
    """200, or what the code of a refusal stands for over HTTP; a game's own code for 422."""
    answer = _read(text)
    return 200 if answer.type != "refused" else _PLATFORM.get(answer.code, 422)


def _json(texts: Iterable[bytes], status: int = 200) -> HttpResponse:
    whole = b"[" + b",".join(texts) + b"]"
    return HttpResponse(whole, content_type="application/json", status=status)
