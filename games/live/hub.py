"""The matches and lessons that one process shows (docs/architecture.md).

Runs in the event loop alone. It lets sockets in and out, hands their wishes to the
writer, and tells them what the writer says. What is true comes from there; nothing
here is needed after a restart.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any

from django.conf import settings

from games.live import evidence, hints, lessons, looks, showing
from games.live.reader import Reader
from games.live.rooms import RECENT_RECORDS, Connection, LessonRoom, Room
from games.live.writer import Advance, Expire, Reload, Result, Results, Settle, Task, Told, Writer
from games.position import Happened, Position
from games.selectors import positions
from games.services import play, steady
from games.services.codes import CloseCode, Refusal
from games.services.play import Accepted, Refused

logger = logging.getLogger("games.live")

SOCKETS_A_SESSION = 5
SOONEST_S = 0.03  # between two looks at a match


class Hub:
    """All rooms of this process."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self.lessons: dict[str, LessonRoom] = {}
        self.sessions: dict[str, list[Connection]] = defaultdict(list)
        self.failures = 0  # handlers that raised since the log was told how many (case WS-21)
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self.reader = Reader("reader")
        # After a restart a whole school asks to be let in: who is in waits for none of them.
        self.door = Reader("door")
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
            room.close()
        self.door.stop()
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
        """Count a socket of a browser; beyond five the oldest is closed (case WS-06)."""
        held = self.sessions[connection.session]
        held.append(connection)
        for oldest in held[:-SOCKETS_A_SESSION]:
            oldest.end(CloseCode.REPLACED)

    async def watch_match(self, connection: Connection, match: str, version: int = 0) -> bool:
        """Send a newcomer what there is, then everything that follows; False: no such match."""
        room = await self.room(match)
        if room is None:
            return False
        now = steady.now()
        room.see(connection, now)
        room.sockets.add(connection)
        connection.room = room
        showing.welcome(room, connection, version, now)
        self.look(room)
        self.tell_rows(room)
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
                lessons.show_match(room, connection, steady.now())
        lessons.welcome(held, connection)
        lessons.tell_teacher(held)

    def leave(self, connection: Connection) -> None:
        """Forget a socket that ended."""
        held = self.sessions.get(connection.session, [])
        if connection in held:
            held.remove(connection)
        if not held:
            self.sessions.pop(connection.session, None)
        room = connection.room
        if room is not None and connection in room.sockets:
            room.sockets.discard(connection)
            room.told.pop(connection, None)
            self.tell_rows(room)
            self.close_if_empty(room)
        lesson = self.lessons.get(connection.lesson)
        if lesson is not None and connection in lesson.sockets:
            lesson.sockets.discard(connection)
            lessons.tell_teacher(lesson)
            if not lesson.sockets:
                self._close_lesson(lesson)

    def _close_lesson(self, lesson: LessonRoom) -> None:
        del self.lessons[lesson.lesson]
        for match in lesson.matches:
            if match in self.rooms:
                self.close_if_empty(self.rooms[match])

    def heard(self, room: Room, connection: Connection) -> None:
        """A member's browser said something."""
        room.see(connection, steady.now())
        if not room.here.get(connection.you.student or "", True):
            self.look(room)

    # -- rooms -------------------------------------------------------------------------------

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
            found = await self.reader.ask(positions.happened_since, position, since)
            room.recent.extend(found)
            room.position = room.position or position
            room.shown = room.position
        else:
            self.rooms.pop(room.match, None)
        room.ready.set()

    def newest(self, room: Room) -> Position | None:
        """The newest position that this process has written or read, shown or not."""
        return self.writer.held(room.match) or room.position

    async def new_match(self, match: str) -> None:
        """A match that nobody here watches yet may belong to a lesson that somebody watches."""
        if not self.lessons:
            return
        room = await self.room(match)
        if room is None or room.position is None:
            return
        lesson = self.lessons.get(room.position.lesson)
        if lesson is None:
            self.close_if_empty(room)
            return
        lesson.matches.add(match)
        lessons.tell_row(room, lesson.sockets, steady.now())
        lessons.tell_started(room, lesson.sockets)

    def gone(self, match: str) -> None:
        """The match was deleted."""
        room = self.rooms.pop(match, None)
        self.writer.forget(match)
        if room is not None:
            for socket in tuple(room.sockets):
                socket.end(CloseCode.GONE)

    def close_if_empty(self, room: Room) -> None:
        """Hold a match no longer than somebody watches it or its lesson."""
        if not room.sockets and not self._watched(room) and room.position is not None:
            room.close()
            self.rooms.pop(room.match, None)
            self.writer.forget(room.match)

    def _watched(self, room: Room) -> bool:
        return room.position is not None and room.position.lesson in self.lessons

    # -- acting ------------------------------------------------------------------------------

    def ask(self, match: str, task: Task, told: Told) -> None:
        """Work for the writer; ``told`` is called with what came of it."""
        self.writer.put(match, task, told)

    def put(self, match: str, task: Task) -> asyncio.Future[Result]:
        """Work for the writer, for who waits for what comes of it."""
        done: asyncio.Future[Result] = self._loop.create_future()
        self.ask(match, task, lambda result: None if done.done() else done.set_result(result))
        return done

    def expire(self, match: str, started_at: float) -> None:
        """The clock says that something is due."""
        self.put(match, Expire(started_at))

    def changed(self, match: str) -> None:
        """Somebody outside the writer changed a match; from any thread."""
        self._loop.call_soon_threadsafe(self._reload, match)

    def _reload(self, match: str) -> None:
        if match in self.rooms:
            self.put(match, Reload())
        else:
            self.spawn(self.new_match(match))
        self._give_hint(match)

    def _give_hint(self, match: str) -> None:
        if settings.REDIS_URL:  # else there is no other process
            self.spawn(hints.give({"type": "match.changed", "match": match}))

    # -- what the writer tells -----------------------------------------------------------------

    def _seen_of(self, match: str) -> play.Seen:
        room = self.rooms.get(match)
        return {} if room is None else room.counted()

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
            if isinstance(result, Refused):
                self._hear_of_refusal(job.match, result.code)
            try:
                job.told(result)
            except Exception:
                self.failures += 1
                logger.exception("Somebody could not be told what came of it.")

    def _hear_of_refusal(self, match: str, code: str) -> None:
        """What a refusal means to others than the asker."""
        if code == Refusal.NOT_FOUND.value:
            self.gone(match)
        elif code == Refusal.BUSY.value and (room := self.rooms.get(match)) and room.position:
            lesson = self.lessons.get(room.position.lesson)
            if lesson is not None:
                lessons.tell_busy(lesson, room.position)

    def _advance(self, position: Position, happened: Sequence[Accepted]) -> None:
        if happened:
            self._give_hint(position.match)
            if position.status == "ended":
                self.spawn(evidence.tell(self.reader, position.match))
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
        self.look(room)
        self.tell_rows(room)

    async def _catch_up(self, room: Room) -> None:
        """Another process, or a page, wrote: show the newest with all that happened since."""
        assert room.shown is not None
        found = await self.reader.ask(positions.happened_since, room.shown, room.shown.version)
        if self.rooms.get(room.match) is not room:
            return  # closed meanwhile
        position, shown = room.position, room.shown
        assert position is not None
        if shown.version < position.version or position.status == "lobby":
            happened = [
                record for record in found if shown.version < record.version <= position.version
            ]
            self._show(room, position, happened)
        self.look(room)
        self.tell_rows(room)
        lesson = self.lessons.get(position.lesson)
        if lesson is not None:
            lessons.tell_started(room, lesson.sockets)

    def _show(self, room: Room, position: Position, happened: Sequence[Happened]) -> None:
        before = room.shown
        showing.show(room, position, happened, steady.now())
        lesson = self.lessons.get(position.lesson)
        if lesson is not None and before is not None:
            lessons.call_teacher(lesson, before, position)

    # -- telling -----------------------------------------------------------------------------

    def resume(self, room: Room, connection: Connection, version: int) -> None:
        """The whole board again for a browser that says what it has drawn."""
        showing.show_again(room, connection, version, steady.now())
        self.look(room)

    def look(self, room: Room) -> None:
        """Tell who is there and how votes stand, settle what is settled, and come back in time."""
        if room.position is None:
            return
        found = looks.look(room, room.position, steady.now())
        if found.news:
            self.tell_rows(room)
        for seat in found.settled:
            self._settle(room, seat)
        if found.due_in_s is not None and (room.sockets or self._watched(room)):
            self._look_again(room, max(found.due_in_s + 0.01, SOONEST_S))
        else:
            room.close()

    def _look_again(self, room: Room, wait_s: float) -> None:
        """Look in time; a look that comes too early does no harm, so a sooner one stays."""

        def look() -> None:
            room.look_again = None
            self.look(room)

        if room.look_again is not None:
            if room.look_again.when() <= self._loop.time() + wait_s:
                return
            room.look_again.cancel()
        room.look_again = self._loop.call_later(wait_s, look)

    def _settle(self, room: Room, seat: int) -> None:
        if seat in room.settling:
            return
        room.settling.add(seat)
        self.ask(room.match, Settle(seat), lambda _result: room.settling.discard(seat))

    def tell_rows(self, room: Room) -> None:
        """The match in a line, for desk and projector of its lesson."""
        if room.position is not None:
            lesson = self.lessons.get(room.position.lesson)
            if lesson is not None:
                lesson.matches.add(room.match)
                lessons.tell_row(room, lesson.sockets, steady.now())

    # -- beside ------------------------------------------------------------------------------

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
    return Happened(step.record.version, step.record.seat, step.record.events, step.record.kind)
