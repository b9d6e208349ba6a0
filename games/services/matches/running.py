"""Whether a match goes on: pause, last round, going on, end, rewind, the stop after an error."""

from __future__ import annotations

from uuid import UUID

from classroom.access import Actor
from games.models import Match
from games.position import Position
from games.selectors import positions
from games.services import chances, facts, play, steady
from games.services.matches.acts import append, change, needs, teacher_of
from games.services.matches.refusals import NotNow
from games.services.play import Accepted


def pause_match(*, match_id: UUID, actor: Actor) -> Position:
    """Time stands still and nothing is accepted. Pausing twice is pausing once."""

    def make(position: Position) -> Accepted | None:
        if position.status == "paused":
            return None
        needs(position, "playing")
        return play.paused(position, at=steady.now(), why="teacher", teacher=teacher_of(actor))

    position = change(match_id, actor, make)
    facts.project(match_id)
    return position


def finish_round(*, match_id: UUID, actor: Actor) -> Position:
    """Play the round to its end, so that all teams have had the same turns; then stand still.

    A match between two rounds, and one of a game without rounds, stands still at once.
    There is no standing that wins: the match is kept, or the teacher ends it without a
    winner (COR-WIN-15).

    Raises:
        NotNow: in the lobby, or it was stopped by an error.
    """

    def make(position: Position) -> Accepted | None:
        if position.status in {"paused", "ended"} or position.timing.last_round is not None:
            return None
        needs(position, "playing")
        at, teacher = steady.now(), teacher_of(actor)
        beginner, begins_now = _rounds(position)
        if beginner is None or begins_now:
            return play.paused(position, at=at, why="round", teacher=teacher)
        return play.finishing(position, round_of=beginner, at=at, teacher=teacher)

    position = change(match_id, actor, make)
    if position.status == "paused":
        facts.project(match_id)
    return position


def resume_match(*, match_id: UUID, actor: Actor) -> Position:
    """Go on after a pause, an error, or an end that the teacher ordered too early.

    Raises:
        NotNow: in the lobby, or the game itself is over.
    """

    def make(position: Position) -> Accepted | None:
        if position.status == "playing":
            return None
        needs(position, "paused", "frozen", "ended")
        if not position.rules.decisions(position.state):
            raise NotNow
        return play.resumed(position, at=steady.now(), teacher=teacher_of(actor))

    return change(match_id, actor, make)


def end_match(*, match_id: UUID, actor: Actor) -> Position:
    """End a match early; results so far are kept. Ending twice is ending once."""

    def make(position: Position) -> Accepted | None:
        if position.status == "ended":
            return None
        needs(position, "playing", "paused", "frozen")
        return play.stopped(
            position, kind="end", status="ended", at=steady.now(), teacher=teacher_of(actor)
        )

    position = change(match_id, actor, make)
    facts.project(match_id)
    return position


def rewind_match(*, match_id: UUID, actor: Actor, to: int) -> Position:
    """Take the match back to an earlier version; nothing is deleted (docs/architecture.md).

    Raises:
        NotNow: in the lobby, or no such version.
    """

    def make(position: Position) -> Accepted | None:
        needs(position, "playing", "paused", "frozen", "ended")
        if not 1 <= to < position.version:
            raise NotNow
        states = positions.replayed(Match.objects.get(pk=match_id))
        return play.rewound(
            position,
            to=to,
            state=states[to - 1],
            at=steady.now(),
            teacher=teacher_of(actor),
            chances=chances.live,
        )

    position = change(match_id, actor, make)
    facts.project(match_id)
    return position


def freeze_match(*, match_id: UUID | str, error: str) -> Position:
    """Stop a match whose rules failed, at its last good version (case CF-16)."""

    def make(position: Position) -> Accepted | None:
        if position.status == "frozen":
            return None
        return play.stopped(
            position, kind="freeze", status="frozen", at=steady.now(), data={"error": error}
        )

    return append(match_id, make)


def _rounds(position: Position) -> tuple[int | None, bool]:
    """The seat whose turn begins a round (None: no rounds), and whether one begins just now."""
    happened = positions.happened_since(position, 0)
    turns = [
        [seat for event in record.events if (seat := position.rules.turn_begins(event)) is not None]
        for record in happened
    ]
    first = next((seat for begun in turns for seat in begun), None)
    return first, bool(turns) and first in turns[-1][-1:]
