"""What a browser's message does to a match, and the one frame that answers it."""

from __future__ import annotations

import logging

from games.live.hub import Hub
from games.live.messages import ClientMessage, Explain, Move, Ping, Resume, Vote
from games.live.rooms import Connection, Room
from games.live.writer import Explain as ExplainTask
from games.services import frames, steady
from games.services.codes import Refusal
from games.services.play import Accepted, Refused, Submission

logger = logging.getLogger("games.live")


async def answer(hub: Hub, connection: Connection, room: Room, message: ClientMessage) -> str:
    """Do what the message says; whatever fails, the browser hears of it (QUALITY WS-21)."""
    request_id = message.request_id if isinstance(message, Move | Vote | Explain) else None
    try:
        return await _answer(hub, connection, room, message)
    except Exception:
        hub.failures += 1
        logger.exception("A message could not be handled.")
        return refused(connection, request_id, Refusal.SERVER_ERROR)


def refused(connection: Connection, request_id: str | None, refusal: Refusal) -> str:
    """The platform's refusal in the browser's language."""
    return frames.refused(request_id, Refused.of(refusal), connection.language)


async def _answer(hub: Hub, connection: Connection, room: Room, message: ClientMessage) -> str:
    hub.heard(room, connection)
    match message:
        case Ping():
            pass
        case Resume(version):
            hub.resume(room, connection, version)
        case Explain(request_id, decision):
            task = ExplainTask(connection.you.student or "", decision)
            return await _put(hub, connection, room, request_id, task)
        case Move(request_id, decision, move) | Vote(request_id, decision, move):
            submission = Submission(
                request_id=request_id,
                decision=decision,
                move=move,
                student=connection.you.student,
                at=steady.now(),
            )
            return await _put(hub, connection, room, request_id, submission)
    assert room.position is not None
    return frames.message("pong", version=room.position.version)


async def _put(
    hub: Hub, connection: Connection, room: Room, request_id: str, task: Submission | ExplainTask
) -> str:
    if connection.you.role != "member":
        return refused(connection, request_id, Refusal.NOT_ALLOWED)
    result = await hub.put(room.match, task)
    if isinstance(result, Accepted):
        return frames.message("accepted", request_id=request_id, version=result.version)
    assert isinstance(result, Refused)
    return frames.refused(request_id, result, connection.language)
