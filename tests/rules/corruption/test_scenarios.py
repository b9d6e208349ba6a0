"""The scenarios of the rules page, section 9, with their exact numbers."""

from __future__ import annotations

import pytest

from games.engine.chance import seeded
from games.rules.corruption.events import CardDrawn, TurnSkipped
from games.rules.corruption.moves import (
    AnswerQuestion,
    AskQuestion,
    ChooseReward,
    Collect,
    Deposit,
    Fine,
    GiveDonation,
    Leave,
    Pass,
    Sell,
    Wipe,
)
from games.rules.corruption.refusals import (
    DepositOutOfBounds,
    FishGone,
    NoFittingDonation,
    OtherCategory,
    WipeNotOpen,
)
from games.rules.corruption.state import Sentence
from tests.rules.corruption.sitting import (
    BLUE,
    IN_ORDER,
    RED,
    Sitting,
    full,
    half,
    ruleset,
    state,
    team,
    village,
    with_flag,
)

# 1-3: setup, collecting, buying


@pytest.mark.rule("COR-SETUP-1", "COR-SETUP-2", "COR-SETUP-3", "COR-SETUP-5")
def test_01_a_new_game_begins_on_start_with_six_fish_each():
    position = ruleset().setup(2, seeded(1)).state

    assert (position.river, position.bank) == (88, 0)
    for each in position.teams:
        assert (each.possession, each.position, each.tokens) == (6, 0, 0)
        assert each.council
        assert each.paid == (None,) * 14


@pytest.mark.rule("COR-CAT-3", "COR-CAT-8", "COR-CAT-9", "COR-MOVE-2")
def test_02_collecting_and_buying_the_hospital():
    game = Sitting(state(red=team(position=24, possession=6)))
    river = game.state.river

    game.roll(4).play(Collect())

    assert game.red.position == 28
    assert game.moves == (full("harbor"), full("house"), full("hospital"), Pass())
    with pytest.raises(OtherCategory):
        game.play(full("school"))

    game.play(full("hospital"))

    assert game.red.possession == 6
    assert game.state.river == river
    assert game.owns(RED) == {"hospital": 4}


@pytest.mark.rule("COR-CAT-4", "COR-CAT-5")
def test_03_buying_first_loses_the_fish():
    game = Sitting(state(red=team(position=24, possession=6)))
    river = game.state.river

    game.roll(4).play(full("hospital"))

    assert game.red.possession == 2
    assert game.state.river == river + 4
    with pytest.raises(FishGone):
        game.play(Collect())


# 4: Start


@pytest.mark.rule("COR-START-1", "COR-MOVE-7", "COR-MOVE-8")
def test_04_landing_on_start_lets_the_other_team_roll_twice():
    game = Sitting(state(red=team(position=45), blue=team(position=37)))

    game.roll(3)

    assert game.red.position == 0
    assert game.red.missed == 1
    assert game.decision == (BLUE, "roll")

    game.roll(1)  # to the insurance of the other colour

    assert game.happened(TurnSkipped) == [TurnSkipped(seat=RED, left=0)]
    assert game.red.missed == 0
    assert game.decision == (BLUE, "roll")

    game.roll(4)  # to Donation

    assert game.decision == (RED, "roll")


# 5-6: taxes


@pytest.mark.rule("COR-CAT-14", "COR-CAT-15", "COR-CAT-7", "COR-CAT-17")
def test_05_a_completed_category_costs_tax():
    owns = {"school": 4, "library": 2}
    game = Sitting(state(blue=team(position=29, possession=1, owns=owns), turn=BLUE))
    river = game.state.river

    game.roll(4).play(Collect())

    assert game.blue.position == 33
    assert game.blue.possession == 3
    assert game.state.bank == 2
    assert game.state.river == river - 4
    assert game.owns(BLUE) == owns
    assert game.happened(CardDrawn) == []
    assert game.decision == (RED, "roll")


@pytest.mark.rule("COR-CAT-16", "COR-PAY-2", "COR-PAY-3", "COR-PAY-4")
def test_06_a_tax_is_paid_by_a_sale_at_the_printed_price_less_one():
    owns = {"school": 2, "library": 2}
    game = Sitting(state(blue=team(position=29, possession=0, owns=owns), turn=BLUE))
    river = game.state.river

    game.roll(4).play(Leave())
    assert game.decision == (BLUE, "sell")
    game.play(Sell("school"))

    assert game.blue.possession == 1
    assert game.state.bank == 2
    assert game.state.river == river - 3
    assert game.owns(BLUE) == {"library": 2}


# 7-9: Chance, Joker


@pytest.mark.rule("COR-CHANCE-2", "COR-CHANCE-3", "COR-CHANCE-4", "COR-MOVE-4")
def test_07_chance_leads_to_the_first_square_of_the_category():
    game = Sitting(state(red=team(position=27, possession=3)))
    river = game.state.river

    game.roll(4).play(Collect())

    assert game.red.position == 5
    assert game.red.possession == 7

    game.play(full("school"))

    assert game.red.possession == 3
    assert game.state.river == river
    assert game.state.bank == 0


@pytest.mark.rule("COR-CHANCE-6")
def test_08a_completing_by_chance_earns_no_donation():
    game = Sitting(state(red=team(position=27, possession=3, owns={"library": 2})))

    game.roll(4).play(Collect()).play(full("school"))

    assert game.owns(RED) == {"library": 2, "school": 4}
    assert game.red.donations == ()


@pytest.mark.rule("COR-CHANCE-5")
def test_08b_chance_taxes_no_completed_category():
    owns = {"school": 4, "library": 2}
    game = Sitting(state(red=team(position=27, possession=3, owns=owns)))

    game.roll(4).play(Collect())

    assert game.red.possession == 7
    assert game.state.bank == 0
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-JOKER-1", "COR-JOKER-2", "COR-JOKER-3", "COR-JOKER-4")
def test_09_joker_sells_any_property_and_rewards_completion():
    game = Sitting(state(red=team(position=16, possession=6, owns={"factory": 4})))
    river = game.state.river

    game.roll(2)
    assert game.decision == (RED, "joker")
    game.play(full("power_station"))

    assert game.red.position == 18
    assert game.red.possession == 0
    assert game.state.river == river + 6
    assert len(game.red.donations) == 1


# 10: insurance


@pytest.mark.rule("COR-INS-2", "COR-INS-5")
def test_10a_a_deposit_cannot_be_taken_back():
    game = Sitting(state(red=team(position=5, possession=6)))

    game.roll(1).play(Deposit(4))

    assert game.red.possession == 2
    assert game.red.insurance == 4
    game.state = state(red=team(position=5, possession=2, insurance=4))
    game.roll(1)
    with pytest.raises(DepositOutOfBounds):
        game.play(Deposit(-1))
    assert game.red.insurance == 4


@pytest.mark.rule("COR-INS-6")
def test_10b_the_other_insurance_has_no_effect():
    game = Sitting(state(blue=team(position=5), turn=BLUE))

    game.roll(1)

    assert game.decision == (RED, "roll")
    assert game.blue == team(position=6)
    assert game.red == team()


# 11-13: disasters


@pytest.mark.rule("COR-NND-2", "COR-NND-3", "COR-NND-5", "COR-NND-7")
def test_11_a_national_disaster_costs_one_insured_and_two_otherwise():
    game = Sitting(
        state(
            red=team(position=46, insurance=3, possession=5),
            blue=team(possession=1, owns={"house": 2, "museum": 4}),
        )
    )
    river = game.state.river

    game.roll(1)
    assert game.decision == (BLUE, "sell")
    game.play(Sell("house"))

    assert (game.red.insurance, game.red.possession) == (2, 5)
    assert game.blue.possession == 0
    assert game.owns(BLUE) == {"museum": 4}
    assert game.state.river == river + 2


@pytest.mark.rule("COR-NND-6", "COR-PAY-7", "COR-PAY-8")
def test_12_a_loan_is_repaid_as_soon_as_fish_are_collected():
    game = Sitting(state(red=team(position=46, insurance=3, possession=5), blue=team(possession=0)))

    game.roll(1)

    assert (game.blue.debt, game.blue.possession) == (2, 0)

    game.roll(5).play(Collect())

    assert (game.blue.possession, game.blue.debt) == (3, 0)
    assert game.decision == (BLUE, "buy")


@pytest.mark.rule("COR-LND-2", "COR-LND-3", "COR-LND-4", "COR-LND-5")
@pytest.mark.parametrize(
    ("insurance", "possession", "owned", "after"),
    [
        pytest.param(3, 6, True, (0, 6, True, 3), id="insured"),
        pytest.param(2, 20, True, (2, 20, False, 0), id="underinsured"),
        pytest.param(3, 6, False, (3, 6, False, 0), id="not owned"),
    ],
)
def test_13_a_local_disaster_takes_half_the_price_or_the_property(
    insurance, possession, owned, after
):
    owns = {"power_station": 6} if owned else {}
    red = team(position=10, insurance=insurance, possession=possession, owns=owns)
    game = Sitting(state(red=red, local="L01"))
    river = game.state.river

    game.roll(3)

    kept = "power_station" in game.owns(RED)
    paid = game.state.river - river - game.state.bank
    tax = game.state.bank  # the walk passes Central Bank
    assert (game.red.insurance, game.red.possession + tax, kept, paid + tax) == after


# 14: donations


@pytest.mark.rule("COR-DON-2", "COR-DON-3", "COR-DON-6")
def test_14_a_donation_halves_a_price_of_its_own_category_only():
    game = Sitting(state(red=team(position=32, possession=0, donations=("D09",))))
    river = game.state.river

    game.roll(3).play(Collect()).play(half("factory"))

    assert game.red.possession == 1
    assert game.state.river == river - 1
    assert game.red.donations == ()
    assert game.state.decks.donation[-1] == "D09"
    assert game.owns(RED) == {"factory": 2}

    game = Sitting(state(red=team(position=30, possession=6, donations=("D09",))))
    game.roll(3).play(Collect())
    with pytest.raises(NoFittingDonation):
        game.play(half("school"))


# 15: corruption


@pytest.mark.rule("COR-CORR-1", "COR-CORR-2", "COR-CORR-3", "COR-CORR-6")
def test_15_a_corruption_card_costs_a_token_a_turn_and_fish():
    game = Sitting(state(red=team(position=6, possession=5), corruption="C01"))
    river = game.state.river

    game.roll(2)

    assert (game.red.tokens, game.red.missed, game.red.possession) == (1, 1, 3)
    assert game.state.river == river + 2


@pytest.mark.rule("COR-CORR-4")
def test_15_a_short_team_sells_for_one_less_than_it_paid():
    red = team(position=6, possession=1, owns={"harbor": 6})
    game = Sitting(state(red=red, corruption="C01"))

    game.roll(2).play(Sell("harbor"))

    assert game.red.possession == 4
    assert game.owns(RED) == {}


@pytest.mark.rule("COR-CORR-5")
def test_15_a_team_without_property_borrows_what_is_missing():
    game = Sitting(state(red=team(position=6, possession=1), corruption="C01"))

    game.roll(2)

    assert (game.red.possession, game.red.debt) == (0, 1)


# 16-18: the Inspector


@pytest.mark.rule("COR-INSP-0", "COR-INSP-12", "COR-INSP-34", "COR-INSP-G1")
@pytest.mark.parametrize(
    ("tokens", "choice", "after"),
    [
        (2, Fine(), (4, 2)),
        (1, Wipe(), (3, 0)),
        (4, Fine(), (3, 4)),
        (3, Wipe(), (1, 0)),
    ],
)
def test_16_rows_of_one_to_four_tokens(tokens, choice, after):
    game = Sitting(state(red=team(position=19, possession=5, tokens=tokens)))

    game.roll(1).play(choice)

    assert (game.red.possession, game.red.tokens) == after
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-INSP-0")
def test_16_a_clean_record_costs_and_earns_nothing():
    game = Sitting(state(red=team(position=19, possession=5)))

    game.roll(1)

    assert game.red == team(position=20, possession=5)
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-INSP-G3")
def test_16_a_wipe_that_possession_does_not_cover_is_not_offered():
    game = Sitting(state(red=team(position=19, possession=3, tokens=3)))

    game.roll(1)

    assert game.moves == (Fine(),)
    with pytest.raises(WipeNotOpen):
        game.play(Wipe())


@pytest.mark.rule("COR-INSP-56", "COR-INSP-G4")
def test_17_a_fine_of_five_tokens_costs_two_fish_and_a_donation():
    red = team(position=19, possession=5, tokens=5, donations=("D03",))
    game = Sitting(state(red=red))

    game.roll(1).play(Fine())
    assert game.moves == (GiveDonation("D03"),)
    game.play(GiveDonation("D03"))

    assert (game.red.possession, game.red.tokens, game.red.donations) == (3, 5, ())
    assert game.blue.donations == ("D03",)


@pytest.mark.rule("COR-INSP-56")
def test_17_a_fine_of_five_tokens_without_donation_costs_four_fish():
    game = Sitting(state(red=team(position=19, possession=5, tokens=5)))

    game.roll(1).play(Fine())

    assert (game.red.possession, game.red.tokens) == (1, 5)
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-INSP-56", "COR-INSP-G5")
def test_17_a_wipe_of_five_tokens_costs_four_fish_and_a_round():
    game = Sitting(state(red=team(position=19, possession=5, tokens=5), blue=team(position=47)))

    game.roll(1).play(Wipe())

    assert (game.red.possession, game.red.position, game.red.tokens) == (1, 24, 5)
    assert game.red.sentence == Sentence(1, wipe=True)

    game.roll(1)  # blue lands on Start

    assert (game.red.sentence, game.red.tokens) == (None, 0)


@pytest.mark.rule("COR-INSP-78")
@pytest.mark.parametrize(
    ("choice", "sentence", "tokens_after"),
    [(Fine(), Sentence(1, wipe=False), 8), (Wipe(), Sentence(2, wipe=True), 0)],
)
def test_18_eight_tokens_lead_to_prison_either_way(choice, sentence, tokens_after):
    game = Sitting(
        state(red=team(position=19, possession=5, tokens=8)),
        start_landing="end_turn",
    )

    game.roll(1).play(choice)

    assert (game.red.possession, game.red.sentence) == (4, sentence)

    for _ in range(sentence.rounds):
        game.state = with_flag(game.state, BLUE, 46)
        game.roll(2)

    assert (game.red.sentence, game.red.tokens) == (None, tokens_after)


@pytest.mark.rule("COR-INSP-9")
def test_18_nine_tokens_and_more_leave_no_choice():
    game = Sitting(state(red=team(position=19, possession=5, tokens=11)))

    game.roll(1)

    assert game.decision == (BLUE, "roll")
    assert game.red.possession == 2
    assert game.red.sentence == Sentence(2, wipe=True)
    assert game.red.tokens == 11


# 19: a question


@pytest.mark.rule("COR-QA-1", "COR-QA-2", "COR-QA-3", "COR-QA-6")
def test_19_the_right_answer_is_shown_to_the_asking_team_only():
    game = asked_question()

    assert game.ruleset.observe(game.state, RED).question.correct is None
    assert game.ruleset.observe(game.state, BLUE).question.correct == "c"
    assert game.moves == tuple(AnswerQuestion(letter) for letter in "abcd")


@pytest.mark.rule("COR-QA-4")
def test_19_a_wrong_answer_costs_nothing():
    game = asked_question()
    before = game.red

    game.play(AnswerQuestion("b"))

    assert game.red == before
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-QA-5")
def test_19_a_right_answer_may_bring_a_fish():
    game = asked_question().play(AnswerQuestion("c")).play(ChooseReward("fish"))

    assert game.red.possession == 3
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-QA-7")
def test_19_a_right_answer_may_bring_a_new_roll():
    game = asked_question().play(AnswerQuestion("c")).play(ChooseReward("roll"))

    game.roll(1)

    assert game.red.position == 5
    assert game.decision == (RED, "collect")
    game.play(Collect())
    assert game.decision == (RED, "buy")


def asked_question():
    game = Sitting(state(red=team(position=1, possession=2), qa="Q01"))
    return game.roll(3, *IN_ORDER).play(AskQuestion())


# 20: Central Bank


@pytest.mark.rule("COR-BANK-3", "COR-BANK-4", "COR-BANK-5")
def test_20a_landing_shares_the_square():
    game = Sitting(state(red=team(position=9, possession=6), bank=15))
    river = game.state.river

    game.roll(3)

    assert game.red.possession == 13
    assert game.state.river == river + 8
    assert game.state.bank == 0


@pytest.mark.rule("COR-BANK-1", "COR-BANK-2", "COR-BANK-6")
def test_20b_passing_costs_a_fish_before_the_landing():
    game = Sitting(state(red=team(position=11, possession=0)))

    game.roll(3)

    assert (game.red.debt, game.state.bank) == (1, 1)

    game.play(Collect())

    assert (game.red.possession, game.red.debt) == (2, 0)


@pytest.mark.rule("COR-BANK-5")
def test_20c_leaving_the_square_costs_nothing():
    game = Sitting(state(red=team(position=12, possession=3)))

    game.roll(2)

    assert (game.red.possession, game.state.bank) == (3, 0)


# 21-22: prison


@pytest.mark.rule("COR-PRISON-3", "COR-PRISON-5", "COR-START-2")
def test_21_a_round_ends_when_the_other_team_passes_start():
    red = team(position=24, tokens=5, sentence=Sentence(1, wipe=True))
    game = Sitting(state(red=red, blue=team(position=45), turn=BLUE, corruption="C05"))

    game.roll(5)

    assert (game.red.position, game.red.tokens, game.red.missed) == (0, 0, 0)
    assert game.blue.position == 2
    assert game.blue.tokens == 1
    assert game.decision == (RED, "roll")


@pytest.mark.rule("COR-PRISON-4")
def test_21_of_two_rounds_one_is_left():
    red = team(position=24, tokens=5, sentence=Sentence(2, wipe=True))
    game = Sitting(state(red=red, blue=team(position=45), turn=BLUE, corruption="C05"))

    game.roll(5)

    assert game.red.sentence == Sentence(1, wipe=True)
    assert (game.red.position, game.red.tokens) == (24, 5)
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-PRISON-6", "COR-PRISON-7")
@pytest.mark.parametrize(
    ("displaced_record", "tokens", "sentence", "tokens_after"),
    [
        ("wipe", 9, Sentence(2, wipe=True), 0),
        ("keep", 9, Sentence(2, wipe=True), 9),
        ("wipe", 7, Sentence(1, wipe=False), 7),
        ("keep", 7, Sentence(1, wipe=False), 7),
    ],
)
def test_22_a_newcomer_displaces_the_team_in_prison(
    displaced_record, tokens, sentence, tokens_after
):
    game = Sitting(
        state(
            red=team(position=42, possession=4, tokens=7),
            blue=team(position=24, possession=3, tokens=tokens, sentence=sentence),
        ),
        displaced_record=displaced_record,
    )

    game.roll(1).play(Fine())

    assert (game.red.possession, game.red.position, game.red.tokens) == (3, 24, 7)
    assert game.red.sentence == Sentence(1, wipe=False)
    assert (game.blue.possession, game.blue.position, game.blue.missed) == (2, 0, 0)
    assert (game.blue.tokens, game.blue.sentence) == (tokens_after, None)
    assert game.state.bank == 1
    assert game.decision == (BLUE, "roll")


# 23-25: winning


def finishing(*, tokens):
    """Red lacks only the Park and is about to roll a 1 to an Environment square."""
    owns = village(without=("park",))
    return Sitting(state(red=team(position=40, possession=3, tokens=tokens, owns=owns))).roll(1)


@pytest.mark.rule("COR-WIN-1", "COR-WIN-2", "COR-GOAL-5")
def test_23a_a_complete_village_with_a_clean_record_wins():
    game = finishing(tokens=0).play(Collect()).play(full("park"))

    assert game.red.possession == 2
    assert game.state.winner == RED
    assert game.decision is None


@pytest.mark.rule("COR-WIN-4", "COR-WIN-5", "COR-GOAL-6")
def test_23b_a_finished_team_wipes_its_record_at_the_closest_inspector():
    game = finishing(tokens=2).play(Collect()).play(full("park"))

    assert game.red.position == 43
    assert game.state.winner is None

    game.play(Wipe())

    assert (game.red.possession, game.red.tokens) == (0, 0)
    assert game.state.winner == RED


@pytest.mark.rule("COR-WIN-6", "COR-WIN-7")
def test_23c_a_finished_team_that_cannot_wipe_pays_the_fine_and_plays_on():
    game = finishing(tokens=2).play(full("park"))

    assert game.moves == (Fine(),)
    game.play(Fine())

    assert (game.red.possession, game.red.tokens, game.red.position) == (0, 2, 43)
    assert game.decision == (BLUE, "roll")


def race(*, tokens):
    """Red is complete with 3 tokens; blue lacks only the Park and is about to complete."""
    return Sitting(
        state(
            red=team(position=30, possession=2, tokens=3, owns=village()),
            blue=team(position=40, possession=3, tokens=tokens, owns=village(without=("park",))),
            turn=BLUE,
        )
    ).roll(1)


@pytest.mark.rule("COR-WIN-10")
def test_24a_the_other_team_wins_with_a_clean_record():
    game = race(tokens=0).play(full("park"))

    assert game.state.winner == BLUE


@pytest.mark.rule("COR-WIN-11", "COR-WIN-12")
def test_24b_both_finished_teams_go_to_their_inspectors():
    game = race(tokens=1).play(full("park"))

    assert game.blue.position == 43
    assert game.moves == (Fine(),)

    game.play(Fine())

    assert (game.blue.possession, game.blue.tokens) == (0, 1)
    assert game.decision == (RED, "inspector")
    assert game.red.position == 20
    assert game.moves == (Fine(),)

    game.play(Fine())

    assert (game.red.possession, game.red.tokens) == (0, 3)
    assert game.state.winner is None
    assert game.decision == (RED, "roll")


@pytest.mark.rule("COR-WIN-13", "COR-PAY-3")
def test_25_a_broken_village_wins_only_when_it_is_rebuilt():
    red = team(position=42, possession=0, tokens=4, owns=village())
    game = Sitting(state(red=red))

    game.roll(1).play(Fine()).play(Sell("house")).play(Sell("farm"))

    assert game.red.possession == 0
    assert len(game.owns(RED)) == 12

    game.state = state(
        red=team(position=42, possession=4, tokens=3, owns=village(without=("house", "farm")))
    )
    game.roll(1).play(Wipe())

    assert game.red.tokens == 0
    assert game.state.winner is None

    game.state = state(red=team(position=17, possession=2, owns=village(without=("house", "farm"))))
    game.roll(1).play(full("house"))
    assert game.state.winner is None

    game.state = state(red=team(position=17, possession=2, owns=village(without=("farm",))))
    game.roll(1).play(full("farm"))
    assert game.state.winner == RED
