"""What desk, projector and waiting pages of a lesson are told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.live.rooms import Connection, LessonRoom, Room
from games.position import Position
from games.services import frames
from games.services.codes import Refusal

CALLS = {"deserted", "explain"}  # pauses that need the teacher


def welcome(lesson: LessonRoom, connection: Connection) -> None:
    """Who is there, for somebody who has just come."""
    if connection.you.role == "teacher":
        connection.push(frames.message("roster", students=lesson.roster))
    elif lesson.teacher_here is not None:
        connection.push(frames.message("teacher", here=lesson.teacher_here))


def show_match(room: Room, connection: Connection, at: float) -> None:
    """A match of the lesson, for somebody who has just come."""
    tell_row(room, [connection], at)
    tell_started(room, [connection])
    position = room.position
    if connection.you.role == "teacher" and position is not None and _calls_the_teacher(position):
        connection.push(frames.notice(position, connection.language))


def tell_row(room: Room, sockets: Iterable[Connection], at: float) -> None:
    """The match in a line, for desk and projector."""
    position = room.position
    if position is None:
        return
    lights = room.lights(at)
    made: dict[str, bytes] = {}
    for socket in tuple(sockets):
        if socket.you.role not in {"teacher", "screen"}:
            continue
        if socket.language not in made:
            made[socket.language] = frames.row(
                position, lights, room.attention, socket.language, at
            )
        socket.push(made[socket.language])


def tell_started(room: Room, sockets: Iterable[Connection]) -> None:
    """Send those who wait for this match to it, once it is played."""
    position = room.position
    if position is None or position.status not in {"playing", "paused"}:
        return
    text = frames.message(
        "started", match=position.match, address=f"/matches/{position.match}/play/"
    )
    for socket in tuple(sockets):
        student = socket.you.student
        if socket.you.role == "member" and student and position.seat_of(student) is not None:
            socket.push(text)


def tell_roster(lesson: LessonRoom, students: list[dict[str, Any]]) -> None:
    """Who is in the lesson, for the desk, when it has changed."""
    if students != lesson.roster:
        lesson.roster = students
        text = frames.message("roster", students=students)
        for socket in lesson.desks():
            socket.push(text)


def tell_teacher(lesson: LessonRoom) -> None:
    """Whether a teacher looks, for those who wait, when it has changed."""
    here = bool(lesson.desks())
    if here is not lesson.teacher_here:
        lesson.teacher_here = here
        text = frames.message("teacher", here=here)
        for socket in lesson.sockets:
            if socket.you.role != "teacher":
                socket.push(text)


def call_teacher(lesson: LessonRoom, before: Position, position: Position) -> None:
    """Call the teacher to a match that has just come to need one."""
    if before.status not in {position.status, "lobby"} and _calls_the_teacher(position):
        for socket in lesson.desks():
            socket.push(frames.notice(position, socket.language))


def tell_busy(lesson: LessonRoom, position: Position) -> None:
    """Say that moves of a match are not taken; the next line of the match takes it back."""
    for socket in lesson.desks():
        socket.push(frames.notice(position, socket.language, Refusal.BUSY.value))


def _calls_the_teacher(position: Position) -> bool:
    """Whether the match stands still until the teacher does something about it."""
    return position.status == "frozen" or position.timing.why in CALLS
