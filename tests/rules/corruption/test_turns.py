"""Turns, walks and Start (COR-START, COR-MOVE)."""

from __future__ import annotations

import pytest

from games.rules.corruption.events import (
    NothingHappened,
    Rolled,
    TurnSkipped,
    TurnsLost,
    Walked,
)
from games.rules.corruption.moves import Roll
from games.rules.corruption.state import Sentence
from tests.rules.corruption.sitting import BLUE, RED, Sitting, state, team


@pytest.mark.rule("COR-MOVE-1")
@pytest.mark.parametrize("die", range(1, 7))
def test_a_roll_walks_as_many_squares_as_the_die_shows(die):
    game = Sitting(state(red=team(position=24)))

    game.roll(die, *((3, 2, 1) if die == 5 else ()))

    assert game.happened(Rolled) == [Rolled(seat=RED, die=die)]
    assert game.happened(Walked) == [Walked(seat=RED, path=tuple(range(25, 25 + die)))]


@pytest.mark.rule("COR-MOVE-2")
def test_the_walk_goes_on_over_start():
    game = Sitting(state(red=team(position=45)))

    game.roll(5)

    path = [square for event in game.happened(Walked) for square in event.path]
    assert path == [46, 47, 0, 1, 2]
    assert game.red.position == 2


@pytest.mark.rule("COR-MOVE-3", "COR-START-3")
def test_squares_walked_over_have_no_effect():
    game = Sitting(state(red=team(position=45, possession=6)))

    game.roll(6)  # over Corruption, National disaster, Start, Public and Corruption

    assert game.red == team(position=3, possession=6)
    assert game.blue == team()


@pytest.mark.rule("COR-MOVE-3", "COR-PRISON-3")
def test_start_and_the_bank_act_before_the_landing():
    red = team(position=24, tokens=3, sentence=Sentence(1, wipe=True))
    game = Sitting(state(red=red, blue=team(position=46), turn=BLUE, corruption="C05"))

    game.roll(4)  # over Start to Corruption

    kinds = [type(event).__name__ for event in game.events]
    assert kinds.index("RecordWiped") < kinds.index("CardDrawn")


@pytest.mark.rule("COR-MOVE-5")
def test_both_flags_may_stand_on_one_square():
    blue = team(position=26)
    game = Sitting(state(red=team(position=24), blue=blue))

    game.roll(2)

    assert game.red.position == game.blue.position == 26
    assert game.blue == blue


@pytest.mark.rule("COR-MOVE-6")
def test_turns_alternate():
    game = Sitting(state(red=team(position=5), blue=team(position=9), turn=BLUE))

    game.roll(4)  # local disaster over the bank
    assert game.decision == (RED, "roll")

    game.roll(5)  # the insurance of the other colour
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-MOVE-7", "COR-MOVE-8")
def test_missed_turns_are_counted_down_one_by_one():
    game = Sitting(state(red=team(missed=2), blue=team(position=33), turn=BLUE))
    order = []

    for die in (5, 4, 1):  # insurance of red, Donation, Inspector
        order.append(game.decision[0])
        game.roll(die)

    assert order == [BLUE, BLUE, BLUE]
    assert [event.left for event in game.happened(TurnSkipped)] == [1, 0]
    assert game.decision == (RED, "roll")


@pytest.mark.rule("COR-MOVE-8")
def test_missed_turns_add_up():
    game = Sitting(state(red=team(position=45, missed=2)))

    game.roll(3)

    assert game.happened(TurnsLost) == [TurnsLost(seat=RED, turns=1, total=3, reason="start")]


@pytest.mark.rule("COR-START-1")
def test_with_end_turn_a_landing_on_start_misses_nothing():
    game = Sitting(state(red=team(position=45)), start_landing="end_turn")

    game.roll(3)

    assert game.red.missed == 0
    assert game.decision == (BLUE, "roll")
    assert NothingHappened(seat=RED, why="start_visit") in game.events


@pytest.mark.rule("COR-PRISON-1", "COR-PRISON-2", "COR-PRISON-10")
def test_a_jailed_team_waits_and_its_missed_turns_are_frozen():
    red = team(position=24, missed=1, sentence=Sentence(1, wipe=False))
    game = Sitting(state(red=red, blue=team(position=33), turn=BLUE))

    game.roll(5)
    assert game.decision == (BLUE, "roll")
    game.roll(4)
    assert game.decision == (BLUE, "roll")

    assert game.red == red


@pytest.mark.rule("COR-PRISON-10")
def test_missed_turns_are_served_after_prison():
    red = team(position=24, missed=1, sentence=Sentence(1, wipe=False))
    game = Sitting(state(red=red, blue=team(position=45), turn=BLUE, corruption="C05"))

    game.roll(5)  # passes Start: red is free, and misses its turn

    assert game.red.missed == 0
    assert game.red.sentence is None
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-PRISON-12")
def test_missed_turns_of_the_other_team_count_down_while_one_is_jailed():
    red = team(position=24, sentence=Sentence(2, wipe=True))
    game = Sitting(state(red=red, blue=team(position=33, missed=0), turn=BLUE, corruption="C13"))
    game.state = state(red=red, blue=team(position=38, possession=9), turn=BLUE, corruption="C13")

    game.roll(2)  # Corruption: two turns to miss

    assert len(game.happened(TurnSkipped)) == 2
    assert game.blue.missed == 0
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-DEC-1")
def test_only_roll_is_offered_at_the_start_of_a_turn():
    assert Sitting(state()).moves == (Roll(),)
