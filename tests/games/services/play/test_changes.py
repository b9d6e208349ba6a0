"""Time stands still and goes on; nobody has moved."""

from __future__ import annotations

import pytest

from games.position import Position
from games.selectors import positions
from games.services import play
from games.services.codes import Refusal
from games.services.play import Accepted, Refused
from tests.games.services.play.asking import AT, accepted, ask, lay, members_of
from tests.games.world import World


def test_pause_moves_the_deadline_by_its_length(world: World) -> None:
    position = positions.load(world.started(decision_limit_s=60).pk)
    due_at = position.due_at()
    assert due_at is not None

    paused = play.paused(position, at=due_at - 20, why="teacher").position
    resumed = play.resumed(paused, at=due_at + 980).position

    assert paused.due_at() is None
    assert resumed.due_at() == pytest.approx(due_at + 1000)


@pytest.mark.rule("COR-QA-10")
def test_team_that_does_not_understand_a_question_stops_the_clock(duel: Position) -> None:
    (ana,), (ben,) = members_of(duel, 0), members_of(duel, 1)
    one = accepted(ask(duel, ana, lay(duel, 0)))
    both = accepted(ask(one.position, ben, lay(duel, 1))).position
    asked = next(o for o in both.timing.opened if o.decision.knowledge)
    other = next(o for o in both.timing.opened if not o.decision.knowledge)
    student = {0: ana, 1: ben}

    stopped = play.explained(
        both, student=student[asked.decision.seat], decision=asked.version, at=AT
    )
    refused = play.explained(
        both, student=student[other.decision.seat], decision=other.version, at=AT
    )

    assert isinstance(stopped, Accepted)
    assert stopped.position.status == "paused"
    assert stopped.position.timing.why == "explain"
    assert stopped.position.timing.why_seat == asked.decision.seat
    assert refused == Refused.of(Refusal.NOT_ALLOWED)
