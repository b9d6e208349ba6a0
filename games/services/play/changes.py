"""Changes that are no moves: start, pause and end, rewind, who plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from games.engine.game import Step
from games.position import Position, TeamState, Timing
from games.services.codes import Refusal
from games.services.play.results import Accepted, Chances, Refused
from games.services.play.steps import after_step, not_playing, recorded


def started(position: Position, *, at: float, teacher: str | None, chances: Chances) -> Accepted:
    """The set-up of a match in the lobby: record 1, which holds the shuffles."""
    seats, chance = len(position.teams), chances()
    step = position.rules.setup(seats, chance)
    blank = replace(
        position,
        status="playing",
        timing=Timing(turns=(0,) * seats, heard=(0,) * seats),
    )
    after = after_step(blank, step, mover=None, at=at, bot_delay_s=3)
    return recorded(
        after,
        kind="setup",
        at=at,
        teacher=teacher,
        data={"seats": seats},
        chance=chance,
        events=step.events,
    )


def changed(
    position: Position,
    *,
    kind: str,
    at: float,
    data: Mapping[str, Any] | None = None,
    seat: int | None = None,
    student: str | None = None,
    teacher: str | None = None,
    status: str | None = None,
    teams: Sequence[TeamState] | None = None,
    timing: Timing | None = None,
) -> Accepted:
    """A record that leaves the state as it is: who may act, and whether time runs."""
    after = replace(
        position,
        status=position.status if status is None else status,
        teams=position.teams if teams is None else tuple(teams),
        timing=position.timing if timing is None else timing,
    )
    return recorded(
        after, kind=kind, at=at, seat=seat, student=student, teacher=teacher, data=data or {}
    )


def paused(
    position: Position,
    *,
    at: float,
    why: str,
    seat: int | None = None,
    student: str | None = None,
    teacher: str | None = None,
) -> Accepted:
    """Time stands still from now on: the teacher wants it, a team is gone, or needs a word."""
    return changed(
        position,
        kind="pause",
        at=at,
        seat=seat,
        student=student,
        teacher=teacher,
        data={"why": why},
        status="paused",
        timing=replace(position.timing, paused_at=at, why=why, why_seat=seat),
    )


def finishing(position: Position, *, round_of: int, at: float, teacher: str | None) -> Accepted:
    """Play goes on until the turn comes to the seat that began; then the match stands still."""
    return changed(
        position,
        kind="finish",
        at=at,
        teacher=teacher,
        data={"round_of": round_of},
        timing=replace(position.timing, last_round=round_of),
    )


def explained(position: Position, *, student: str, decision: int, at: float) -> Accepted | Refused:
    """A team that does not understand a question stops the clock and calls the teacher.

    Rules: COR-QA-10.
    """
    seat = position.seat_of(student)
    if seat is None:
        return Refused.of(Refusal.NOT_ALLOWED)
    if refusal := not_playing(position):
        return Refused.of(refusal)
    opened = position.opened(seat)
    if opened is None or opened.version != decision:
        return Refused.of(Refusal.STALE)
    if not opened.decision.knowledge:
        return Refused.of(Refusal.NOT_ALLOWED)
    return paused(position, at=at, why="explain", seat=seat, student=student)


def resumed(position: Position, *, at: float, **by: Any) -> Accepted:
    """Time runs again: after a pause, an error, or an end that came too early."""
    timing = position.timing
    stood_s = 0.0 if timing.paused_at is None else max(0.0, at - timing.paused_at)
    timing = replace(
        timing,
        paused_s=timing.paused_s + stood_s,
        paused_at=None,
        why="",
        why_seat=None,
        last_round=None,
        heard=tuple(max(turns - 1, 0) for turns in timing.turns),
    )
    return changed(position, kind="resume", at=at, status="playing", timing=timing, **by)


def stopped(position: Position, *, kind: str, status: str, at: float, **by: Any) -> Accepted:
    """No more moves: ended early, or frozen by an error."""
    timing = position.timing
    if timing.paused_at is None:
        timing = replace(timing, paused_at=at)
    return changed(position, kind=kind, at=at, status=status, timing=timing, **by)


def rewound(
    position: Position, *, to: int, state: Any, at: float, teacher: str | None, chances: Chances
) -> Accepted:
    """The state of an earlier version again, with what is undrawn in a new order.

    All decisions open anew: an answer on its way names one that is gone.
    """
    chance = chances()
    step: Step[Any, Any] = Step(position.rules.reshuffle(state, chance))
    timing = replace(position.timing, opened=())
    status = "paused" if position.timing.paused_at is not None else "playing"
    after = after_step(
        replace(position, timing=timing, outcome=None, status=status),
        step,
        mover=None,
        at=at,
        bot_delay_s=3,
    )
    return recorded(after, kind="rewind", at=at, teacher=teacher, data={"to": to}, chance=chance)
