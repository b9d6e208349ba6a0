"""The decision table: who is asked what, and what a timeout plays (COR-DEC)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.engine.game import Decision
from games.engine.refusals import IllegalMove, NothingToDecide, NotOffered
from games.rules.corruption.game import Corruption
from games.rules.corruption.moves import (
    AnswerQuestion,
    AskQuestion,
    Buy,
    ChooseReward,
    Collect,
    Deposit,
    Fine,
    GiveDonation,
    GoToInspector,
    Leave,
    Pass,
    Roll,
    Sell,
    SkipQuestion,
    Wipe,
)
from games.rules.corruption.state import (
    Answer,
    Ask,
    Charge,
    Claim,
    ForcedSale,
    GiveUpDonation,
    Insure,
    Judgement,
    Purchase,
    Question,
    QuestionReward,
    Throw,
)
from tests.rules.corruption.sitting import BLUE, RED, Sitting, full, half, state, team

QUESTION = Question(card="Q01", seat=RED, order=("a", "b", "c", "d"), asked=True)
CHARGE = Charge(RED, 3, "river", "corruption")
SHORT = team(
    position=5, possession=2, tokens=5, donations=("D07", "D01"), owns={"house": 2, "harbor": 6}
)

# what is asked, as decision, listed moves, default
TABLE = [
    pytest.param(Throw(RED, start=True), "roll", "", (Roll(),), Roll(), id="roll"),
    pytest.param(Throw(RED, start=False), "roll", "", (Roll(),), Roll(), id="new roll"),
    pytest.param(
        Claim(RED, "educational", chance=False),
        "collect",
        "educational",
        (Collect(), Leave(), half("school"), full("library"), half("library")),
        Leave(),
        id="collect",
    ),
    pytest.param(
        Purchase(RED, "educational", reward=True),
        "buy",
        "educational",
        (half("school"), full("library"), half("library"), Pass()),
        Pass(),
        id="buy",
    ),
    pytest.param(
        Purchase(RED, None, reward=True),
        "joker",
        "",
        (
            half("hospital"),
            full("farm"),
            full("restaurant"),
            half("school"),
            full("library"),
            half("library"),
            full("park"),
            Pass(),
        ),
        Pass(),
        id="joker",
    ),
    pytest.param(
        ForcedSale(RED, CHARGE),
        "sell",
        "corruption",
        (Sell("harbor"), Sell("house")),
        Sell("house"),
        id="sell",
    ),
    pytest.param(Judgement(RED), "inspector", "", (Fine(),), Fine(), id="inspector"),
    pytest.param(
        GiveUpDonation(RED),
        "give_donation",
        "",
        (GiveDonation("D07"), GiveDonation("D01")),
        GiveDonation("D07"),
        id="give_donation",
    ),
    pytest.param(Ask(RED), "qa_ask", "", (AskQuestion(),), AskQuestion(), id="qa_ask"),
    pytest.param(
        Answer(RED),
        "qa_answer",
        "",
        tuple(AnswerQuestion(letter) for letter in "abcd"),
        AnswerQuestion(None),
        id="qa_answer",
    ),
    pytest.param(
        QuestionReward(RED),
        "qa_reward",
        "",
        (ChooseReward("fish"), ChooseReward("roll")),
        ChooseReward("fish"),
        id="qa_reward",
    ),
]


def asked(asking):
    game = Sitting(state(red=SHORT, agenda=(asking,)))
    game.state = replace(game.state, question=QUESTION, die=4)
    return game


@pytest.mark.rule("COR-DEC-4", "COR-DEC-6")
@pytest.mark.parametrize(("asking", "kind", "about", "moves", "default"), TABLE)
def test_every_decision_has_its_options_and_default(asking, kind, about, moves, default):
    game = asked(asking)

    (decision,) = game.ruleset.decisions(game.state)

    assert decision == Decision(seat=RED, kind=kind, about=about, knowledge=kind == "qa_answer")
    assert game.moves == moves
    assert game.ruleset.default_move(game.state, decision, None) == default


@pytest.mark.rule("COR-DEC-6")
@pytest.mark.parametrize(("asking", "kind", "about", "moves", "default"), TABLE)
def test_what_is_not_listed_is_refused_and_changes_nothing(asking, kind, about, moves, default):
    everything = (
        Roll(),
        Collect(),
        Leave(),
        Pass(),
        full("harbor"),
        half("harbor"),
        full("park"),
        Deposit(1),
        Sell("mill"),
        Sell("house"),
        Fine(),
        Wipe(),
        GiveDonation("D02"),
        AskQuestion(),
        AnswerQuestion("a"),
        AnswerQuestion(None),
        *(() if asking in (Ask(RED), Answer(RED)) else (SkipQuestion(),)),
        ChooseReward("fish"),
        GoToInspector(),
    )
    game = asked(asking)
    before = game.state

    for move in set(everything) - set(moves) - {default}:
        with pytest.raises(IllegalMove):
            game.play(move)

    assert game.state == before


@pytest.mark.rule("COR-DEC-6")
def test_the_other_team_has_nothing_to_decide():
    game = Sitting(state())

    with pytest.raises(NothingToDecide):
        game.ruleset.legal_moves(game.state, BLUE)
    with pytest.raises(NothingToDecide):
        game.ruleset.apply(game.state, BLUE, Roll(), None)


@pytest.mark.rule("COR-DEC-6")
def test_a_move_of_another_decision_is_refused_without_a_draw():
    with pytest.raises(NotOffered):
        Sitting(state()).play(Pass())


@pytest.mark.rule("COR-DEC-1")
def test_rolling_claiming_and_asking_are_acts_and_leaving_is_a_choice():
    assert Corruption.acts == {"roll", "collect", "qa_ask"}


@pytest.mark.rule("COR-DEC-4")
def test_a_question_is_put_by_itself_after_twenty_seconds():
    for asking, seconds in ((Ask(RED), 20), (Answer(RED), None), (Throw(RED, start=True), None)):
        game = asked(asking)
        (decision,) = game.ruleset.decisions(game.state)

        assert game.ruleset.window_s(game.state, decision) == seconds


@pytest.mark.rule("COR-DEC-4", "COR-CAT-5")
def test_a_timed_out_claim_leaves_the_fish():
    game = asked(Claim(RED, "educational", chance=False)).time_out()

    assert game.red.possession == 2
    assert game.decision == (RED, "buy")


def test_a_deposit_is_offered_as_an_amount():
    game = asked(Insure(RED))

    moves = game.ruleset.legal_moves(game.state, RED)

    assert game.decision == (RED, "deposit")
    assert (moves.minimum, moves.maximum) == (0, 2)
    assert Deposit(2) in moves


def test_a_purchase_spelt_out_and_one_left_open_are_the_same():
    spelt, left_open = (asked(Purchase(RED, "educational", reward=True)) for _ in range(2))

    assert spelt.play(full("library")).state == left_open.play(Buy("library")).state
