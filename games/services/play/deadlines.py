"""Whose time is over, which team is gone, and whom play waits for."""

from __future__ import annotations

from games.engine.game import Decision
from games.position import Position
from games.services.play.results import Submission

IDLE_TURNS = 3  # COR-DEC-5
RESTART_GRACE_S = 10


def expired(position: Position, at: float, *, started_at: float = 0) -> tuple[Submission, ...]:
    """What is played for those whose time is over. Idempotent: each names its decision.

    What was open before the process began, at ``started_at``, has some grace: the
    browsers have to come back first.
    """
    if position.status != "playing":
        return ()
    due = []
    for opened in position.timing.opened:
        deadline_s = position.deadline_s(opened)
        if deadline_s is None:
            continue
        grace_s = RESTART_GRACE_S if position.unix(opened.at_s) < started_at else 0
        if deadline_s + grace_s <= position.play_s(at):
            seat = opened.decision.seat
            kind = "bot" if position.teams[seat].played_by == "bot" else "timeout"
            due.append(Submission(decision=opened.version, at=at, kind=kind, seat=seat))
    return tuple(due)


def deserted(position: Position) -> int | None:
    """The seat whose team let its last three turns run out (COR-DEC-5)."""
    if position.status != "playing":
        return None
    for team in position.teams:
        missed = position.timing.turns[team.seat] - 1 - position.timing.heard[team.seat]
        if team.played_by == "people" and missed >= IDLE_TURNS:
            return team.seat
    return None


def owed(position: Position) -> tuple[Decision, ...]:
    """The decisions that play waits for."""
    return tuple(o.decision for o in position.timing.opened if o.decision.required)
