"""Insurance (COR-INS)."""

from __future__ import annotations

import pytest

from games.engine.moves import Amount
from games.rules.corruption.events import NothingHappened
from games.rules.corruption.moves import Deposit
from games.rules.corruption.refusals import DepositOutOfBounds
from tests.rules.corruption.sitting import BLUE, RED, Sitting, state, team


def on_own_square(*, square=6, **fields):
    return Sitting(state(red=team(position=square - 1, **fields))).roll(1)


@pytest.mark.rule("COR-INS-2")
@pytest.mark.parametrize("fish", [0, 1, 5, 6])
def test_a_deposit_is_any_whole_number_up_to_possession(fish):
    game = on_own_square(possession=6)

    moves = game.ruleset.legal_moves(game.state, RED)
    assert moves == Amount(Deposit(0), "fish", 0, 6)
    game.play(Deposit(fish))

    assert (game.red.possession, game.red.insurance) == (6 - fish, fish)
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-INS-2", "COR-INS-5")
@pytest.mark.parametrize("fish", [-1, 7])
def test_a_deposit_beyond_its_bounds_is_refused(fish):
    with pytest.raises(DepositOutOfBounds):
        on_own_square(possession=6, insurance=9).play(Deposit(fish))


@pytest.mark.rule("COR-INS-3")
def test_depositing_nothing_is_allowed():
    game = on_own_square(possession=6).play(Deposit(0))

    assert NothingHappened(seat=RED, why="nothing_deposited") in game.events


@pytest.mark.rule("COR-INS-3", "COR-DEC-4")
def test_a_timeout_deposits_nothing():
    game = on_own_square(possession=6).time_out()

    assert (game.red.possession, game.red.insurance) == (6, 0)


@pytest.mark.rule("COR-INS-2")
def test_a_team_without_fish_is_not_asked():
    game = on_own_square(possession=0)

    assert game.decision == (BLUE, "roll")
    assert NothingHappened(seat=RED, why="nothing_to_deposit") in game.events


@pytest.mark.rule("COR-INS-7")
@pytest.mark.parametrize("square", [6, 38])
def test_both_squares_of_a_colour_share_one_pot(square):
    game = on_own_square(square=square, possession=6, insurance=2).play(Deposit(3))

    assert game.red.insurance == 5


@pytest.mark.rule("COR-INS-7")
def test_everybody_sees_both_pots():
    game = Sitting(state(red=team(insurance=3), blue=team(insurance=4)))

    for viewer in (RED, BLUE):
        seen = game.ruleset.observe(game.state, viewer).teams
        assert [each.insurance for each in seen] == [3, 4]


@pytest.mark.rule("COR-INS-1")
def test_one_pot_covers_national_and_local_disasters_of_its_own_village():
    owns = {"house": 2}
    red = team(position=26, insurance=2, owns=owns)
    game = Sitting(state(red=red, blue=team(insurance=5), local="L03")).roll(1)
    assert (game.red.insurance, game.blue.insurance) == (1, 4)

    game.state = state(red=team(position=36, insurance=1, owns=owns), local="L03")
    game.roll(1)

    assert game.red.insurance == 0
    assert game.owns(RED) == owns


@pytest.mark.rule("COR-INS-4", "COR-INS-6")
def test_the_other_colour_leaves_the_pot_alone():
    game = Sitting(state(red=team(position=9, possession=6), blue=team(insurance=2))).roll(1)

    assert game.decision == (BLUE, "roll")
    assert game.blue.insurance == 2
    assert NothingHappened(seat=RED, why="other_insurance") in game.events
