"""Category squares, Chance and Joker (COR-CAT, COR-CHANCE, COR-JOKER)."""

from __future__ import annotations

import pytest

from games.rules.corruption.events import (
    Bought,
    CardDrawn,
    CategoryCompleted,
    FishLeft,
    NothingHappened,
)
from games.rules.corruption.moves import Buy, Collect, Leave, Pass
from games.rules.corruption.refusals import (
    AlreadyOwned,
    NoFittingDonation,
    NoSuchProperty,
    NotForSale,
    OtherCategory,
    TooDear,
)
from tests.rules.corruption.sitting import (
    BLUE,
    CONTENT,
    RED,
    Sitting,
    full,
    half,
    state,
    team,
    village,
)

NO_CATEGORY_SQUARES = [
    square for square in CONTENT.board.squares if square.kind not in ("category", "chance")
]


def landed(*, square=28, die=4, options=None, **fields):
    """Red has just landed on a category square, 28 Public unless given."""
    fish = fields.pop("river", None)
    top = {"corruption": "C05", "qa": "Q01"}
    position = state(red=team(position=square - die, **fields), river=fish, **top)
    return Sitting(position, **(options or {})).roll(die)


# Fish


@pytest.mark.rule("COR-CAT-2")
@pytest.mark.parametrize("square", NO_CATEGORY_SQUARES, ids=lambda square: str(square.index))
def test_no_other_square_lets_a_team_claim_the_roll(square):
    game = Sitting(state(red=team(position=(square.index - 1) % 48), bank=2))

    game.roll(1, *((3, 2, 1) if square.kind == "qa" else ()))

    assert game.decision[1] != "collect"
    assert ("river", "red", 1) not in game.fish()


@pytest.mark.rule("COR-CAT-3")
@pytest.mark.parametrize("die", range(1, 7))
def test_the_die_says_how_many_fish(die):
    game = Sitting(state(red=team(position=26 - die, possession=0)))  # to 26 Environment

    game.roll(die).play(Collect())

    assert game.red.possession == die


@pytest.mark.rule("COR-CAT-4", "COR-CAT-5")
def test_fish_left_are_gone_and_the_purchase_follows():
    game = landed(possession=2)

    game.play(Leave())

    assert game.red.possession == 2
    assert game.happened(FishLeft) == [FishLeft(seat=RED, amount=4)]
    assert game.decision == (RED, "buy")
    assert Collect() not in game.moves


@pytest.mark.rule("COR-CAT-4")
def test_the_claim_also_lists_what_can_be_bought_at_once():
    game = landed(possession=4)

    assert game.moves == (Collect(), Leave(), full("house"), full("hospital"))


@pytest.mark.rule("COR-CAT-4", "COR-CAT-5")
def test_buying_at_once_tells_that_the_fish_are_left():
    game = landed(possession=4, river=3).play(full("house"))

    assert game.happened(FishLeft) == [FishLeft(seat=RED, amount=3)]
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-CAT-4")
def test_fish_are_claimed_by_themselves_with_auto():
    game = landed(possession=2, options={"fish_collection": "auto"})

    assert game.red.possession == 6
    assert game.decision == (RED, "buy")


@pytest.mark.rule("COR-CAT-6")
@pytest.mark.parametrize(("river", "got"), [(5, 4), (4, 4), (3, 3), (0, 0)])
def test_a_short_river_gives_what_it_has(river, got):
    game = landed(possession=0, river=river)

    game.play(Collect())

    assert game.red.possession == got
    assert game.state.river == river - got
    assert game.red.debt == 0
    assert (NothingHappened(seat=RED, why="river_empty") in game.events) == (got == 0)


@pytest.mark.rule("COR-CAT-6")
def test_an_unlimited_river_never_runs_short():
    game = landed(possession=0, river=1, options={"river_supply": "unlimited"})

    game.play(Collect())

    assert game.red.possession == 4
    assert game.state.river == -3


# Purchases


@pytest.mark.rule("COR-CAT-7")
def test_one_landing_buys_one_property():
    game = landed(possession=10).play(Collect()).play(full("hospital"))

    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-CAT-10")
def test_buying_nothing_is_always_allowed():
    game = landed(possession=10).play(Collect()).play(Pass())

    assert game.owns(RED) == {}
    assert game.red.possession == 14
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-CAT-10")
def test_a_purchase_needs_its_whole_price_in_possession():
    game = landed(possession=1, insurance=9, owns={"farm": 2}).play(Collect())

    assert game.moves == (full("house"), full("hospital"), Pass())
    with pytest.raises(TooDear):
        game.play(full("harbor"))


@pytest.mark.rule("COR-CAT-10")
def test_a_team_that_can_pay_for_nothing_is_not_asked():
    game = landed(square=1, die=1, possession=0).play(Collect())

    assert NothingHappened(seat=RED, why="nothing_affordable") in game.events
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-CAT-8")
def test_another_category_is_not_for_sale_here():
    with pytest.raises(OtherCategory):
        landed().play(Collect()).play(full("school"))


@pytest.mark.rule("COR-CAT-1")
def test_a_property_that_the_board_lacks_is_refused():
    with pytest.raises(NoSuchProperty):
        landed().play(Collect()).play(full("castle"))
    with pytest.raises(NoSuchProperty):
        landed().play(Collect()).play(Buy("castle"))


@pytest.mark.rule("COR-CAT-1")
def test_six_categories_share_the_properties_out():
    board = CONTENT.board

    listed = [name for category in board.categories.values() for name in category.properties]

    assert len(board.categories) == len({c.color for c in board.categories.values()}) == 6
    assert sorted(listed) == sorted(board.properties)


@pytest.mark.rule("COR-CAT-11")
def test_the_other_village_blocks_no_purchase():
    position = state(red=team(position=24), blue=team(owns={"hospital": 4}))

    game = Sitting(position).roll(4).play(Collect()).play(full("hospital"))

    assert game.owns(RED) == game.owns(BLUE) == {"hospital": 4}


@pytest.mark.rule("COR-CAT-11")
def test_a_team_owns_one_copy_of_each_property():
    game = landed(owns={"hospital": 4}).play(Collect())

    assert full("hospital") not in game.moves
    with pytest.raises(AlreadyOwned):
        game.play(full("hospital"))


@pytest.mark.rule("COR-CAT-9")
def test_nothing_is_for_sale_outside_a_purchase():
    with pytest.raises(NotForSale):
        Sitting(state()).play(full("school"))


# Completing a category


@pytest.mark.rule("COR-CAT-12")
def test_the_last_property_of_a_category_earns_a_donation():
    game = landed(square=33, die=4, owns={"library": 2}).play(Collect()).play(full("school"))

    assert game.happened(CategoryCompleted) == [
        CategoryCompleted(seat=RED, category="educational", reward=True)
    ]
    assert [event.deck for event in game.happened(CardDrawn)] == ["donation"]
    assert len(game.red.donations) == 1


@pytest.mark.rule("COR-CAT-12")
def test_a_property_that_leaves_one_missing_earns_nothing():
    game = landed(owns={"house": 2}).play(Collect()).play(full("hospital"))

    assert game.red.donations == ()


@pytest.mark.rule("COR-CAT-13")
@pytest.mark.parametrize(("option", "cards"), [("every_time", 1), ("once", 0)])
def test_a_category_completed_again(option, cards):
    game = landed(
        square=33,
        die=4,
        owns={"library": 2},
        rewarded=("educational",),
        options={"recompletion_reward": option},
    )

    game.play(Collect()).play(full("school"))

    assert len(game.red.donations) == cards
    assert game.red.rewarded == ("educational",)


@pytest.mark.rule("COR-CAT-13")
def test_once_still_rewards_the_first_time():
    game = landed(square=33, die=4, owns={"library": 2}, options={"recompletion_reward": "once"})

    game.play(Collect()).play(full("school"))

    assert len(game.red.donations) == 1
    assert game.red.rewarded == ("educational",)


@pytest.mark.rule("COR-CAT-14")
@pytest.mark.parametrize(
    ("square", "category", "tax"), [(33, "educational", 2), (28, "public", 3), (39, "tourism", 3)]
)
def test_the_tax_is_one_fish_for_each_property(square, category, tax):
    owns = dict.fromkeys(CONTENT.board.categories[category].properties, 2)
    game = landed(square=square, die=1 if square == 28 else 3, owns=owns, possession=9)

    game.play(Leave())

    assert game.red.possession == 9 - tax
    assert game.state.bank == tax


@pytest.mark.rule("COR-CAT-17")
def test_fish_come_before_debt_and_debt_before_the_purchase():
    game = landed(possession=0, debt=3).play(Collect())

    assert (game.red.possession, game.red.debt) == (1, 0)
    assert game.fish() == [("river", "red", 4), ("red", "river", 3)]
    assert game.decision == (BLUE, "roll")  # one fish buys nothing


@pytest.mark.rule("COR-CAT-18")
def test_completing_a_category_on_this_landing_costs_no_tax():
    game = landed(square=33, die=4, owns={"library": 2}).play(Collect()).play(full("school"))

    assert game.state.bank == 0
    assert game.red.possession == 6


@pytest.mark.rule("COR-CAT-18")
def test_the_category_of_the_other_village_costs_no_tax():
    blue = team(owns={"school": 4, "library": 2})
    game = Sitting(state(red=team(position=29, possession=5), blue=blue)).roll(4)

    game.play(Collect()).play(Pass())

    assert game.state.bank == 0
    assert game.red.possession == 9


# Chance


@pytest.mark.rule("COR-CHANCE-1", "COR-CHANCE-2", "COR-CHANCE-3")
@pytest.mark.parametrize(("die", "square"), [(1, 1), (2, 3), (3, 7), (4, 5), (5, 9), (6, 11)])
def test_the_dots_lead_to_the_first_square_of_a_category(die, square):
    game = Sitting(state(red=team(position=31 - die)))

    game.roll(die)

    assert game.red.position == square
    assert game.decision == (RED, "collect")


@pytest.mark.rule("COR-CHANCE-3")
@pytest.mark.parametrize(("die", "square"), [(1, 1), (2, 3), (3, 39), (4, 33), (5, 35), (6, 41)])
def test_with_next_ahead_chance_leads_to_the_next_square_of_a_category(die, square):
    game = Sitting(state(red=team(position=31 - die)), chance_target="next_ahead")

    game.roll(die)

    assert game.red.position == square
    assert game.state.bank == 0


@pytest.mark.rule("COR-CHANCE-4")
def test_chance_brings_the_fish_of_the_die_and_one_purchase():
    game = Sitting(state(red=team(position=26, possession=1))).roll(5).play(Collect())

    assert game.red.possession == 6
    assert game.moves == (full("factory"), full("power_station"), Pass())


@pytest.mark.rule("COR-CHANCE-5")
def test_on_a_category_completed_before_chance_sells_nothing():
    owns = {"school": 4, "library": 2}
    game = Sitting(state(red=team(position=27, possession=9, owns=owns))).roll(4)

    assert game.moves == (Collect(), Leave())
    game.play(Leave())

    assert NothingHappened(seat=RED, why="completed_by_chance") in game.events
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-CHANCE-6")
def test_buying_at_once_after_chance_earns_no_donation_either():
    game = Sitting(state(red=team(position=27, possession=4, owns={"library": 2})))

    game.roll(4).play(full("school"))

    assert game.red.donations == ()
    assert game.red.rewarded == ()


@pytest.mark.rule("COR-CHANCE-7")
def test_a_donation_held_may_pay_after_chance():
    game = Sitting(state(red=team(position=27, possession=0, donations=("D07",))))

    game.roll(4).play(Collect()).play(half("school"))

    assert game.owns(RED) == {"school": 2}
    assert game.red.possession == 2


@pytest.mark.rule("COR-CHANCE-8")
def test_the_next_roll_starts_where_chance_led():
    game = Sitting(state(red=team(position=27))).roll(4).play(Collect()).play(Pass())
    game.state = state(red=game.red)

    game.roll(5)

    assert game.red.position == 10


# Joker


@pytest.mark.rule("COR-JOKER-1", "COR-JOKER-2")
def test_joker_sells_one_property_of_any_category():
    game = Sitting(state(red=team(position=17, possession=2))).roll(1)

    assert game.moves == tuple(
        [full(item.id) for item in CONTENT.board.properties.values() if item.price <= 2] + [Pass()]
    )
    game.play(full("park"))
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-JOKER-1")
def test_joker_asks_nothing_of_a_team_without_fish():
    game = Sitting(state(red=team(position=17, possession=1))).roll(1)

    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-JOKER-4")
@pytest.mark.parametrize(("option", "cards"), [(True, 1), (False, 0)])
def test_completing_a_category_on_joker(option, cards):
    position = state(red=team(position=17, owns={"library": 2}))

    game = Sitting(position, joker_reward=option).roll(1).play(full("school"))

    assert len(game.red.donations) == cards


@pytest.mark.rule("COR-JOKER-4")
def test_a_matching_donation_may_be_used_on_joker():
    game = Sitting(state(red=team(position=17, possession=3, donations=("D07",)))).roll(1)

    assert half("school") in game.moves
    game.play(half("school"))

    assert game.happened(Bought) == [Bought(seat=RED, property="school", paid=2, donation="D07")]


@pytest.mark.rule("COR-JOKER-5")
def test_joker_takes_no_tax_and_keeps_the_flag():
    owns = village(without=("park",))
    game = Sitting(state(red=team(position=17, possession=6, tokens=1, owns=owns)))

    game.roll(1).play(Pass())

    assert game.state.bank == 0
    assert game.red.position == 18


# The Donation card of a purchase


@pytest.mark.rule("COR-DEC-4")
@pytest.mark.parametrize(
    ("possession", "paid", "cards"), [(4, 4, ("D07",)), (3, 2, ()), (2, 2, ())]
)
def test_a_card_left_open_is_used_only_where_the_full_price_cannot_be_paid(possession, paid, cards):
    red = team(position=32, possession=possession, donations=("D07",))
    game = Sitting(state(red=red)).roll(1).play(Leave())

    game.play(Buy("school"))

    assert game.owns(RED) == {"school": paid}
    assert game.red.donations == cards


@pytest.mark.rule("COR-DEC-4", "COR-DON-3")
def test_a_card_left_open_is_no_card_of_another_category():
    game = Sitting(state(red=team(position=32, possession=3, donations=("D01",))))

    game.roll(1).play(Leave())

    with pytest.raises(TooDear):
        game.play(Buy("school"))
    with pytest.raises(NoFittingDonation):
        game.play(half("school"))
