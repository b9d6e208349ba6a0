"""National and local natural disasters (COR-NND, COR-LND)."""

from __future__ import annotations

import pytest

from games.rules.corruption.events import (
    CardDrawn,
    NothingHappened,
    PropertyLost,
    PropertySaved,
)
from games.rules.corruption.moves import Sell
from games.rules.corruption.state import OpenCard, Sentence
from tests.rules.corruption.sitting import BLUE, CONTENT, RED, Sitting, repriced, state, team


def national(*, red=None, blue=None, card="N01", **given):
    """Red lands on a national disaster at 27."""
    red = red or {}
    position = state(red=team(position=26, **red), blue=team(**(blue or {})), national=card)
    return Sitting(position, **given).roll(1)


def local(card, *, rules=None, possession=6, **fields):
    """Red lands on a local disaster at 37."""
    red = team(position=36, possession=possession, **fields)
    return Sitting(state(red=red, local=card), rules).roll(1)


# National


@pytest.mark.rule("COR-NND-2", "COR-NND-8")
@pytest.mark.parametrize("card", CONTENT.national)
def test_every_national_card_costs_both_teams_two_fish(card):
    game = national(red={"possession": 5}, blue={"possession": 9}, card=card)

    assert (game.red.possession, game.blue.possession) == (3, 7)
    assert game.state.card == OpenCard("national", card)


@pytest.mark.rule("COR-NND-2", "COR-PRISON-11")
def test_a_jailed_team_pays_its_share():
    game = national(blue={"sentence": Sentence(1, wipe=False), "possession": 6})

    assert game.blue.possession == 4


@pytest.mark.rule("COR-NND-1", "COR-NND-8")
def test_the_six_shared_things_are_nobodys_property():
    shared = set(CONTENT.board.shared_properties)

    assert shared == {
        "bridge",
        "prison",
        "river",
        "garbage_dump",
        "central_bank",
        "telephone_network",
    }
    assert not shared & set(CONTENT.board.properties)
    assert {card.shared_property for card in CONTENT.national.values()} <= shared


@pytest.mark.rule("COR-NND-3", "COR-NND-4")
@pytest.mark.parametrize(
    ("insurance", "after"), [(0, (6 - 2, 0)), (1, (6, 0)), (2, (6, 1)), (3, (6, 2))]
)
def test_one_fish_of_insurance_is_enough(insurance, after):
    game = national(red={"possession": 6, "insurance": insurance})

    assert (game.red.possession, game.red.insurance) == after


@pytest.mark.rule("COR-NND-4")
def test_the_uninsured_pay_the_river():
    game = national(red={"possession": 2}, blue={"possession": 2})

    assert game.fish() == [("red", "river", 2), ("blue", "river", 2)]


@pytest.mark.rule("COR-NND-5")
def test_a_team_that_cannot_pay_sells_for_one_less_than_it_paid():
    game = national(red={"possession": 0, "owns": {"school": 2}}).play(Sell("school"))

    assert (game.red.possession, game.red.debt) == (0, 1)


@pytest.mark.rule("COR-NND-6")
def test_a_team_with_nothing_borrows():
    game = national(red={"possession": 1})

    assert (game.red.possession, game.red.debt) == (0, 1)


@pytest.mark.rule("COR-NND-9")
def test_the_team_that_landed_settles_first_and_each_decides_for_itself():
    owns = {"house": 2, "farm": 2}
    game = national(red={"possession": 1, "owns": owns}, blue={"possession": 1, "owns": owns})

    assert game.decision == (RED, "sell")
    game.play(Sell("house"))
    assert game.decision == (BLUE, "sell")
    game.play(Sell("farm"))
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-NND-10")
def test_the_national_card_goes_under_its_deck():
    game = national(card="N05")

    assert game.state.decks.national[-1] == "N05"
    assert len(game.state.decks.national) == len(CONTENT.national)


# Local


@pytest.mark.rule("COR-LND-1")
def test_a_local_disaster_affects_only_the_team_that_landed():
    blue = team(owns={"power_station": 6})
    position = state(red=team(position=36), blue=blue, local="L01")

    game = Sitting(position).roll(1)

    assert game.blue == blue


@pytest.mark.rule("COR-LND-2")
def test_a_card_for_a_property_that_the_team_does_not_own_does_nothing():
    game = local("L01", insurance=6, owns={"factory": 4})

    assert game.red == team(position=37, insurance=6, owns={"factory": 4})
    assert NothingHappened(seat=RED, why="property_not_owned") in game.events
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-LND-3", "COR-LND-4", "COR-LND-7")
@pytest.mark.parametrize("card", CONTENT.local.values(), ids=lambda card: card.id)
@pytest.mark.parametrize("short", [0, 1])
def test_half_the_price_of_insurance_saves_a_property_by_itself(card, short):
    price = CONTENT.board.properties[card.property].price
    insurance = price // 2 - short

    game = local(card.id, insurance=insurance, owns={card.property: price})

    assert game.decision == (BLUE, "roll")
    assert (card.property in game.owns(RED)) == (short == 0)
    assert game.red.insurance == (0 if short == 0 else insurance)
    assert game.red.possession == 6


@pytest.mark.rule("COR-LND-5")
def test_neither_possession_nor_a_loan_saves_a_property():
    game = local("L01", possession=20, insurance=2, owns={"power_station": 6})

    assert game.happened(PropertyLost) == [
        PropertyLost(seat=RED, property="power_station", needed=3)
    ]
    assert (game.red.possession, game.red.insurance, game.red.debt) == (20, 2, 0)


@pytest.mark.rule("COR-LND-6")
def test_half_is_of_the_price_and_not_of_what_was_paid():
    game = local("L01", insurance=3, owns={"power_station": 3})

    assert game.happened(PropertySaved) == [
        PropertySaved(seat=RED, property="power_station", fish=3)
    ]
    assert game.red.insurance == 0


@pytest.mark.rule("COR-LND-6")
@pytest.mark.parametrize(
    ("rounding", "insurance", "kept"), [("up", 3, 1), ("up", 2, 0), ("down", 2, 1), ("down", 1, 0)]
)
def test_an_odd_half_is_rounded_by_the_option(rounding, insurance, kept):
    rules = repriced({"half_rounding": rounding}, school=5)

    game = local("L10", rules=rules, insurance=insurance, owns={"school": 5})

    assert len(game.owns(RED)) == kept
    assert game.red.insurance == (0 if kept else insurance)


@pytest.mark.rule("COR-LND-6")
def test_half_of_one_fish_rounded_down_needs_no_insurance():
    rules = repriced({"half_rounding": "down"}, house=1)

    game = local("L03", rules=rules, owns={"house": 1})

    assert game.owns(RED) == {"house": 1}
    assert game.fish() == []


@pytest.mark.rule("COR-LND-8")
def test_the_local_card_goes_under_its_deck():
    game = local("L04")

    assert game.state.card == OpenCard("local", "L04")
    assert game.state.decks.local[-1] == "L04"
    assert game.happened(CardDrawn) == [CardDrawn(seat=RED, deck="local", card="L04")]
    assert len(game.state.decks.local) == len(CONTENT.local)
