"""Donation cards (COR-DON)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.rules.corruption.events import Bought, CardDrawn, NothingHappened, PropertyLost
from games.rules.corruption.moves import Collect, Fine, GiveDonation, Leave, Pass, Roll
from games.rules.corruption.refusals import NoFittingDonation
from games.rules.corruption.state import OpenCard
from tests.rules.corruption.sitting import (
    BLUE,
    CONTENT,
    RED,
    Sitting,
    full,
    half,
    repriced,
    state,
    team,
)


def on_industrial(**fields):
    """Red stands on Industrial (35), its fish left."""
    return Sitting(state(red=team(position=34, **fields))).roll(1).play(Leave())


@pytest.mark.rule("COR-DON-1")
def test_a_team_landing_on_donation_draws_one_card_to_keep():
    game = Sitting(state(red=team(position=21, donations=("D04",)), donation="D08")).roll(1)

    assert game.red.donations == ("D04", "D08")
    assert game.happened(CardDrawn) == [CardDrawn(seat=RED, deck="donation", card="D08")]
    assert game.state.card == OpenCard("donation", "D08")
    assert "D08" not in game.state.decks.donation


@pytest.mark.rule("COR-DON-2")
@pytest.mark.parametrize(("name", "paid"), [("factory", 2), ("power_station", 3)])
def test_a_donation_takes_half_the_price(name, paid):
    game = on_industrial(possession=6, donations=("D09",)).play(half(name))

    assert game.owns(RED) == {name: paid}
    assert game.red.possession == 6 - paid
    assert game.happened(Bought) == [Bought(seat=RED, property=name, paid=paid, donation="D09")]


@pytest.mark.rule("COR-DON-3")
@pytest.mark.parametrize("name", ["school", "hotel"])
def test_a_donation_is_refused_in_another_category(name):
    game = Sitting(state(red=team(position=17, donations=("D09",)))).roll(1)

    with pytest.raises(NoFittingDonation):
        game.play(half(name))


@pytest.mark.rule("COR-DON-4", "COR-DON-5")
def test_a_donation_can_neither_be_sold_nor_exchanged():
    red = team(possession=0, donations=("D09",))
    game = Sitting(state(red=red), voluntary_sale=True)

    assert game.moves == (Roll(),)

    game.state = state(red=team(position=6, possession=0, donations=("D09",)), corruption="C01")
    game.roll(2)

    assert (game.red.donations, game.red.debt) == (("D09",), 2)


@pytest.mark.rule("COR-DON-5", "COR-INSP-G6")
def test_a_donation_given_away_is_the_newest_of_the_other_team():
    red = team(position=19, tokens=6, donations=("D01", "D02"))
    position = state(red=red, blue=team(donations=("D03",)))
    game = Sitting(position).roll(1).play(Fine())

    game.play(GiveDonation("D02"))

    assert game.red.donations == ("D01",)
    assert game.blue.donations == ("D03", "D02")


@pytest.mark.rule("COR-DON-6")
def test_a_used_card_goes_under_its_deck():
    game = on_industrial(possession=6, donations=("D09",))
    before = game.state.decks.donation

    game.play(half("factory"))

    assert game.state.decks.donation == (*before, "D09")


@pytest.mark.rule("COR-DON-7")
def test_a_reward_cannot_discount_the_purchase_that_earned_it():
    red = team(position=34, possession=9, owns={"factory": 4})
    game = Sitting(state(red=red, donation="D10")).roll(1).play(Leave())

    assert game.moves == (full("power_station"), Pass())
    game.play(full("power_station"))

    assert game.owns(RED)["power_station"] == 6
    assert game.red.donations == ("D10",)


@pytest.mark.rule("COR-DON-7")
def test_nothing_is_bought_on_the_donation_square():
    game = Sitting(state(red=team(position=21, possession=20))).roll(1)

    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-DON-8")
def test_using_a_card_is_the_teams_choice_and_of_several_the_oldest_is_used():
    game = on_industrial(possession=6, donations=("D10", "D01", "D09"))

    assert game.moves == (
        full("factory"),
        half("factory"),
        full("power_station"),
        half("power_station"),
        Pass(),
    )
    game.play(half("factory"))

    assert game.red.donations == ("D01", "D09")


@pytest.mark.rule("COR-DON-8")
def test_one_purchase_uses_at_most_one_card():
    game = on_industrial(possession=6, donations=("D09", "D10")).play(half("power_station"))

    assert game.owns(RED) == {"power_station": 3}
    assert game.red.donations == ("D10",)


@pytest.mark.rule("COR-DON-9")
@pytest.mark.parametrize(("rounding", "paid"), [("up", 3), ("down", 2)])
def test_half_of_an_odd_price_is_rounded_by_the_option(rounding, paid):
    rules = repriced({"half_rounding": rounding}, school=5)
    position = state(red=team(position=32, possession=6, donations=("D07",)))

    game = Sitting(position, rules).roll(1).play(Leave()).play(half("school"))

    assert game.owns(RED) == {"school": paid}


@pytest.mark.rule("COR-DON-10")
def test_a_draw_from_an_empty_deck_gives_nothing():
    position = state(red=team(position=21))
    position = replace(position, decks=replace(position.decks, donation=()))

    game = Sitting(position).roll(1)

    assert game.red.donations == ()
    assert NothingHappened(seat=RED, why="no_donation_left") in game.events


@pytest.mark.rule("COR-DON-11")
def test_a_donation_of_a_completed_category_stays_held():
    owns = {"school": 4, "library": 2}
    red = team(position=32, donations=("D07",), owns=owns)

    game = Sitting(state(red=red)).roll(1).play(Collect())

    assert game.red.donations == ("D07",)


@pytest.mark.rule("COR-DON-11")
def test_losing_a_property_takes_no_donation_away():
    red = team(position=36, donations=("D08",), owns={"school": 4, "library": 2})

    game = Sitting(state(red=red, local="L10")).roll(1)

    assert len(game.happened(PropertyLost)) == 1
    assert game.red.donations == ("D08",)
    assert set(CONTENT.donation) - {"D08"} == set(game.state.decks.donation)
