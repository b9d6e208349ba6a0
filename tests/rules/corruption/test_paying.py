"""Paying, selling, borrowing, paying back (COR-PAY)."""

from __future__ import annotations

import pytest

from games.rules.corruption import decisions, paying
from games.rules.corruption.events import Borrowed, Sold
from games.rules.corruption.moves import Collect, Fine, Leave, Pass, Roll, Sell
from games.rules.corruption.refusals import NoSaleNow, NotOwned
from games.rules.corruption.state import Charge, Claim, ForcedSale
from tests.rules.corruption.sitting import (
    BLUE,
    PROPERTIES,
    RED,
    Sitting,
    full,
    repriced,
    right_answer,
    ruleset,
    state,
    team,
    village,
)


def charged(amount, *, to="river", reason="corruption", options=None, river=None, **fields):
    """Red has to pay a charge."""
    charge = Charge(RED, amount, to, reason)
    position = state(red=team(**fields), river=river, agenda=(ForcedSale(RED, charge),))
    return Sitting(position, **(options or {}))


def tax(**fields):
    return charged(2, to="bank", reason="category_tax", **fields)


# Possession first


@pytest.mark.rule("COR-PAY-1")
@pytest.mark.parametrize("possession", [3, 4])
def test_a_team_that_can_pay_is_not_asked_what_to_sell(possession):
    red = team(position=6, possession=possession, owns={"harbor": 6})
    game = Sitting(state(red=red, corruption="C06")).roll(2)  # three fish

    assert game.red.possession == possession - 3
    assert game.owns(RED) == {"harbor": 6}


@pytest.mark.rule("COR-PAY-1", "COR-PAY-2")
def test_having_some_of_a_charge_is_having_too_little():
    red = team(position=6, possession=2, owns={"harbor": 6, "house": 2})
    game = Sitting(state(red=red, corruption="C06")).roll(2)

    assert game.decision == (RED, "sell")
    assert game.moves == (Sell("harbor"), Sell("house"))
    assert game.red.possession == 2


@pytest.mark.rule("COR-PAY-3")
def test_selling_goes_on_until_nothing_is_left_and_the_rest_is_borrowed():
    game = charged(3, possession=0, owns={"house": 2, "farm": 2})

    game.play(Sell("house")).play(Sell("farm"))

    assert game.owns(RED) == {}
    assert (game.red.possession, game.red.debt) == (0, 1)
    assert game.happened(Borrowed) == [Borrowed(seat=RED, debt=1, fish=1)]


@pytest.mark.rule("COR-PAY-3")
def test_what_a_sale_brings_beyond_the_charge_stays_with_the_team():
    game = charged(3, possession=0, owns={"harbor": 6}).play(Sell("harbor"))

    assert (game.red.possession, game.red.debt) == (2, 0)


# The price of a sale

TAXES = ("category_tax", "bank_tax")
FINES = ("national_disaster", "corruption", "inspector", "displacement")


@pytest.mark.rule("COR-PAY-4")
@pytest.mark.parametrize(
    ("basis", "reason", "price"),
    [
        *(("per_section", reason, 3) for reason in TAXES),
        *(("per_section", reason, 1) for reason in FINES),
        *(("original", reason, 3) for reason in TAXES + FINES),
        *(("paid", reason, 1) for reason in TAXES + FINES),
    ],
)
def test_a_school_bought_with_a_donation_brings(basis, reason, price):
    game = charged(
        9, reason=reason, options={"sale_price_basis": basis}, possession=0, owns={"school": 2}
    )

    game.play(Sell("school"))

    assert game.happened(Sold) == [Sold(seat=RED, property="school", fish=price, forced=True)]


@pytest.mark.rule("COR-PAY-4")
@pytest.mark.parametrize("paid", [0, 1])
def test_a_sale_never_costs_fish(paid):
    game = charged(1, possession=0, owns={"house": paid}).play(Sell("house"))

    assert game.happened(Sold)[0].fish == 0
    assert game.red.debt == 1


@pytest.mark.rule("COR-PAY-4")
def test_a_property_printed_at_one_fish_brings_nothing_for_a_tax():
    rules = repriced(house=1)
    position = state(
        red=team(possession=0, owns={"house": 1}),
        agenda=(ForcedSale(RED, Charge(RED, 1, "bank", "bank_tax")),),
    )

    game = Sitting(position, rules).play(Sell("house"))

    assert game.happened(Sold)[0].fish == 0


# The buyer


@pytest.mark.rule("COR-PAY-5")
def test_the_river_buys_and_the_property_returns_at_its_full_price():
    game = tax(possession=0, owns={"school": 2}).play(Sell("school"))

    assert game.fish() == [("river", "red", 3), ("red", "bank", 2)]
    assert game.blue == team()
    position = state(red=team(position=32, possession=4, owns={}))
    again = Sitting(position).roll(1).play(Leave())
    assert again.moves[0].property == "school"
    assert again.play(again.moves[0]).owns(RED) == {"school": 4}


@pytest.mark.rule("COR-PAY-6")
def test_nothing_can_be_sold_without_a_charge():
    game = Sitting(state(red=team(owns={"house": 2})))

    assert game.moves == (Roll(),)
    with pytest.raises(NoSaleNow):
        game.play(Sell("house"))


@pytest.mark.rule("COR-PAY-6")
def test_with_voluntary_sale_a_team_may_sell_before_its_roll():
    red = team(possession=0, owns={"school": 4, "house": 1})
    game = Sitting(state(red=red), voluntary_sale=True)

    assert game.moves == (Roll(), Sell("house"), Sell("school"))
    game.play(Sell("school"))

    assert game.red.possession == 3
    assert game.moves == (Roll(), Sell("house"))
    assert game.happened(Sold) == [Sold(seat=RED, property="school", fish=3, forced=False)]


@pytest.mark.rule("COR-PAY-6")
def test_a_voluntary_sale_is_open_at_the_start_of_every_turn():
    position = state(red=team(position=5), blue=team(owns={"school": 4}))
    game = Sitting(position, voluntary_sale=True)

    game.roll(5)  # the insurance of the other colour

    assert game.decision == (BLUE, "roll")
    assert game.moves == (Roll(), Sell("school"))


@pytest.mark.rule("COR-PAY-6")
@pytest.mark.parametrize("basis", ["per_section", "original", "paid"])
def test_a_voluntary_sale_is_always_on_the_basis_of_what_was_paid(basis):
    position = state(red=team(possession=0, owns={"school": 2}))
    game = Sitting(position, voluntary_sale=True, sale_price_basis=basis)

    game.play(Sell("school"))

    assert game.red.possession == 1


@pytest.mark.rule("COR-PAY-6", "COR-PAY-10")
def test_an_empty_river_buys_nothing_of_a_teams_own_will():
    position = state(red=team(owns={"school": 2}), river=0)

    assert Sitting(position, voluntary_sale=True).moves == (Roll(),)


@pytest.mark.rule("COR-PAY-6")
def test_a_new_roll_won_on_a_question_lets_nothing_be_sold():
    game = right_answer(owns={"school": 2}, options={"voluntary_sale": True}, reward="roll")

    assert game.moves == (Roll(),)


@pytest.mark.rule("COR-PAY-6", "COR-PAY-9")
def test_a_timeout_sells_nothing_of_a_teams_own_will():
    position = state(red=team(position=5, owns={"school": 4}), turn=RED)

    game = Sitting(position, voluntary_sale=True).time_out(0)

    assert game.owns(RED) == {"school": 4}


@pytest.mark.rule("COR-PAY-2")
def test_only_owned_properties_can_be_sold():
    with pytest.raises(NotOwned):
        charged(3, possession=0, owns={"house": 2}).play(Sell("farm"))


# Borrowing


@pytest.mark.rule("COR-PAY-7")
def test_a_team_with_nothing_to_sell_borrows_the_exact_shortfall():
    game = Sitting(state(red=team(position=6, possession=1), corruption="C06")).roll(2)

    assert (game.red.possession, game.red.debt) == (0, 2)
    assert game.fish() == [("river", "red", 2), ("red", "river", 3)]


@pytest.mark.rule("COR-PAY-9")
def test_a_debt_grows_without_limit_and_stops_no_turn():
    game = Sitting(state(red=team(position=6, possession=0, debt=40), corruption="C06"))

    game.roll(2)

    assert game.red.debt == 43
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-PAY-9")
def test_a_sale_repays_no_debt():
    game = charged(1, possession=0, debt=5, owns={"harbor": 6}).play(Sell("harbor"))

    assert (game.red.possession, game.red.debt) == (4, 5)


@pytest.mark.rule("COR-PAY-9")
def test_a_team_in_debt_can_win():
    red = team(position=40, possession=2, debt=7, owns=village(without=("park",)))

    game = Sitting(state(red=red)).roll(1).play(full("park"))

    assert game.state.winner == RED


# An empty river


@pytest.mark.rule("COR-PAY-10")
def test_with_an_empty_river_nothing_is_sold_and_the_charge_becomes_debt():
    red = team(position=11, possession=0, owns={"house": 2})

    game = Sitting(state(red=red, river=0)).roll(2)  # past Central Bank

    assert game.owns(RED) == {"house": 2}
    assert (game.red.debt, game.red.possession) == (1, 0)
    assert game.state.bank == 0


@pytest.mark.rule("COR-PAY-10")
@pytest.mark.parametrize(("river", "decision"), [(0, (RED, "collect")), (1, (RED, "sell"))])
def test_one_fish_in_the_river_is_enough_to_sell(river, decision):
    red = team(position=11, possession=0, owns={"harbor": 6})

    game = Sitting(state(red=red, river=river)).roll(3)  # past Central Bank

    assert game.decision == decision


@pytest.mark.rule("COR-PAY-10")
def test_the_receiver_gets_only_the_fish_that_exist():
    game = charged(4, to="bank", possession=1, owns={"house": 2, "farm": 2}, river=1)

    game.play(Sell("house"))

    assert game.owns(RED) == {"farm": 2}
    assert (game.red.possession, game.red.debt) == (0, 2)
    assert (game.state.bank, game.state.river) == (2, 0)


@pytest.mark.rule("COR-PAY-10")
def test_a_short_river_gives_what_it_has_for_a_sale():
    game = charged(2, possession=0, owns={"harbor": 6}, river=2).play(Sell("harbor"))

    assert game.happened(Sold)[0].fish == 2
    assert (game.red.possession, game.red.debt, game.state.river) == (0, 0, 2)


@pytest.mark.rule("COR-PAY-10")
def test_an_unlimited_river_buys_and_lends_below_zero():
    options = {"river_supply": "unlimited"}
    game = charged(3, to="bank", possession=0, owns={"house": 2}, river=0, options=options)

    game.play(Sell("house"))

    assert (game.red.debt, game.state.bank, game.state.river) == (2, 3, -3)


# Paying back


@pytest.mark.rule("COR-PAY-8")
@pytest.mark.parametrize(
    ("option", "possession", "after"),
    [("partial", 0, (0, 1)), ("full_only", 0, (4, 5)), ("full_only", 1, (0, 0))],
)
def test_debt_is_repaid_after_a_claim(option, possession, after):
    claim = Claim(RED, "public", chance=False)
    red = team(position=1, possession=possession, debt=5)
    position = state(red=red, agenda=(claim,), die=4)

    game = Sitting(position, debt_repayment=option).play(Collect())

    assert (game.red.possession, game.red.debt) == after


@pytest.mark.rule("COR-PAY-8")
@pytest.mark.parametrize(("option", "after"), [("partial", (0, 2)), ("full_only", (3, 5))])
def test_debt_is_repaid_from_a_share_of_the_bank(option, after):
    red = team(position=9, possession=0, debt=5)

    game = Sitting(state(red=red, bank=6), debt_repayment=option).roll(3)

    assert (game.red.possession, game.red.debt) == after


@pytest.mark.rule("COR-PAY-8")
def test_debt_is_repaid_from_the_fish_of_a_question():
    game = right_answer(possession=0, debt=5, reward="fish")

    assert (game.red.possession, game.red.debt) == (0, 4)


@pytest.mark.rule("COR-PAY-8")
def test_leaving_fish_repays_nothing():
    position = state(red=team(position=32, possession=1, debt=5))

    game = Sitting(position).roll(1).play(Leave())

    assert (game.red.possession, game.red.debt) == (1, 5)


@pytest.mark.rule("COR-PAY-11")
def test_insurance_pays_no_fine():
    red = team(position=19, possession=0, insurance=9, tokens=1)

    game = Sitting(state(red=red)).roll(1).play(Fine())

    assert (game.red.insurance, game.red.debt) == (9, 1)


@pytest.mark.rule("COR-PAY-11")
def test_insurance_pays_no_tax_no_debt_and_no_purchase():
    red = team(position=32, possession=0, insurance=9, debt=3)

    game = Sitting(state(red=red)).roll(1).play(Collect())

    assert (game.red.insurance, game.red.debt) == (9, 2)
    assert game.decision == (BLUE, "roll")


# What a timeout sells


@pytest.mark.rule("COR-DEC-4")
@pytest.mark.parametrize(
    ("amount", "owns", "sold"),
    [
        pytest.param(2, {"harbor": 6, "museum": 4, "hotel": 6}, "museum", id="lowest that covers"),
        pytest.param(3, {"museum": 4, "hospital": 4}, "hospital", id="tie, as in the board file"),
        pytest.param(9, {"house": 2, "hotel": 6, "harbor": 6}, "harbor", id="highest if none"),
        pytest.param(9, {"house": 2, "hotel": 6}, "hotel", id="highest, not first"),
    ],
)
def test_a_timeout_sells(amount, owns, sold):
    assert sorted(owns, key=PROPERTIES.index)
    game = charged(amount, possession=0, owns=owns).time_out()

    assert game.happened(Sold)[0].property == sold


@pytest.mark.rule("COR-DEC-4")
def test_a_timeout_counts_what_the_team_already_has():
    game = charged(4, possession=3, owns={"harbor": 6, "house": 2}).time_out()

    assert game.happened(Sold)[0].property == "house"


def test_a_sale_that_the_river_cannot_pay_in_full_is_shown_as_it_is():
    rules = ruleset().rules
    red = team(owns={"harbor": 6})

    assert paying.brings(rules, 3, red, PROPERTIES.index("harbor"), "corruption") == 3
    assert paying.brings(rules, 9, red, PROPERTIES.index("harbor"), "corruption") == 5


def test_declining_is_told():
    game = Sitting(state(red=team(position=17, possession=6))).roll(1).play(Pass())

    assert game.events[-2].why == "nothing_bought"
    assert decisions.pending(game.state) is not None
