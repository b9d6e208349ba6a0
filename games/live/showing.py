"""What the sockets of a match are shown; each message is made once for all who may read it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from games.engine.game import Viewer
from games.live.rooms import Connection, Room
from games.position import Happened, Position
from games.services import frames
from games.services.codes import CloseCode


def welcome(room: Room, connection: Connection, version: int, at: float) -> None:
    """All that there is, for a browser that has drawn ``version``."""
    assert room.position is not None
    if not _seated(connection, room.position, at):  # it was asked who comes before that changed
        connection.end(CloseCode.NOT_THERE)
        return
    connection.push(frames.hello(room.position, connection.you, at))
    show_again(room, connection, version, at)
    connection.push(frames.presence(room.position, room.here))


def show_again(room: Room, connection: Connection, version: int, at: float) -> None:
    """The whole board, with the events after ``version``."""
    position = room.shown
    assert position is not None
    happened = [record for record in room.recent if version < record.version <= position.version]
    viewer, language = connection.you.viewer, connection.language
    connection.push(frames.observation(position, viewer, language, happened, at))
    room.told.pop(connection, None)


def show(room: Room, position: Position, happened: Sequence[Happened], at: float) -> None:
    """The next board, and what happened before it."""
    room.recent.extend(record for record in happened if record.events)
    same_teams = room.shown is not None and room.shown.teams is position.teams
    _tell_status(room, position)
    room.shown = position
    telling = frames.Telling(position, happened, at)
    made: dict[tuple[Viewer, str], bytes] = {}
    for socket in tuple(room.sockets):
        if not (same_teams or _seated(socket, position, at)):
            socket.end(CloseCode.NOT_THERE)
            continue
        seen_as = (socket.you.viewer, socket.language)
        if seen_as not in made:
            made[seen_as] = telling.to(*seen_as)
        socket.push(made[seen_as])


def _seated(socket: Connection, position: Position, at: float) -> bool:
    """Whether who watches still may; a member who changed the team is told of the new seat."""
    if socket.you.role != "member":
        return True
    seat = position.seat_of(socket.you.student or "")
    if seat is None:
        return False
    if seat != socket.you.seat:
        socket.you = replace(socket.you, seat=seat)
        socket.push(frames.hello(position, socket.you, at))
    return True


def _tell_status(room: Room, position: Position) -> None:
    """Say what has changed beside the board: who plays, and whether time runs."""
    old = room.shown
    if old is None:
        return
    if old.teams != position.teams:
        tell(room, frames.message("teams", teams=frames.about(position)["teams"]))
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
            for socket in room.sockets:
                socket.push(frames.notice(position, socket.language))
            return
    tell(room, told)


def tell(room: Room, text: bytes) -> None:
    """The same for all who watch a match."""
    for socket in room.sockets:
        socket.push(text)
