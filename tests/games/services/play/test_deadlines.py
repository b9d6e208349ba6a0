"""Time that runs out, and teams that let it."""

from __future__ import annotations

import pytest

from games.position import Position
from games.selectors import positions
from games.services import play
from games.services.play import Accepted
from tests.games.services.play.asking import AT, accepted, code_of, one_chance
from tests.games.world import World


def test_decision_without_a_limit_never_runs_out(duel: Position) -> None:
    assert duel.due_at() is None
    assert play.expired(duel, AT + 10**9) == ()


def test_decision_with_a_limit_runs_out_and_gets_the_default(world: World) -> None:
    match = world.started(decision_limit_s=60)
    position = positions.load(match.pk)
    due_at = position.due_at()
    assert due_at is not None

    assert play.expired(position, due_at - 0.1) == ()
    due = play.expired(position, due_at + 0.1)

    assert [(d.kind, d.seat, d.decision) for d in due] == [("timeout", 0, 1), ("timeout", 1, 1)]
    played = accepted(play.submit(position, due[0], seen={}, chances=one_chance))
    assert played.record is not None
    assert played.record.kind == "timeout"
    assert code_of(play.submit(played.position, due[0], seen={}, chances=one_chance)) == "stale"


def test_what_was_open_before_a_restart_has_ten_seconds_more(world: World) -> None:
    position = positions.load(world.started(decision_limit_s=60).pk)
    due_at = position.due_at()
    assert due_at is not None

    assert play.expired(position, due_at + 9, started_at=due_at) == ()
    assert len(play.expired(position, due_at + 11, started_at=due_at)) == 2


def test_draws_of_a_choice_are_no_draws_of_the_record(world: World) -> None:
    position = positions.load(world.started(decision_limit_s=60).pk)
    due = play.expired(position, AT + 10**9)

    played = accepted(play.submit(position, due[0], seen={}, chances=one_chance))

    assert played.record is not None
    assert played.record.draws == ()


@pytest.mark.rule("COR-DEC-5")
def test_team_that_lets_three_turns_run_out_is_missed(world: World) -> None:
    position = positions.load(world.started(decision_limit_s=60, options={"rounds": 8}).pk)

    def let_run_out(position: Position) -> Position:
        due_at = position.due_at()
        assert due_at is not None
        for due in play.expired(position, due_at):
            answer = play.submit(position, due, seen={}, chances=one_chance)
            position = answer.position if isinstance(answer, Accepted) else position
        return position

    while play.deserted(position) is None:
        assert max(position.timing.turns) <= play.IDLE_TURNS
        position = let_run_out(position)
    seat = play.deserted(position)

    assert seat is not None
    assert position.timing.turns[seat] == play.IDLE_TURNS + 1
    paused = play.paused(position, at=AT, why="deserted", seat=seat).position
    assert play.deserted(play.resumed(paused, at=AT + 60).position) is None
