"""Winning (COR-WIN)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.engine.text import english
from games.rules.corruption import winning
from games.rules.corruption.events import Moved, NothingHappened, VillageCompleted, Won
from games.rules.corruption.moves import (
    Collect,
    Fine,
    GiveDonation,
    GoToInspector,
    Leave,
    Pass,
    Roll,
    Sell,
    Wipe,
)
from games.rules.corruption.state import Sentence
from tests.rules.corruption.sitting import (
    BLUE,
    RED,
    Sitting,
    full,
    ruleset,
    state,
    team,
    village,
)

ALL_BUT_PARK = village(without=("park",))


def completing(*, blue=None, options=None, donation="D01", **fields):
    """Red, at 41, buys the Park as its last property."""
    red = team(**{"position": 40, "possession": 3, "owns": ALL_BUT_PARK} | fields)
    position = state(red=red, blue=blue or team(), donation=donation)
    return Sitting(position, **(options or {})).roll(1).play(Leave()).play(full("park"))


@pytest.mark.rule("COR-WIN-1")
def test_a_village_with_one_property_missing_is_incomplete():
    assert winning.is_complete(team(owns=village()))
    for name in village():
        assert not winning.is_complete(team(owns=village(without=(name,))))


@pytest.mark.rule("COR-WIN-2", "COR-GOAL-5")
def test_the_winner_is_the_outcome():
    game = completing(tokens=0)

    outcome = game.ruleset.outcome(game.state)

    assert outcome.winners == (RED,)
    assert english(outcome.reason)
    assert game.happened(Won) == [Won(seat=RED)]
    assert game.events[-1] == Won(seat=RED)


@pytest.mark.rule("COR-GOAL-6", "COR-WIN-4")
def test_a_complete_village_with_a_token_does_not_win():
    game = completing(tokens=1, possession=5)

    assert game.state.winner is None
    assert game.ruleset.outcome(game.state) is None
    assert game.happened(VillageCompleted) == [VillageCompleted(seat=RED, tokens=1)]
    assert Moved(seat=RED, square=43, reason="inspector") in game.events
    assert game.decision == (RED, "inspector")


@pytest.mark.rule("COR-WIN-3")
def test_nothing_more_happens_after_the_victory():
    blue = team(position=24, tokens=3, owns=village())
    game = completing(tokens=0, blue=blue)

    assert game.decision is None
    assert game.state.agenda == ()
    assert game.blue == blue


@pytest.mark.rule("COR-WIN-5")
@pytest.mark.parametrize(
    ("here", "nearest", "forward"),
    [
        (41, 43, 43),
        (11, 20, 20),
        (1, 43, 20),
        (30, 20, 43),
        (32, 43, 43),
        (20, 20, 43),
        (43, 43, 20),
        (44, 43, 20),
    ],
)
def test_the_closest_inspector(here, nearest, forward):
    assert winning.closest_inspector(ruleset().rules, here) == nearest
    option = ruleset(inspector_direction="forward").rules
    assert winning.closest_inspector(option, here) == forward


@pytest.mark.rule("COR-WIN-6")
def test_a_team_that_cannot_wipe_plays_on():
    game = completing(tokens=3, possession=4).play(Fine())

    assert game.red.tokens == 3
    assert game.state.winner is None
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-WIN-7")
@pytest.mark.parametrize(
    ("tokens", "donations", "possession"), [(3, (), 3), (5, (), 3), (5, ("D02",), 3)]
)
def test_with_waive_a_team_that_cannot_wipe_gives_nothing(tokens, donations, possession):
    options = {"finished_fine": "waive", "joker_reward": True}
    game = completing(tokens=tokens, possession=possession, donations=donations, options=options)

    assert game.red.possession == 1
    assert game.red.donations[: len(donations)] == donations
    assert NothingHappened(seat=RED, why="fine_waived") in game.events
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-WIN-7")
@pytest.mark.parametrize(("tokens", "possession"), [(2, 4), (4, 6), (6, 6), (8, 2)])
def test_with_waive_a_team_that_can_wipe_chooses_as_usual(tokens, possession):
    game = completing(tokens=tokens, possession=possession, options={"finished_fine": "waive"})

    assert game.moves == (Fine(), Wipe())


@pytest.mark.rule("COR-WIN-7")
def test_with_waive_an_ordinary_visit_is_fined():
    red = team(position=19, possession=1, tokens=3, owns=village())

    game = Sitting(state(red=red), finished_fine="waive").roll(1)

    assert game.moves == (Fine(),)


@pytest.mark.rule("COR-WIN-7")
def test_with_waive_nine_tokens_still_lead_to_prison():
    game = completing(tokens=9, possession=5, options={"finished_fine": "waive"})

    assert game.red.sentence == Sentence(2, wipe=True)


@pytest.mark.rule("COR-WIN-7", "COR-WIN-13")
def test_a_sale_for_the_fine_breaks_the_village():
    game = completing(tokens=3, possession=2).play(Fine()).play(Sell("house")).play(Sell("farm"))

    assert len(game.owns(RED)) == 12
    assert game.red.tokens == 3


@pytest.mark.rule("COR-WIN-8")
def test_a_finished_team_goes_on_under_all_rules():
    red = team(position=32, possession=3, tokens=1, owns=village())

    game = Sitting(state(red=red)).roll(1).play(Collect())

    assert game.red.possession == 2  # 3 + 1 - tax 2
    assert game.state.bank == 2


@pytest.mark.rule("COR-WIN-9")
def test_a_finished_team_is_not_moved_again_on_later_turns():
    red = team(position=33, possession=9, tokens=1, owns=village())

    game = Sitting(state(red=red))

    assert game.moves == (Roll(),)


@pytest.mark.rule("COR-WIN-9")
def test_completing_again_moves_again():
    red = team(position=42, possession=1, tokens=3, owns=village())
    game = Sitting(state(red=red)).roll(1).play(Fine()).play(Sell("house"))
    broken = game.red

    game.state = state(red=replace(broken, position=17, possession=2, missed=0))
    game.roll(1).play(full("house"))

    assert game.red.position == 20
    assert game.decision == (RED, "inspector")


@pytest.mark.rule("COR-WIN-9")
@pytest.mark.parametrize(
    ("tokens", "possession", "offered"),
    [
        (1, 2, True),
        (1, 1, False),
        (4, 4, True),
        (4, 3, False),
        (8, 1, True),
        (8, 0, False),
        (9, 3, True),
        (9, 2, False),
        (0, 9, False),
    ],
)
def test_with_each_turn_a_finished_team_that_can_wipe_may_go_to_the_inspector(
    tokens, possession, offered
):
    owns = village() if tokens else ALL_BUT_PARK
    red = team(position=33, possession=possession, tokens=tokens, owns=owns)
    position = state(red=red)

    game = Sitting(position, finished_inspector_move="each_turn_if_affordable")

    assert (GoToInspector() in game.moves) == offered
    assert game.moves[0] == Roll()


@pytest.mark.rule("COR-WIN-9")
def test_an_unfinished_team_may_not_go_to_the_inspector():
    red = team(possession=9, tokens=1, owns=ALL_BUT_PARK)

    game = Sitting(state(red=red), finished_inspector_move="each_turn_if_affordable")

    assert game.moves == (Roll(),)


@pytest.mark.rule("COR-WIN-9")
def test_going_to_the_inspector_takes_the_place_of_the_roll():
    red = team(position=33, possession=9, tokens=1, owns=village())
    game = Sitting(state(red=red), finished_inspector_move="each_turn_if_affordable")

    game.play(GoToInspector())
    assert game.red.position == 43
    assert game.moves == (Fine(), Wipe())

    game.play(Fine())
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-WIN-9", "COR-DEC-4")
def test_a_timeout_rolls_in_place_of_going_to_the_inspector():
    red = team(position=33, possession=9, tokens=1, owns=village())
    game = Sitting(state(red=red), finished_inspector_move="each_turn_if_affordable")

    game.time_out(4)  # a five

    assert game.red.position == 38


@pytest.mark.rule("COR-WIN-10")
def test_a_team_with_a_clean_record_overtakes_a_finished_one():
    game = completing(tokens=0, blue=team(tokens=2, owns=village()))

    assert game.state.winner == RED


def both(*, red_tokens=1, options=None, blue=None):
    """Red completes beside a finished blue; both hold tokens."""
    blue = blue or team(position=30, possession=2, tokens=3, owns=village())
    return completing(tokens=red_tokens, possession=4, blue=blue, options=options)


@pytest.mark.rule("COR-WIN-11", "COR-WIN-12")
def test_the_team_that_has_just_finished_goes_first():
    game = both()

    assert game.decision == (RED, "inspector")
    game.play(Fine())
    assert game.decision == (BLUE, "inspector")
    assert game.blue.position == 20


@pytest.mark.rule("COR-WIN-11")
def test_the_first_of_both_with_a_clean_record_wins():
    game = both().play(Wipe())

    assert game.state.winner == RED
    assert game.blue.position == 30


@pytest.mark.rule("COR-WIN-7", "COR-WIN-11")
def test_with_waive_the_other_finished_team_that_cannot_wipe_gives_nothing_either():
    game = both(options={"finished_fine": "waive"}).play(Fine())

    assert game.blue.position == 20
    assert (game.blue.possession, game.blue.tokens) == (2, 3)
    assert NothingHappened(seat=BLUE, why="fine_waived") in game.events
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-WIN-12")
def test_with_finisher_only_the_other_team_stays_where_it_is():
    game = both(options={"both_finished_move": "finisher_only"}).play(Fine())

    assert game.blue.position == 30
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-WIN-12")
def test_a_jailed_team_does_not_go_to_the_inspector():
    blue = team(position=24, tokens=5, sentence=Sentence(1, wipe=True), owns=village())

    game = both(blue=blue).play(Fine())

    assert game.blue == blue
    assert game.decision == (RED, "roll")


@pytest.mark.rule("COR-WIN-12")
def test_the_other_team_stays_if_a_sale_broke_the_first_village():
    game = completing(tokens=3, possession=2, blue=team(position=30, tokens=3, owns=village()))

    game.play(Fine()).play(Sell("harbor"))

    assert game.blue.position == 30
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-WIN-12")
def test_both_may_end_in_prison_one_after_the_other():
    blue = team(position=30, possession=4, tokens=7, owns=village())
    game = both(red_tokens=7, blue=blue).play(Fine())
    assert game.red.sentence == Sentence(1, wipe=False)

    game.play(Fine())

    assert game.red.sentence is None
    assert (game.red.position, game.red.tokens) == (0, 7)
    assert game.blue.sentence == Sentence(1, wipe=False)


@pytest.mark.rule("COR-WIN-13")
def test_a_team_with_a_clean_record_and_a_broken_village_has_not_won():
    red = team(position=19, possession=6, tokens=1, owns=ALL_BUT_PARK)

    game = Sitting(state(red=red)).roll(1).play(Wipe())

    assert game.state.winner is None


@pytest.mark.rule("COR-WIN-14")
def test_the_reward_of_the_last_purchase_may_pay_the_inspector():
    game = completing(tokens=5, possession=6, donation="D04").play(Fine())

    assert game.moves == (GiveDonation("D04"),)
    assert game.red.possession == 2


@pytest.mark.rule("COR-WIN-14")
def test_the_reward_is_drawn_before_the_victory():
    game = completing(tokens=0, donation="D04")

    kinds = [type(event).__name__ for event in game.events]
    assert kinds.index("CardDrawn") < kinds.index("Won")
    assert game.red.donations == ("D04",)


@pytest.mark.rule("COR-WIN-15")
def test_a_game_has_no_outcome_but_a_victory():
    for red in (team(), team(owns=village(), tokens=1), team(owns=ALL_BUT_PARK)):
        assert ruleset().outcome(state(red=red)) is None


@pytest.mark.rule("COR-WIN-4", "COR-CHANCE-6")
def test_completing_the_village_by_chance_sends_the_team_to_the_inspector():
    owns = village(without=("school",))
    red = team(position=27, possession=5, tokens=1, owns=owns)

    game = Sitting(state(red=red)).roll(4).play(Collect()).play(full("school"))

    assert game.red.position == 43
    assert game.red.donations == ()


@pytest.mark.rule("COR-WIN-4")
def test_completing_the_village_on_joker_sends_the_team_to_the_inspector():
    red = team(position=17, possession=5, tokens=1, owns=ALL_BUT_PARK)
    game = Sitting(state(red=red)).roll(1)

    assert game.moves == (full("park"), Pass())
    game.play(full("park"))

    assert game.red.position == 20
