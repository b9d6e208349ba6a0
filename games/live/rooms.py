"""Who watches what in one process: the sockets of a match, those of a lesson.

Nothing here is needed after a restart.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from typing import Any

from games.deciding import PRESENT_S
from games.live.visitors import Visitor
from games.position import Happened, Position
from games.services.codes import CloseCode
from games.services.frames import You

RECENT_RECORDS = 30  # whose events a newcomer gets
BACK_S = 10.0  # so long the others of a team are waited for when its first member comes


class Connection(ABC):
    """One browser's socket, or one waiting request where sockets are blocked."""

    visitor: Visitor
    you: You
    session: str
    language: str
    lesson: str = ""
    room: Room | None = None  # of the match that it watches
    heard_at: float

    @abstractmethod
    def push(self, text: bytes) -> None:
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
        # Student: until when a vote waits for them. Read by the writer, so never changed in place.
        self.awaited: dict[str, float] = {}
        self.here: dict[str, bool] = {}  # as it was last told
        self.told: dict[Connection, dict[str, Any]] = {}  # the vote as it was last told
        self.ready = asyncio.Event()
        self.look_again: asyncio.TimerHandle | None = None
        self.attention: list[dict[str, Any]] = []  # of the teacher, as it was last told
        self.voted: dict[int, tuple[int, bool]] = {}  # by seat: decision, and whether it is voted
        self.settling: set[int] = set()

    def see(self, connection: Connection, at: float) -> None:
        """A browser was heard of; that of a member counts in votes."""
        connection.heard_at = at
        if self.awaited and at > max(self.awaited.values()):
            self.awaited = {}
        if connection.you.role == "member" and connection.you.student is not None:
            self._await_others(connection.you.student, at)
            self.seen[connection.you.student] = at

    def _await_others(self, student: str, at: float) -> None:
        """Who comes first decides nothing alone while the others of the team are on their way.

        So it is at the start, after a restart, and when a network or this computer was away.
        """
        if self.position is None or at - self.seen.get(student, 0) < PRESENT_S:
            return  # whoever was there a moment ago is not the first: asked at every message
        seat = self.position.seat_of(student)
        if seat is None:
            return
        members = [member.student for member in self.position.teams[seat].members]
        if all(at - self.seen.get(one, 0) >= PRESENT_S for one in members):
            self.awaited = self.awaited | dict.fromkeys(members, at + BACK_S)

    def counted(self) -> dict[str, float]:
        """When each student was last heard of, as votes count it: who is awaited is there."""
        if not self.awaited:
            return dict(self.seen)
        late = {student: until - PRESENT_S for student, until in self.awaited.items()}
        return self.seen | {one: max(at, self.seen.get(one, 0)) for one, at in late.items()}

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

    def close(self) -> None:
        """Nobody watches any more."""
        if self.look_again is not None:
            self.look_again.cancel()
            self.look_again = None


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

    def heard(self, rooms: Mapping[str, Room]) -> dict[str, float]:
        """When each student was last heard of, on the waiting page or in one of ``rooms``."""
        heard: dict[str, float] = {}
        for match in self.matches:
            if match in rooms:
                heard.update(rooms[match].seen)
        for socket in self.sockets:
            if socket.you.student is not None:
                before = heard.get(socket.you.student, 0)
                heard[socket.you.student] = max(before, socket.heard_at)
        return heard
