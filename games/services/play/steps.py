"""A position after a step of the rules, and the record that tells of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from games.engine.chance import Chance
from games.engine.game import Step
from games.position import REMEMBERED, Answered, Opened, Position
from games.services.codes import Refusal
from games.services.play.results import Accepted, NewRecord


def not_playing(position: Position) -> Refusal | None:
    """Why no move is taken now; None while the match is played."""
    match position.status:
        case "playing":
            return None
        case "ended":
            return Refusal.ENDED
        case "frozen":
            return Refusal.FROZEN
        case _:
            return Refusal.PAUSED


def after_step(
    position: Position, step: Step[Any, Any], *, mover: int | None, at: float, bot_delay_s: float
) -> Position:
    """The position with the new state, its open decisions and their votes."""
    decisions = position.rules.decisions(step.state)
    now_s = position.play_s(at)
    turns = position.timing.turns
    opened = []
    for decision in decisions:
        seat = decision.seat
        kept = position.opened(seat)
        if kept is None or seat == mover or kept.decision != decision:
            if seat != mover:
                turns = with_value(turns, seat, turns[seat] + 1)
            kept = Opened(
                version=position.version + 1,
                decision=decision,
                at_s=now_s,
                bot_s=now_s + bot_delay_s,
                turn=turns[seat],
            )
        opened.append(kept)
    over = not decisions
    timing = replace(position.timing, opened=tuple(opened), turns=turns)
    if over and timing.paused_at is None:
        timing = replace(timing, paused_at=at)
    same = {o.decision.seat for o in opened if position.opened(o.decision.seat) == o}
    return replace(
        position,
        state=step.state,
        timing=timing,
        status="ended" if over else position.status,
        outcome=position.rules.outcome(step.state) if over else None,
        votes={seat: votes for seat, votes in position.votes.items() if seat in same},
        open_since_s={seat: s for seat, s in position.open_since_s.items() if seat in same},
    )


def recorded(
    after: Position,
    *,
    kind: str,
    at: float,
    data: Any,
    seat: int | None = None,
    student: str | None = None,
    teacher: str | None = None,
    decision: int | None = None,
    chance: Chance | None = None,
    events: Iterable[Any] = (),
    request_id: str | None = None,
) -> Accepted:
    """The position with the next version, and the record of it; its request is remembered."""
    record = NewRecord(
        version=after.version + 1,
        kind=kind,
        at=at,
        seat=seat,
        student=student,
        teacher=teacher,
        decision=decision,
        data=msgspec.json.encode(data).decode(),
        draws=tuple(chance.draws) if chance is not None else (),
        events=tuple(events),
        request_id=request_id,
    )
    answered = after.answered
    if request_id is not None:
        answered = {
            **answered,
            request_id: Answered(record.version, student, decision, record.data),
        }
        if len(answered) > REMEMBERED:
            del answered[next(iter(answered))]
    position = replace(after, version=record.version, answered=answered)
    return Accepted(position=position, version=record.version, record=record)


def with_value(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """The values with another one at a place, from 0."""
    return (*values[:place], value, *values[place + 1 :])
