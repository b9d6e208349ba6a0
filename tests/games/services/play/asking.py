"""Students of a match of Lanterns, what they ask and what they are told."""

from __future__ import annotations

from typing import Any

from games.engine.chance import seeded
from games.position import Position
from games.services import play
from games.services.play import Accepted, Refused, Submission

AT = 1_800_000_000.0


def one_chance() -> Any:
    return seeded(1)


def ask(
    position: Position, student: str, move: dict[str, Any], **changes: Any
) -> Accepted | Refused:
    seat = position.seat_of(student)
    opened = None if seat is None else position.opened(seat)
    asked: dict[str, Any] = {
        "decision": opened.version if opened else position.version,
        "at": AT,
        "move": move,
        "student": student,
        **changes,
    }
    return play.submit(position, Submission(**asked), seen={}, chances=one_chance)


def accepted(answer: Accepted | Refused) -> Accepted:
    assert isinstance(answer, Accepted), answer
    return answer


def code_of(answer: Accepted | Refused) -> str:
    assert isinstance(answer, Refused), answer
    return answer.code


def lay(position: Position, seat: int, card: int = 0) -> dict[str, Any]:
    return {"type": "lay", "card": position.state.hands[seat][card]}


def members_of(position: Position, seat: int = 0) -> list[str]:
    return [member.student for member in position.teams[seat].members]
