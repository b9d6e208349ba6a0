"""Prison (COR-PRISON)."""

from __future__ import annotations

import pytest

from games.rules.corruption.events import (
    CardDrawn,
    FishMoved,
    Jailed,
    Moved,
    NothingHappened,
    RoundServed,
    Sold,
    TurnInPrison,
)
from games.rules.corruption.moves import Collect, Fine, Sell, Wipe
from games.rules.corruption.state import Sentence
from tests.rules.corruption.sitting import (
    BLUE,
    RED,
    Sitting,
    full,
    state,
    team,
    village,
    with_flag,
)


def jailed(rounds=1, *, wipe=True, tokens=5, **fields):
    return team(position=24, tokens=tokens, sentence=Sentence(rounds, wipe=wipe), **fields)


def newcomer(blue, *, possession=6, options=None):
    """Red, with 7 tokens, stands before the Inspector; blue is in prison."""
    red = team(position=19, possession=possession, tokens=7)
    return Sitting(state(red=red, blue=blue), **(options or {})).roll(1)


@pytest.mark.rule("COR-PRISON-1", "COR-MOVE-4")
def test_a_team_goes_to_prison_directly():
    game = Sitting(state(red=team(position=42, tokens=7))).roll(1).play(Fine())

    assert game.red.position == 24
    assert game.state.bank == 0  # Central Bank and Start were not passed
    assert Moved(seat=RED, square=24, reason="prison") in game.events
    assert game.happened(Jailed) == [Jailed(seat=RED, rounds=1, wipe=False)]


@pytest.mark.rule("COR-PRISON-2")
def test_the_other_team_plays_turn_after_turn():
    game = Sitting(state(red=jailed(), blue=team(position=33), turn=BLUE))

    game.roll(5)

    assert game.happened(TurnInPrison) == [TurnInPrison(seat=RED, rounds=1)]
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-PRISON-3")
@pytest.mark.parametrize(("start", "die"), [(47, 1), (46, 2), (43, 5)])
def test_landing_on_start_ends_a_round_as_well(start, die):
    game = Sitting(state(red=jailed(), blue=team(position=start), turn=BLUE)).roll(die)

    assert game.red.sentence is None
    assert game.happened(RoundServed) == [RoundServed(seat=RED, left=0)]


@pytest.mark.rule("COR-PRISON-3")
def test_a_direct_move_ends_no_round():
    blue = team(position=44, possession=6)
    game = Sitting(state(red=jailed(), blue=blue, turn=BLUE)).roll(1)  # Chance, to Public at 1

    assert game.blue.position == 1
    assert game.red.sentence == Sentence(1, wipe=True)


@pytest.mark.rule("COR-PRISON-4")
def test_two_rounds_end_at_the_second_passing():
    game = Sitting(state(red=jailed(2), blue=team(position=46), turn=BLUE, corruption="C05"))

    game.roll(4)
    assert game.red.sentence == Sentence(1, wipe=True)
    game.state = with_flag(game.state, BLUE, 46)
    game.roll(4)

    assert game.red.sentence is None
    assert game.red.tokens == 0


@pytest.mark.rule("COR-PRISON-5")
@pytest.mark.parametrize(("wipe", "tokens"), [(True, 0), (False, 7)])
def test_the_end_of_a_sentence(wipe, tokens):
    blue = team(position=46)
    game = Sitting(
        state(red=jailed(wipe=wipe, tokens=7), blue=blue, turn=BLUE, corruption="C05")
    ).roll(4)

    assert (game.red.position, game.red.tokens, game.red.missed) == (0, tokens, 0)
    assert game.decision == (RED, "roll")
    game.roll(5)
    assert game.red.position == 5


@pytest.mark.rule("COR-PRISON-5", "COR-WIN-3")
def test_the_wipe_of_a_served_sentence_wins_on_the_other_teams_turn():
    red = jailed(owns=village())
    blue = team(position=46)
    game = Sitting(state(red=red, blue=blue, turn=BLUE)).roll(4)

    assert game.state.winner == RED
    assert game.decision is None
    assert game.happened(CardDrawn) == []  # the landing was dropped
    assert game.blue.position == 0


@pytest.mark.rule("COR-PRISON-6", "COR-PRISON-7")
def test_the_displaced_team_pays_one_fish_to_the_bank_and_rolls_next():
    game = newcomer(jailed(2, possession=3)).play(Wipe())

    assert (game.blue.possession, game.blue.position) == (2, 0)
    assert (game.blue.sentence, game.blue.tokens) == (None, 0)
    assert game.state.bank == 1
    assert game.red.sentence == Sentence(2, wipe=True)
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-PRISON-7")
@pytest.mark.parametrize(
    ("option", "wipe", "tokens"),
    [("wipe", True, 0), ("wipe", False, 5), ("keep", True, 5), ("keep", False, 5)],
)
def test_the_record_of_a_displaced_team(option, wipe, tokens):
    game = newcomer(jailed(wipe=wipe), options={"displaced_record": option}).play(Fine())

    assert game.blue.tokens == tokens


@pytest.mark.rule("COR-PRISON-7", "COR-WIN-3")
def test_a_displaced_team_with_a_complete_village_wins_at_once():
    game = newcomer(jailed(owns=village())).play(Fine())

    assert game.state.winner == BLUE
    assert game.red.sentence is None  # the newcomer never arrived


@pytest.mark.rule("COR-PRISON-8", "COR-PRISON-11")
def test_a_displaced_team_without_fish_chooses_what_to_sell():
    game = newcomer(jailed(possession=0, owns={"school": 2, "house": 2})).play(Fine())

    assert game.decision == (BLUE, "sell")
    assert game.blue.position == 24
    game.play(Sell("school"))

    assert game.happened(Sold)[0].fish == 1  # basis paid
    assert (game.blue.possession, game.state.bank) == (0, 1)
    assert game.blue.position == 0
    assert game.red.position == 24


@pytest.mark.rule("COR-PRISON-8")
def test_a_displaced_team_with_nothing_borrows_the_fee():
    game = newcomer(jailed(possession=0)).play(Fine())

    assert game.blue.debt == 1
    assert [event.reason for event in game.happened(FishMoved)][-1] == "displacement"


@pytest.mark.rule("COR-PRISON-9")
def test_landing_on_prison_is_a_visit():
    game = Sitting(state(red=team(position=20, possession=6, tokens=4))).roll(4)

    assert game.red == team(position=24, possession=6, tokens=4)
    assert NothingHappened(seat=RED, why="prison_visit") in game.events
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-PRISON-11")
def test_a_jailed_team_chooses_what_to_sell_for_a_national_disaster():
    blue = jailed(possession=0, owns={"house": 2})

    game = Sitting(state(red=team(position=26), blue=blue)).roll(1)

    assert game.decision == (BLUE, "sell")


@pytest.mark.rule("COR-PRISON-12")
def test_a_team_that_misses_turns_rolls_again_while_the_other_is_jailed():
    game = Sitting(
        state(red=jailed(2), blue=team(position=45, possession=9), turn=BLUE, corruption="C05")
    )

    game.roll(3)  # on Start: blue misses a turn, and red's first round is over

    assert game.red.sentence == Sentence(1, wipe=True)
    assert game.blue.missed == 0
    assert game.decision == (BLUE, "roll")


def test_the_village_of_a_jailed_team_is_taxed_on_no_landing_of_the_other():
    blue = jailed(owns={"school": 4, "library": 2})

    game = Sitting(state(red=team(position=32), blue=blue)).roll(1)
    game.play(Collect()).play(full("school"))

    assert game.blue == blue
