"""The Inspector's table, row by row (COR-INSP)."""

from __future__ import annotations

import pytest

from games.rules.corruption.events import Inspected, RecordWiped, Sentenced
from games.rules.corruption.moves import Fine, GiveDonation, Sell, Wipe
from games.rules.corruption.refusals import DonationNotHeld, WipeNotOpen
from games.rules.corruption.state import Sentence
from tests.rules.corruption.sitting import BLUE, RED, Sitting, state, team

BOTH = (Fine(), Wipe())


def visit(*, options=None, river=None, **fields):
    """Red lands on the Inspector at 20."""
    red = team(position=19, **fields)
    return Sitting(state(red=red, river=river), **(options or {})).roll(1)


# Every row from both sides of its bracket: fish paid, tokens left, sentence

ROWS = {
    1: ((1, 1, None), (2, 0, None)),
    2: ((1, 2, None), (2, 0, None)),
    3: ((2, 3, None), (4, 0, None)),
    4: ((2, 4, None), (4, 0, None)),
    5: ((4, 5, None), (4, 5, Sentence(1, wipe=True))),
    6: ((4, 6, None), (4, 6, Sentence(1, wipe=True))),
    7: ((1, 7, Sentence(1, wipe=False)), (1, 7, Sentence(2, wipe=True))),
    8: ((1, 8, Sentence(1, wipe=False)), (1, 8, Sentence(2, wipe=True))),
}


@pytest.mark.rule("COR-INSP-12", "COR-INSP-34", "COR-INSP-56", "COR-INSP-78")
@pytest.mark.parametrize("tokens", ROWS)
def test_the_fine_of_each_row(tokens):
    fish, left, sentence = ROWS[tokens][0]

    game = visit(possession=9, tokens=tokens).play(Fine())

    assert (9 - game.red.possession, game.red.tokens, game.red.sentence) == (
        fish,
        left,
        sentence,
    )
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-INSP-12", "COR-INSP-34", "COR-INSP-56", "COR-INSP-78")
@pytest.mark.parametrize("tokens", ROWS)
def test_the_wipe_of_each_row(tokens):
    fish, left, sentence = ROWS[tokens][1]

    game = visit(possession=9, tokens=tokens).play(Wipe())

    assert (9 - game.red.possession, game.red.tokens, game.red.sentence) == (
        fish,
        left,
        sentence,
    )
    assert game.red.position == (20 if sentence is None else 24)
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-INSP-9")
@pytest.mark.parametrize("tokens", [9, 10, 25])
def test_nine_tokens_and_more_act_at_once(tokens):
    game = visit(possession=9, tokens=tokens)

    assert (game.red.possession, game.red.tokens) == (6, tokens)
    assert game.red.sentence == Sentence(2, wipe=True)
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-INSP-0")
def test_no_tokens_no_cost_and_no_reward():
    game = visit(possession=9, tokens=0)

    assert game.red == team(position=20, possession=9)
    assert game.happened(Inspected) == [Inspected(seat=RED, tokens=0, row="0")]


@pytest.mark.rule("COR-INSP-G1")
@pytest.mark.parametrize(
    ("tokens", "row"),
    [
        (1, "12"),
        (2, "12"),
        (3, "34"),
        (4, "34"),
        (5, "56"),
        (6, "56"),
        (7, "78"),
        (8, "78"),
        (9, "9"),
        (20, "9"),
    ],
)
def test_the_number_of_tokens_says_which_row_applies(tokens, row):
    game = visit(possession=9, tokens=tokens)

    assert game.happened(Inspected) == [Inspected(seat=RED, tokens=tokens, row=row)]


@pytest.mark.rule("COR-INSP-56", "COR-INSP-G6")
@pytest.mark.parametrize("tokens", [5, 6])
def test_a_fine_with_a_donation_held_is_two_fish_and_the_card(tokens):
    game = visit(possession=9, tokens=tokens, donations=("D02", "D05")).play(Fine())

    assert game.red.possession == 7
    assert game.moves == (GiveDonation("D02"), GiveDonation("D05"))
    with pytest.raises(DonationNotHeld):
        game.play(GiveDonation("D07"))

    game.play(GiveDonation("D05"))

    assert game.red.donations == ("D02",)
    assert game.blue.donations == ("D05",)


@pytest.mark.rule("COR-INSP-56", "COR-DEC-4")
def test_a_timeout_gives_the_donation_held_longest():
    game = visit(possession=9, tokens=5, donations=("D05", "D02")).play(Fine()).time_out()

    assert game.blue.donations == ("D05",)


@pytest.mark.rule("COR-DEC-4")
def test_a_timeout_pays_the_fine():
    game = visit(possession=9, tokens=1).time_out()

    assert (game.red.possession, game.red.tokens) == (8, 1)


@pytest.mark.rule("COR-INSP-G2")
def test_the_wipe_replaces_the_fine():
    game = visit(possession=9, tokens=4).play(Wipe())

    assert game.fish() == [("red", "river", 4)]


@pytest.mark.rule("COR-INSP-G3")
@pytest.mark.parametrize(("tokens", "cost"), [(1, 2), (2, 2), (3, 4), (4, 4), (5, 4), (6, 4)])
def test_a_wipe_is_open_only_where_possession_covers_it(tokens, cost):
    assert visit(possession=cost, tokens=tokens).moves == BOTH
    short = visit(possession=cost - 1, insurance=9, tokens=tokens, owns={"harbor": 6})

    assert short.moves == (Fine(),)
    with pytest.raises(WipeNotOpen):
        short.play(Wipe())


@pytest.mark.rule("COR-INSP-G3")
@pytest.mark.parametrize("tokens", [7, 8])
def test_the_wipe_of_seven_and_eight_tokens_is_always_open(tokens):
    game = visit(possession=0, tokens=tokens)

    assert game.moves == BOTH
    game.play(Wipe())
    assert game.red.debt == 1


@pytest.mark.rule("COR-INSP-G3")
@pytest.mark.parametrize(
    ("owns", "river", "is_open"),
    [
        pytest.param({"house": 2, "mill": 4}, None, True, id="1 + 1 + 3 fish cover 4"),
        pytest.param({"house": 2, "farm": 2}, None, False, id="1 + 1 + 1 fish do not"),
        pytest.param({"mill": 4}, 3, True, id="the river can pay the sale"),
        pytest.param({"mill": 4, "museum": 4}, 2, False, id="the river cannot"),
    ],
)
def test_with_may_sell_sales_count_as_far_as_the_river_pays_them(owns, river, is_open):
    game = visit(
        possession=1, tokens=3, owns=owns, river=river, options={"wipe_funding": "may_sell"}
    )

    assert (Wipe() in game.moves) == is_open


@pytest.mark.rule("COR-INSP-G3")
def test_with_may_sell_an_unlimited_river_pays_every_sale():
    options = {"wipe_funding": "may_sell", "river_supply": "unlimited"}

    game = visit(possession=1, tokens=3, owns={"mill": 4}, river=-5, options=options)

    assert game.moves == BOTH


@pytest.mark.rule("COR-INSP-G3", "COR-INSP-G4")
def test_with_may_sell_the_wipe_is_paid_by_sales_and_never_by_a_loan():
    game = visit(
        possession=1,
        tokens=3,
        owns={"house": 2, "mill": 4},
        options={"wipe_funding": "may_sell"},
    )

    game.play(Wipe()).play(Sell("house")).play(Sell("mill"))

    assert (game.red.possession, game.red.debt, game.red.tokens) == (1, 0, 0)


@pytest.mark.rule("COR-INSP-G4")
def test_a_fine_that_possession_does_not_cover_is_paid_by_a_sale_on_the_basis_of_paid():
    game = visit(possession=0, tokens=3, owns={"school": 3}).play(Fine())

    game.play(Sell("school"))

    assert (game.red.possession, game.red.debt, game.red.tokens) == (0, 0, 3)


@pytest.mark.rule("COR-INSP-G4")
@pytest.mark.parametrize(("tokens", "debt"), [(7, 1), (9, 3)])
def test_rows_with_prison_borrow_what_is_missing(tokens, debt):
    game = visit(possession=0, tokens=tokens)
    if tokens == 7:
        game.play(Fine())

    assert game.red.debt == debt
    assert game.red.sentence is not None


@pytest.mark.rule("COR-INSP-G4")
def test_fish_come_before_the_donation_and_before_prison():
    game = visit(possession=0, tokens=6, donations=("D01",), owns={"harbor": 6}).play(Fine())

    assert game.decision == (RED, "sell")
    game.play(Sell("harbor"))
    assert game.decision == (RED, "give_donation")

    jailed = visit(possession=0, tokens=7, owns={"harbor": 6}).play(Fine())
    assert jailed.decision == (RED, "sell")
    assert jailed.red.position == 20
    assert jailed.play(Sell("harbor")).red.position == 24


@pytest.mark.rule("COR-INSP-G5", "COR-INSP-G7")
def test_a_wipe_without_prison_acts_at_once_and_removes_all_tokens():
    game = visit(possession=9, tokens=4).play(Wipe())

    assert game.red.tokens == 0
    assert game.happened(RecordWiped) == [RecordWiped(seat=RED, tokens=4)]


@pytest.mark.rule("COR-INSP-G5")
def test_a_wipe_with_prison_waits_until_the_sentence_is_served():
    game = visit(possession=9, tokens=6).play(Wipe())

    assert game.red.tokens == 6
    assert game.happened(RecordWiped) == []


@pytest.mark.rule("COR-INSP-G7")
def test_a_fine_removes_no_token():
    game = visit(possession=9, tokens=8).play(Fine())

    assert game.red.tokens == 8
    assert game.happened(Sentenced)[0].choice == "fine"


@pytest.mark.rule("COR-INSP-G8")
def test_walking_over_an_inspector_has_no_effect():
    game = Sitting(state(red=team(position=19, possession=6, tokens=4))).roll(3)

    assert game.happened(Inspected) == []
    assert (game.red.possession, game.red.tokens) == (6, 4)
