"""What a browser's message does to a match, and the one frame that answers it."""

from __future__ import annotations

import logging
from collections.abc import Callable

from games.live.hub import Hub
from games.live.messages import ClientMessage, Explain, Move, Ping, Resume, Vote
from games.live.rooms import Connection, Room
from games.live.writer import Explain as ExplainTask, Result, Task
from games.services import frames, steady
from games.services.codes import Refusal
from games.services.play import Accepted, Refused, Submission

logger = logging.getLogger("games.live")

Reply = Callable[[bytes], None]
Wish = Move | Vote | Explain  # what only a member may send


def act(hub: Hub, connection: Connection, room: Room, message: ClientMessage, reply: Reply) -> None:
    """Do what the message says; whatever fails, the browser hears of it (case WS-21)."""
    try:
        _act(hub, connection, room, message, reply)
    except Exception:
        hub.failures += 1
        logger.exception("A message could not be handled.")
        request_id = message.request_id if isinstance(message, Wish) else None
        reply(refused(connection, request_id, Refusal.SERVER_ERROR))


def refused(connection: Connection, request_id: str | None, refusal: Refusal) -> bytes:
    """The platform's refusal in the browser's language."""
    return frames.refused(request_id, Refused.of(refusal), connection.language)


def _act(
    hub: Hub, connection: Connection, room: Room, message: ClientMessage, reply: Reply
) -> None:
    hub.heard(room, connection)
    if isinstance(message, Ping | Resume):
        if isinstance(message, Resume):
            hub.resume(room, connection, message.version)
        assert room.position is not None
        reply(frames.message("pong", version=room.position.version))
    elif connection.you.role != "member":
        reply(refused(connection, message.request_id, Refusal.NOT_ALLOWED))
    else:
        _put(hub, connection, room, message, reply)


def _put(hub: Hub, connection: Connection, room: Room, message: Wish, reply: Reply) -> None:
    request_id = message.request_id

    def told(result: Result) -> None:
        if isinstance(result, Accepted):
            reply(frames.accepted(request_id, result.version))
        else:
            assert isinstance(result, Refused)
            reply(frames.refused(request_id, result, connection.language))

    hub.ask(room.match, _task(message, connection.you.student), told)


def _task(message: Wish, student: str | None) -> Task:
    if isinstance(message, Explain):
        return ExplainTask(student or "", message.decision)
    return Submission(
        request_id=message.request_id,
        decision=message.decision,
        move=message.move,
        confirmed=isinstance(message, Move),
        student=student,
        at=steady.now(),
    )
