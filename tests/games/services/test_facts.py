"""From the rows of a match to what its game reads facts from."""

from __future__ import annotations

from typing import Any

from games.models import Match
from games.selectors import positions
from games.selectors.rulesets import rules_of
from games.services import facts, matches
from games.services.play import Submission
from tests.games.world import World


def _lay(world: World, match: Match, student: Any) -> None:
    position = positions.load(match.pk)
    seat = position.seat_of(str(student.pk))
    assert seat is not None
    opened = position.opened(seat)
    assert opened is not None
    matches.submit_now(
        match_id=match.pk,
        actor=world.actor(student),
        submission=Submission(
            decision=opened.version,
            at=1_800_000_000.0,
            move={"type": "lay", "card": position.state.hands[seat][0]},
            student=str(student.pk),
        ),
    )


def _steps(match: Match) -> list[tuple[int, str, int | None, str | None]]:
    match.refresh_from_db()
    play = facts.play_of(match, rules_of(match))
    return [
        (step.version, step.kind, step.seat, step.student)
        for step in play.steps
        if step.kind in ("setup", "join", "leave", "move")
    ]


def test_members_from_the_first_have_joined_before_the_set_up(world: World) -> None:
    ana, ben, *_ = world.students
    match = world.started([ana], [ben])

    assert _steps(match) == [
        (0, "join", 0, str(ana.pk)),
        (0, "join", 1, str(ben.pk)),
        (1, "setup", None, None),
    ]


def test_who_changes_the_team_leaves_it_first(world: World) -> None:
    ana, ben, caro, dia = world.students
    match = world.started([ana, caro], [ben, dia])
    matches.join_match(match_id=match.pk, actor=world.teacher, student_id=ana.pk, seat=1)

    assert _steps(match)[-2:] == [
        (2, "leave", 0, str(ana.pk)),
        (2, "join", 1, str(ana.pk)),
    ]


def test_a_rewind_takes_back_moves_and_leaves_people_where_they_are(world: World) -> None:
    ana, ben, caro, _ = world.students
    match = world.started([ana], [ben])
    _lay(world, match, ana)
    matches.join_match(match_id=match.pk, actor=world.teacher, student_id=caro.pk, seat=0)
    matches.rewind_match(match_id=match.pk, actor=world.teacher, to=1)

    assert _steps(match) == [
        (0, "join", 0, str(ana.pk)),
        (0, "join", 1, str(ben.pk)),
        (1, "setup", None, None),
        (3, "join", 0, str(caro.pk)),
    ]
