"""Beginning the game (COR-SETUP, COR-GOAL)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.engine.chance import recorded, seeded
from games.rules.corruption.events import Rolled, RolledForStart
from tests.rules.corruption.sitting import BLUE, CONTENT, RED, Sitting, ruleset, state, team

DRAWS_OF_SHUFFLES = sum(
    len(deck) - 1
    for deck in (
        CONTENT.corruption,
        CONTENT.national,
        CONTENT.local,
        CONTENT.donation,
        CONTENT.qa,
    )
)


def set_up(*rolls, **options):
    """A setup whose shuffles draw 0 and whose rolls are given."""
    draws = (*(0,) * DRAWS_OF_SHUFFLES, *(die - 1 for die in rolls))
    return ruleset(**options).setup(2, recorded(draws))


@pytest.mark.rule("COR-GOAL-1")
@pytest.mark.parametrize("seats", [0, 1, 3])
def test_only_two_teams_can_play(seats):
    with pytest.raises(ValueError, match="2 teams"):
        ruleset().setup(seats, seeded(1))


@pytest.mark.rule("COR-SETUP-6", "COR-GOAL-3")
def test_everything_but_the_fish_begins_empty():
    position = ruleset().setup(2, seeded(1)).state

    assert position.teams == (team(possession=6), team(possession=6))
    assert position.bank == 0
    assert (position.card, position.question, position.winner) == (None, None, None)


@pytest.mark.rule("COR-SETUP-4")
def test_the_council_building_is_no_property():
    assert not any("council" in name for name in CONTENT.board.properties)


@pytest.mark.rule("COR-SETUP-7")
def test_every_deck_is_shuffled_by_the_given_chance():
    first, again, other = (ruleset().setup(2, seeded(seed)).state for seed in (1, 1, 2))

    assert first == again
    for deck in ("corruption", "national", "local", "donation", "qa"):
        assert set(getattr(first.decks, deck)) == set(getattr(CONTENT, deck))
        assert getattr(first.decks, deck) != getattr(other.decks, deck)
        assert getattr(first.decks, deck) != tuple(getattr(CONTENT, deck))


@pytest.mark.rule("COR-SETUP-7")
def test_drawn_cards_come_again_after_all_others_in_the_same_order():
    game = Sitting(state(corruption="C03"))
    order = game.state.decks.corruption
    drawn = []

    for _ in order * 2:
        top = game.state.decks.corruption[0]
        position = state(red=team(position=6, possession=20))
        game.state = with_decks(position, game.state.decks)
        game.roll(2)
        drawn.append(top)

    assert tuple(drawn) == order * 2


def with_decks(position, decks):
    return replace(position, decks=decks)


@pytest.mark.rule("COR-SETUP-8")
def test_the_higher_roll_begins_and_equal_rolls_are_repeated():
    step = set_up(3, 3, 2, 5)

    assert step.state.turn == BLUE
    assert [event for event in step.events if isinstance(event, RolledForStart)] == [
        RolledForStart(seat=None, dice=(3, 3)),
        RolledForStart(seat=BLUE, dice=(2, 5)),
    ]
    assert [each.position for each in step.state.teams] == [0, 0]


@pytest.mark.rule("COR-SETUP-8")
def test_red_begins_with_the_higher_roll():
    assert set_up(6, 5).state.turn == RED


@pytest.mark.rule("COR-SETUP-8")
@pytest.mark.parametrize(("first_team", "seat"), [("red", RED), ("blue", BLUE)])
def test_the_team_chosen_by_the_option_begins_without_a_roll(first_team, seat):
    step = set_up(first_team=first_team)

    assert step.state.turn == seat
    assert not [event for event in step.events if isinstance(event, RolledForStart | Rolled)]


@pytest.mark.rule("COR-SETUP-2")
def test_an_unlimited_river_begins_with_the_same_fish():
    assert set_up(6, 5, river_supply="unlimited").state.river == 88
