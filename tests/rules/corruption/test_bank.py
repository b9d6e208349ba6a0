"""Central Bank (COR-BANK)."""

from __future__ import annotations

import pytest

from games.rules.corruption.events import FishMoved, NothingHappened
from games.rules.corruption.moves import (
    AnswerQuestion,
    AskQuestion,
    ChooseReward,
    Collect,
    Fine,
    Sell,
    Wipe,
)
from games.rules.corruption.state import Sentence
from tests.rules.corruption.sitting import (
    BLUE,
    IN_ORDER,
    RED,
    Sitting,
    full,
    state,
    team,
    village,
    with_swapped,
)


def passing(*, start=11, die=3, options=None, **fields):
    """Red walks past Central Bank, from 11 to 14 Public unless given."""
    return Sitting(state(red=team(position=start, **fields)), **(options or {})).roll(die)


@pytest.mark.rule("COR-BANK-1")
def test_passing_puts_one_fish_on_the_square():
    game = passing(possession=3)

    assert game.fish() == [("red", "bank", 1)]
    assert game.happened(FishMoved)[0].rule == "COR-BANK-1"


@pytest.mark.rule("COR-BANK-2")
def test_a_team_without_fish_sells_for_the_tax_before_it_walks_on():
    game = passing(possession=0, owns={"school": 2})

    assert game.decision == (RED, "sell")
    assert game.red.position == 12
    game.play(Sell("school"))

    assert game.red.position == 14
    assert game.red.possession == 2
    assert game.decision == (RED, "collect")


@pytest.mark.rule("COR-BANK-2")
def test_a_team_without_property_borrows_and_repays_with_its_next_fish():
    game = passing(possession=0)
    assert game.red.debt == 1

    game.play(Collect())

    assert (game.red.possession, game.red.debt) == (2, 0)


@pytest.mark.rule("COR-BANK-3", "COR-BANK-4")
@pytest.mark.parametrize(
    ("bank", "share", "rest"), [(15, 7, 8), (14, 7, 7), (2, 1, 1), (1, 0, 1), (0, 0, 0)]
)
def test_landing_wins_half_and_the_odd_fish_goes_to_the_river(bank, share, rest):
    game = Sitting(state(red=team(position=9, possession=6), bank=bank))
    river = game.state.river

    game.roll(3)

    assert game.red.possession == 6 + share
    assert game.state.river == river + rest
    assert game.state.bank == 0
    assert (NothingHappened(seat=RED, why="bank_empty") in game.events) == (bank == 0)


@pytest.mark.rule("COR-BANK-5")
@pytest.mark.parametrize(("start", "die"), [(9, 3), (12, 2), (13, 1)])
def test_only_walking_over_the_square_is_passing(start, die):
    game = passing(start=start, die=die, possession=3)

    assert not [event for event in game.happened(FishMoved) if event.reason == "bank_tax"]


@pytest.mark.rule("COR-BANK-6")
def test_after_landing_the_tax_waits_until_the_landing_is_settled():
    game = passing(possession=0, options={"bank_tax_timing": "after_landing"})
    assert game.red.debt == 0

    game.play(Collect()).play(full("house"))

    assert game.fish() == [("river", "red", 3), ("red", "river", 2), ("red", "bank", 1)]
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-BANK-6")
def test_after_landing_the_tax_comes_before_a_new_roll():
    rules = with_swapped(13, 29, bank_tax_timing="after_landing")  # a question behind the bank
    game = Sitting(state(red=team(position=10, possession=5), qa="Q01"), rules)

    game.roll(3, *IN_ORDER).play(AskQuestion()).play(AnswerQuestion("c"))
    assert game.state.bank == 0
    game.play(ChooseReward("roll"))

    assert game.state.bank == 1
    assert game.decision == (RED, "roll")


@pytest.mark.rule("COR-BANK-6")
def test_after_landing_the_tax_is_due_from_a_team_just_jailed():
    red = team(position=11, possession=7, tokens=8, owns=village(without=("house",)))
    game = Sitting(state(red=red), bank_tax_timing="after_landing")

    game.roll(3).play(full("house")).play(Fine())

    assert game.red.sentence == Sentence(1, wipe=False)
    assert game.fish() == [("red", "river", 2), ("red", "river", 1), ("red", "bank", 1)]


@pytest.mark.rule("COR-BANK-6", "COR-WIN-3")
def test_after_landing_the_tax_is_dropped_when_the_game_is_won():
    red = team(position=11, possession=7, tokens=2, owns=village(without=("house",)))
    game = Sitting(state(red=red), bank_tax_timing="after_landing")

    game.roll(3).play(full("house")).play(Wipe())

    assert game.state.winner == RED
    assert game.state.bank == 0
