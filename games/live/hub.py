"""The sockets of one process, by match and by lesson (DESIGN section 5).

Runs in the event loop alone. It makes each message once for all who may read the
same in the same language, hands it to its own sockets, and knows who is there.
What is true comes from the writer; nothing here is needed after a restart.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import defaultdict, deque
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings

from games.deciding import PRESENT_S, Attention, split_line
from games.engine.moves import Listed
from games.live.reader import Reader
from games.live.visitors import Visitor
from games.live.writer import Advance, Expire, Reload, Result, Results, Settle, Task, Writer
from games.position import Happened, Opened, Position
from games.selectors.wording import wording
from games.services import facts, frames, log, play, steady
from games.services.codes import CloseCode, Refusal
from games.services.frames import You
from games.services.play import Accepted, Refused

logger = logging.getLogger("games.live")

RECENT_RECORDS = 30  # whose events a newcomer gets
SOCKETS_A_SESSION = 5
HEARTBEAT_S = 10
SILENT_S = 60
LAG_S = 30  # a browser that takes nothing for so long is gone
CALLS = {"deserted", "explain"}  # pauses that need the teacher
GROUP = "live"  # of all web processes
PROCESSES_TALK_S = 5  # how often processes tell each other who is there


class Connection(ABC):
    """One browser's socket, or one waiting request where sockets are blocked."""

    visitor: Visitor
    you: You
    session: str
    language: str
    lesson: str
    heard_at: float

    @abstractmethod
    def push(self, text: str) -> None:
        """Send when the line is free; never blocks."""

    @abstractmethod
    def end(self, code: CloseCode) -> None:
        """Close from this side."""

    @abstractmethod
    def lag_s(self) -> float:
        """How long the oldest message has waited to be taken."""


class Room:
    """One match with the sockets that watch it."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.position: Position | None = None  # the newest
        self.shown: Position | None = None  # what the sockets have been sent
        self.recent: deque[Happened] = deque(maxlen=RECENT_RECORDS)
        self.sockets: set[Connection] = set()
        self.seen: dict[str, float] = {}  # student: Unix time when last heard of
        self.here: dict[str, bool] = {}  # as it was last told
        self.told: dict[Connection, dict[str, Any]] = {}  # the vote as it was last told
        self.ready = asyncio.Event()
        self.look_again: asyncio.TimerHandle | None = None
        self.attention: list[dict[str, Any]] = []  # of the teacher, as it was last told
        self.voted: dict[int, tuple[int, bool]] = {}  # by seat: decision, and whether it is voted
        self.settling: set[int] = set()

    def lights(self, at: float) -> dict[str, str]:
        """here, quiet or gone, for each member ever seen."""
        open_here = {socket.you.student for socket in self.sockets}
        return {
            student: "here"
            if at - seen < PRESENT_S
            else "quiet"
            if student in open_here
            else "gone"
            for student, seen in self.seen.items()
        }


class LessonRoom:
    """One lesson with the sockets of its waiting pages, desk and projector."""

    def __init__(self, lesson: str) -> None:
        self.lesson = lesson
        self.sockets: set[Connection] = set()
        self.matches: set[str] = set()
        self.roster: list[dict[str, Any]] = []  # as it was last told
        self.teacher_here: bool | None = None  # as it was last told

    def desks(self) -> list[Connection]:
        """The teachers who look at this lesson."""
        return [socket for socket in self.sockets if socket.you.role == "teacher"]


class Hub:
    """All rooms of this process."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self.lessons: dict[str, LessonRoom] = {}
        self.sessions: dict[str, list[Connection]] = defaultdict(list)
        self.failures = 0  # handlers that raised; shown by the health page
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self.reader = Reader()
        self.writer = Writer(seen=self._seen_of, tell=self._tell)
        self.writer.start()

    async def stop(self) -> None:
        """Let the writer finish, then tell all browsers to come back."""
        await asyncio.to_thread(self.writer.stop)
        self.send_away()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for room in self.rooms.values():
            if room.look_again is not None:
                room.look_again.cancel()
        self.reader.stop()

    def send_away(self) -> None:
        """The process stops: all browsers are to come back later."""
        for connection in self.connections():
            connection.end(CloseCode.RESTART)

    def connections(self) -> list[Connection]:
        """All sockets of this process."""
        return [connection for held in self.sessions.values() for connection in held]

    # -- coming and going --------------------------------------------------------------------

    def admit(self, connection: Connection) -> None:
        """Count a socket of a browser; beyond five the oldest is closed (QUALITY WS-06)."""
        held = self.sessions[connection.session]
        held.append(connection)
        for oldest in held[:-SOCKETS_A_SESSION]:
            oldest.end(CloseCode.REPLACED)

    async def watch_match(self, connection: Connection, match: str, version: int = 0) -> bool:
        """Send a newcomer what there is, then everything that follows; False: no such match."""
        room = await self.room(match)
        if room is None or room.position is None:
            return False
        at = steady.now()
        self._see(room, connection, at)
        room.sockets.add(connection)
        connection.push(frames.hello(room.position, connection.you, at))
        self._send_snapshot(room, connection, version)
        connection.push(frames.presence(room.position, room.here))
        self._look(room)
        self._tell_rows(room)
        return True

    async def watch_lesson(
        self, connection: Connection, lesson: str, matches: Iterable[str]
    ) -> None:
        """Desk and screen get a row for each match; waiting pages hear when theirs starts."""
        held = self.lessons.setdefault(lesson, LessonRoom(lesson))
        held.sockets.add(connection)
        for match in matches:
            held.matches.add(match)
            room = await self.room(match)
            if room is not None:
                self._tell_row(held, room, to=[connection])
                self._tell_started(room, to=[connection])
        if connection.you.role == "teacher":
            connection.push(frames.message("roster", students=held.roster))
        elif held.teacher_here is not None:
            connection.push(frames.message("teacher", here=held.teacher_here))
        self.tell_teacher(held)

    def leave(self, connection: Connection) -> None:
        """Forget a socket that ended."""
        held = self.sessions.get(connection.session, [])
        if connection in held:
            held.remove(connection)
        if not held:
            self.sessions.pop(connection.session, None)
        for room in tuple(self.rooms.values()):
            if connection in room.sockets:
                room.sockets.discard(connection)
                room.told.pop(connection, None)
                self._tell_rows(room)
                self._close_if_empty(room)
        for lesson in tuple(self.lessons.values()):
            if connection not in lesson.sockets:
                continue
            lesson.sockets.discard(connection)
            self.tell_teacher(lesson)
            if not lesson.sockets:
                del self.lessons[lesson.lesson]
                for match in lesson.matches:
                    if match in self.rooms:
                        self._close_if_empty(self.rooms[match])

    async def room(self, match: str) -> Room | None:
        """The room of a match, loaded; None if there is no such match."""
        while True:
            room = self.rooms.get(match)
            if room is None:
                room = self.rooms[match] = Room(match)
                await self._load(room)
            await room.ready.wait()
            if room.position is None:
                return None
            if self.rooms.get(match) is room:
                return room

    async def _load(self, room: Room) -> None:
        position = await self.put(room.match, Reload())
        if isinstance(position, Position):
            since = position.version - RECENT_RECORDS
            found = await self.reader.ask(log.happened_since, position, since)
            room.recent.extend(found)
            room.position = room.position or position
            room.shown = room.position
        else:
            self.rooms.pop(room.match, None)
        room.ready.set()

    def heard(self, room: Room, connection: Connection) -> None:
        """A member's browser said something."""
        at = steady.now()
        self._see(room, connection, at)
        if not room.here.get(connection.you.student or "", True):
            self._look(room)

    # -- acting ------------------------------------------------------------------------------

    def put(self, match: str, task: Task) -> asyncio.Future[Result]:
        """Work for the writer."""
        return self.writer.put(match, task)

    def changed(self, match: str) -> None:
        """Somebody outside the writer changed a match; from any thread."""
        self._loop.call_soon_threadsafe(self._reload, match)

    def _reload(self, match: str) -> None:
        room = self.rooms.get(match)
        if room is not None:
            self.put(match, Reload())
        else:
            self.spawn(self.new_match(match))
        self.spawn(self._tell_processes({"type": "match.changed", "match": match}))

    async def new_match(self, match: str) -> None:
        """A match that nobody here watches yet may belong to a lesson that somebody watches."""
        if not self.lessons:
            return
        room = await self.room(match)
        if room is None or room.position is None:
            return
        lesson = self.lessons.get(room.position.lesson)
        if lesson is None:
            self._close_if_empty(room)
            return
        lesson.matches.add(match)
        self._tell_row(lesson, room)
        self._tell_started(room, to=lesson.sockets)

    # -- what the writer tells -----------------------------------------------------------------

    def _seen_of(self, match: str) -> play.Seen:
        room = self.rooms.get(match)
        return {} if room is None else dict(room.seen)

    def _tell(self, advances: Sequence[Advance], results: Results) -> None:
        self._loop.call_soon_threadsafe(self._told, advances, results)

    def _told(self, advances: Sequence[Advance], results: Results) -> None:
        for position, happened in advances:
            try:
                self._advance(position, happened)
            except Exception:
                self.failures += 1
                logger.exception("Match %s could not be shown.", position.match)
        for job, result in results:
            if isinstance(result, Refused) and result.code == Refusal.NOT_FOUND.value:
                self.gone(job.match)
            if not job.done.done():
                job.done.set_result(result)

    def _advance(self, position: Position, happened: Sequence[Accepted]) -> None:
        if happened:
            self.spawn(self._tell_processes({"type": "match.changed", "match": position.match}))
            if position.status == "ended":
                self.spawn(self._project(position.match))
        room = self.rooms.get(position.match)
        if room is None:
            self.writer.forget(position.match)
            return
        before, room.position = room.position, position
        if before is None or room.shown is None:
            return
        for step in happened:
            if step.record is not None and step.version == room.shown.version + 1:
                self._show(room, step.position, [_happened(step)])
        if room.shown.version < position.version or position.status == "lobby":
            self.spawn(self._catch_up(room))
        self._look(room)
        self._tell_rows(room)

    def _show(self, room: Room, position: Position, happened: list[Happened]) -> None:
        """One observation for each kind of viewer, made once."""
        room.recent.extend(record for record in happened if record.events)
        self._status_changed(room, position)
        room.shown = position
        at = steady.now()
        made: dict[tuple[Any, str], str] = {}
        for socket in tuple(room.sockets):
            if socket.you.role == "member":
                seat = position.seat_of(socket.you.student or "")
                if seat is None:
                    socket.end(CloseCode.NOT_THERE)
                    continue
                if seat != socket.you.seat:
                    socket.you = You(
                        role="member", seat=seat, student=socket.you.student, name=socket.you.name
                    )
                    socket.push(frames.hello(position, socket.you, at))
            key = (socket.you.viewer, socket.language)
            if key not in made:
                made[key] = frames.observation(
                    position, socket.you.viewer, socket.language, happened, at
                )
            socket.push(made[key])

    def _status_changed(self, room: Room, position: Position) -> None:
        old = room.shown
        if old is None:
            return
        if old.teams != position.teams:
            text = frames.message("teams", teams=frames.about(position)["teams"])
            for socket in room.sockets:
                socket.push(text)
        if old.status in {position.status, "lobby"}:
            return
        timing = position.timing
        match position.status:
            case "paused":
                told = frames.message(
                    "paused", version=position.version, why=timing.why, seat=timing.why_seat
                )
            case "playing":
                told = frames.message("resumed", version=position.version)
            case "ended":
                told = frames.message("ended", version=position.version)
            case _:
                told = ""
        for socket in room.sockets:
            socket.push(told or frames.notice(position, socket.language))
        lesson = self.lessons.get(position.lesson)
        if lesson is not None and _calls_the_teacher(position):
            for socket in lesson.desks():
                socket.push(frames.notice(position, socket.language))

    async def _catch_up(self, room: Room) -> None:
        """Another process, or a page, wrote: show the newest with all that happened since."""
        assert room.shown is not None
        found = await self.reader.ask(log.happened_since, room.shown, room.shown.version)
        position, shown = room.position, room.shown
        assert position is not None
        if shown.version < position.version or position.status == "lobby":
            happened = [
                record for record in found if shown.version < record.version <= position.version
            ]
            self._show(room, position, happened)
        self._look(room)
        self._tell_rows(room)
        lesson = self.lessons.get(position.lesson)
        if lesson is not None:
            self._tell_started(room, to=lesson.sockets)

    async def _project(self, match: str) -> None:
        await self.reader.ask(facts.project, match)

    def gone(self, match: str) -> None:
        """The match was deleted."""
        room = self.rooms.pop(match, None)
        self.writer.forget(match)
        if room is not None:
            for socket in tuple(room.sockets):
                socket.end(CloseCode.GONE)

    # -- snapshots ---------------------------------------------------------------------------

    def _send_snapshot(self, room: Room, connection: Connection, version: int) -> None:
        position = room.shown
        assert position is not None
        happened = [
            record for record in room.recent if version < record.version <= position.version
        ]
        connection.push(
            frames.observation(
                position, connection.you.viewer, connection.language, happened, steady.now()
            )
        )
        room.told.pop(connection, None)

    def resume(self, room: Room, connection: Connection, version: int) -> None:
        """The whole board again for a browser that says what it has drawn."""
        self._send_snapshot(room, connection, version)
        self._look(room)

    # -- votes and presence ------------------------------------------------------------------

    def _see(self, room: Room, connection: Connection, at: float) -> None:
        connection.heard_at = at
        if connection.you.role == "member" and connection.you.student is not None:
            room.seen[connection.you.student] = at

    def _look(self, room: Room) -> None:
        """Tell who is there and how votes stand, settle what is settled, and come back in time."""
        position = room.position
        if position is None:
            return
        at = steady.now()
        here = {
            member.student: at - room.seen.get(member.student, 0) < PRESENT_S
            for team in position.teams
            for member in team.members
        }
        dues = [seen + PRESENT_S - at for seen in room.seen.values() if at - seen < PRESENT_S]
        attention = self._attention(room, position, at)
        if here != room.here or attention != room.attention:
            room.attention = attention
            self._tell_rows(room)
        if here != room.here:
            room.here = here
            text = frames.presence(position, here)
            for socket in room.sockets:
                socket.push(text)
        if position.status == "playing":
            for opened in position.timing.opened:
                due_in_s = self._look_at(room, position, opened, at)
                if due_in_s is not None:
                    dues.append(due_in_s)
        if room.look_again is not None:
            room.look_again.cancel()
            room.look_again = None
        if dues and (room.sockets or self._watched(room)):
            room.look_again = self._loop.call_later(max(min(dues), 0.02) + 0.01, self._look, room)

    def _look_at(self, room: Room, position: Position, opened: Opened, at: float) -> float | None:
        seat = opened.decision.seat
        if position.teams[seat].played_by != "people" or not _is_voted(room, position, opened):
            return None
        result = play.standing_vote(position, opened, seen=room.seen, at=at)
        if result.choice is not None or (
            # When a silent stage ended is kept; a vote that is open from the start has none.
            position.ballot(opened).silent
            and result.open_since_s is not None
            and result.open_since_s != position.open_since_s.get(seat)
        ):
            self._settle(room, seat)
        for socket in room.sockets:
            if socket.you.role == "member" and socket.you.seat == seat:
                shown = frames.votes(
                    position,
                    opened,
                    result,
                    you=socket.you,
                    seen=room.seen,
                    at=at,
                    put=wording(socket.language),
                )
                told = {key: value for key, value in shown.items() if key != "due_in_ms"}
                if room.told.get(socket) != told:
                    room.told[socket] = told
                    socket.push(frames.message("votes", **shown))
        return result.due_in_s

    def _settle(self, room: Room, seat: int) -> None:
        if seat in room.settling:
            return
        room.settling.add(seat)
        done = self.put(room.match, Settle(seat))
        done.add_done_callback(lambda _done: room.settling.discard(seat))

    def expire(self, match: str, started_at: float) -> None:
        """The clock says that something is due."""
        self.put(match, Expire(started_at))

    # -- lessons -------------------------------------------------------------------------------

    def _watched(self, room: Room) -> bool:
        return any(room.match in lesson.matches for lesson in self.lessons.values())

    def _tell_rows(self, room: Room) -> None:
        if room.position is not None:
            lesson = self.lessons.get(room.position.lesson)
            if lesson is not None:
                lesson.matches.add(room.match)
                self._tell_row(lesson, room)

    def _tell_row(
        self,
        lesson: LessonRoom,
        room: Room,
        to: Iterable[Connection] | None = None,
    ) -> None:
        position = room.position
        if position is None:
            return
        at = steady.now()
        lights = room.lights(at)
        attention = self._attention(room, position, at)
        made: dict[str, str] = {}
        for socket in tuple(lesson.sockets if to is None else to):
            if socket.you.role not in {"teacher", "screen"}:
                continue
            if socket.language not in made:
                made[socket.language] = frames.row(position, lights, attention, socket.language, at)
            socket.push(made[socket.language])
            if to is not None and socket.you.role == "teacher" and _calls_the_teacher(position):
                socket.push(frames.notice(position, socket.language))  # a desk that came later

    @staticmethod
    def _attention(room: Room, position: Position, at: float) -> list[dict[str, Any]]:
        """Teams that have been split for a minute."""
        if position.status != "playing":
            return []
        found = []
        for opened in position.timing.opened:
            seat = opened.decision.seat
            if position.teams[seat].played_by != "people":
                continue
            result = play.standing_vote(position, opened, seen=room.seen, at=at)
            if result.attention is Attention.DESK and result.split:
                found.append({"seat": seat, "decision": opened.version, "text": split_line(result)})
        return found

    def _tell_started(self, room: Room, to: Iterable[Connection]) -> None:
        position = room.position
        if position is None or position.status not in {"playing", "paused"}:
            return
        text = frames.message(
            "started", match=position.match, address=f"/matches/{position.match}/play/"
        )
        for socket in tuple(to):
            student = socket.you.student
            if socket.you.role == "member" and student and position.seat_of(student) is not None:
                socket.push(text)

    def tell_roster(self, lesson: LessonRoom, students: list[dict[str, Any]]) -> None:
        """Who is in the lesson, for the desk, when it has changed."""
        if students != lesson.roster:
            lesson.roster = students
            text = frames.message("roster", students=students)
            for socket in lesson.desks():
                socket.push(text)

    def tell_teacher(self, lesson: LessonRoom) -> None:
        """Whether a teacher looks, for those who wait, when it has changed."""
        here = bool(lesson.desks())
        if here is not lesson.teacher_here:
            lesson.teacher_here = here
            text = frames.message("teacher", here=here)
            for socket in lesson.sockets:
                if socket.you.role != "teacher":
                    socket.push(text)

    def heard_in(self, lesson: LessonRoom) -> dict[str, float]:
        """When each student was last heard of, on the waiting page or in a match."""
        heard: dict[str, float] = {}
        for match in lesson.matches:
            if match in self.rooms:
                heard.update(self.rooms[match].seen)
        for socket in lesson.sockets:
            if socket.you.student is not None:
                before = heard.get(socket.you.student, 0)
                heard[socket.you.student] = max(before, socket.heard_at)
        return heard

    # -- other processes -----------------------------------------------------------------------

    async def _tell_processes(self, hint: dict[str, Any]) -> None:
        layer = get_channel_layer()
        if settings.REDIS_URL and layer is not None:
            try:
                await layer.group_send(GROUP, hint)
            except Exception:
                logger.warning("The channel layer took no hint; the poll will do.", exc_info=True)

    async def listen_to_processes(self) -> None:
        """Hints of other processes: what has changed, and who is with them."""
        layer = get_channel_layer()
        assert layer is not None
        name = await layer.new_channel()
        await layer.group_add(GROUP, name)
        while True:
            hint = await layer.receive(name)
            match hint.get("type"):
                case "match.changed" if hint["match"] in self.rooms:
                    self.put(hint["match"], Reload())
                case "match.seen" if hint["match"] in self.rooms:
                    room = self.rooms[hint["match"]]
                    for student, ago_s in hint["students"].items():
                        at = steady.now() - ago_s
                        room.seen[student] = max(room.seen.get(student, 0), at)
                    self._look(room)

    async def tell_presence(self) -> None:
        """Tell other processes whom this one has heard of."""
        while True:
            await asyncio.sleep(PROCESSES_TALK_S)
            at = steady.now()
            for room in tuple(self.rooms.values()):
                mine = {
                    socket.you.student: at - socket.heard_at
                    for socket in room.sockets
                    if socket.you.student and at - socket.heard_at < PRESENT_S
                }
                if mine:
                    await self._tell_processes(
                        {"type": "match.seen", "match": room.match, "students": mine}
                    )

    # -- housekeeping ----------------------------------------------------------------------------

    async def heartbeat(self) -> None:
        """Say the version now and then; end sockets that are silent or take nothing."""
        beats = 0
        while True:
            await asyncio.sleep(1)
            beats += 1
            if not self.rooms and not self.sessions:
                steady.follow()
            at = steady.now()
            for connection in self.connections():
                if at - connection.heard_at > SILENT_S or connection.lag_s() > LAG_S:
                    connection.end(CloseCode.SILENT)
            if beats % HEARTBEAT_S == 0:
                for room in tuple(self.rooms.values()):
                    if room.position is not None:
                        text = frames.message("pong", version=room.position.version)
                        for socket in room.sockets:
                            socket.push(text)
                    self._close_if_empty(room)
                    self._tell_rows(room)

    def _close_if_empty(self, room: Room) -> None:
        if not room.sockets and not self._watched(room) and room.position is not None:
            if room.look_again is not None:
                room.look_again.cancel()
            self.rooms.pop(room.match, None)
            self.writer.forget(room.match)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside; it is ended with the hub."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.failures += 1
            logger.error("Something beside failed.", exc_info=task.exception())


def _happened(step: Accepted) -> Happened:
    assert step.record is not None
    return Happened(step.record.version, step.record.seat, step.record.events)


def _is_voted(room: Room, position: Position, opened: Opened) -> bool:
    """Whether the open decision is the team's, not an act that any member may carry out."""
    seat = opened.decision.seat
    known = room.voted.get(seat)
    if known is not None and known[0] == opened.version:
        return known[1]
    moves = position.rules.legal_moves(position.state, seat)
    acts = position.game.acts
    voted = not isinstance(moves, Listed) or any(
        move.__struct_config__.tag not in acts for move in moves.moves
    )
    room.voted[seat] = (opened.version, voted)
    return voted


def _calls_the_teacher(position: Position) -> bool:
    """Whether the match stands still until the teacher does something about it."""
    return position.status == "frozen" or position.timing.why in CALLS
