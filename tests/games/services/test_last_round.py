"""The last round before the lesson ends."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from games.models import Match
from games.rules.corruption.events import TurnInPrison, TurnSkipped, TurnStarted
from games.selectors import positions
from games.services import matches
from games.services.decks import starter_versions
from games.services.matches import MoveRefused, NotNow
from tests.games.world import World

pytestmark = pytest.mark.django_db

TURNS = (TurnStarted, TurnSkipped, TurnInPrison)


@pytest.fixture
def match(world: World) -> Match:
    """Corruption! with one student a team."""
    call_command("load_starters")
    versions = {k: v.pk for k, v in starter_versions("corruption", "one-lesson").items()}
    return world.started(
        world.students[:1], world.students[1:2], game="corruption", versions=versions
    )


def play_one(world: World, match: Match) -> None:
    (opened,) = positions.load(match.pk).timing.opened
    matches.decide_for(
        match_id=match.pk,
        actor=world.teacher,
        seat=opened.decision.seat,
        decision=opened.version,
    )


def turns(match: Match) -> list[int]:
    """The seats whose turns began, in order."""
    return [
        event.seat
        for record in positions.happened_since(positions.load(match.pk), 0)
        for event in record.events
        if isinstance(event, TURNS)
    ]


@pytest.mark.rule("COR-WIN-15")
@pytest.mark.parametrize("moves", range(1, 12))
def test_the_round_is_played_to_its_end_and_then_the_match_stands_still(world, match, moves):
    for _move in range(moves):
        play_one(world, match)

    matches.finish_round(match_id=match.pk, actor=world.teacher)
    for _move in range(60):
        if positions.load(match.pk).status != "playing":
            break
        play_one(world, match)

    position = positions.load(match.pk)
    assert (position.status, position.timing.why) == ("paused", "round")
    assert position.due_at() is None
    begun = turns(match)
    next_round = len(begun) - 1 - begun[::-1].index(begun[0])
    assert begun[:next_round].count(0) == begun[:next_round].count(1) > 0
    assert position.outcome is None
    assert positions.replayed(match)[-1] == position.state
    with pytest.raises(MoveRefused):
        play_one(world, match)


def test_the_match_goes_on_after_the_round_when_the_teacher_says_so(world, match):
    play_one(world, match)
    matches.finish_round(match_id=match.pk, actor=world.teacher)
    while positions.load(match.pk).status == "playing":
        play_one(world, match)

    matches.resume_match(match_id=match.pk, actor=world.teacher)
    for _move in range(30):
        play_one(world, match)

    assert positions.load(match.pk).timing.last_round is None
    assert positions.load(match.pk).status == "playing"


def test_asking_twice_is_one_record(world, match):
    play_one(world, match)

    for _time in range(2):
        matches.finish_round(match_id=match.pk, actor=world.teacher)

    assert list(match.records.values_list("kind", flat=True)).count("finish") == 1
    assert positions.load(match.pk).status == "playing"


def test_between_two_rounds_it_stands_still_at_once(world, match):
    position = matches.finish_round(match_id=match.pk, actor=world.teacher)

    assert (position.status, position.timing.why) == ("paused", "round")
    assert match.records.last().kind == "pause"


def test_a_game_without_rounds_stands_still_at_once(world):
    match = world.started()

    position = matches.finish_round(match_id=match.pk, actor=world.teacher)

    assert (position.status, position.timing.why) == ("paused", "round")


def test_a_match_in_the_lobby_has_no_round(world):
    with pytest.raises(NotNow):
        matches.finish_round(match_id=world.match().pk, actor=world.teacher)
