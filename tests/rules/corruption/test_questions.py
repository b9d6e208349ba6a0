"""Question & Answer (COR-QA)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.engine.refusals import NotOffered
from games.rules.corruption.events import (
    NothingHappened,
    QuestionAnswered,
    QuestionDrawn,
    QuestionSkipped,
    RewardChosen,
)
from games.rules.corruption.moves import (
    AnswerQuestion,
    AskQuestion,
    ChooseReward,
    Roll,
    SkipQuestion,
)
from games.rules.corruption.refusals import NoNewRoll
from games.rules.corruption.state import Sentence
from tests.rules.corruption.sitting import (
    BLUE,
    CONTENT,
    IN_ORDER,
    RED,
    drawn,
    right_answer,
    team,
    with_flag,
)


@pytest.mark.rule("COR-QA-1")
def test_the_other_team_draws_and_asks():
    game = drawn()

    assert game.decision == (BLUE, "qa_ask")
    assert game.happened(QuestionDrawn) == [QuestionDrawn(seat=RED, card="Q01")]
    game.play(AskQuestion())
    assert game.decision == (RED, "qa_answer")


@pytest.mark.rule("COR-QA-2")
def test_one_of_four_answers_is_picked_once():
    game = drawn().play(AskQuestion())

    assert game.moves == tuple(AnswerQuestion(letter) for letter in "abcd")
    game.play(AnswerQuestion("a"))
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-QA-2")
def test_the_options_are_shown_in_the_order_drawn():
    # Fisher-Yates from the last place: d and a, c and a', b and b
    game = drawn(shuffle=(0, 0, 1))
    card = CONTENT.qa["Q01"]

    order = game.state.question.order
    shown = game.ruleset.observe(game.state, BLUE).question

    assert sorted(order) == list("abcd")
    assert order != tuple("abcd")
    assert shown.options == tuple(card.options[letter] for letter in order)
    assert shown.options["abcd".index(shown.correct)] == card.options[card.correct]


@pytest.mark.rule("COR-QA-4", "COR-QA-5")
@pytest.mark.parametrize("shown", "abcd")
def test_only_the_letter_at_which_the_right_answer_is_shown_is_right(shown):
    game = drawn(shuffle=(0, 0, 1)).play(AskQuestion())
    right = "abcd"[game.state.question.order.index(CONTENT.qa["Q01"].correct)]

    game.play(AnswerQuestion(shown))

    told = QuestionAnswered(seat=RED, card="Q01", letter=shown, correct=right, right=shown == right)
    assert told in game.events
    assert game.decision == ((RED, "qa_reward") if shown == right else (BLUE, "roll"))


@pytest.mark.rule("COR-QA-4")
def test_a_wrong_answer_costs_no_fish():
    game = drawn(possession=5).play(AskQuestion()).play(AnswerQuestion("a"))

    assert game.fish() == []
    assert game.red.possession == 5


@pytest.mark.rule("COR-QA-5")
def test_a_right_answer_offers_a_fish_or_a_new_roll():
    assert right_answer().moves == (ChooseReward("fish"), ChooseReward("roll"))


@pytest.mark.rule("COR-QA-5", "COR-CAT-6")
@pytest.mark.parametrize(("river", "got"), [(5, 1), (0, 0)])
def test_the_fish_of_a_question_comes_from_the_river_as_far_as_it_goes(river, got):
    game = right_answer(possession=2)
    game.state = replace(game.state, river=river)

    game.play(ChooseReward("fish"))

    assert game.red.possession == 2 + got
    assert game.state.river == river - got
    assert (NothingHappened(seat=RED, why="river_empty") in game.events) == (got == 0)


@pytest.mark.rule("COR-QA-7")
def test_the_new_roll_is_a_full_roll_from_the_square():
    game = right_answer(reward="roll")

    assert game.decision == (RED, "roll")
    assert game.happened(RewardChosen) == [RewardChosen(seat=RED, reward="roll")]
    game.roll(4)
    assert game.red.position == 8
    assert game.red.tokens == 1
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-QA-7")
def test_another_question_square_brings_another_question_without_limit():
    game = right_answer(reward="roll")
    for _ in range(12):
        game.state = with_flag(game.state, RED, 1)
        game.roll(3, *IN_ORDER).play(AskQuestion())
        right = game.ruleset.observe(game.state, BLUE).question.correct
        game.play(AnswerQuestion(right))
        assert ChooseReward("roll") in game.moves
        game.play(ChooseReward("roll"))

    assert game.state.won_rolls == 13


@pytest.mark.rule("COR-QA-7")
@pytest.mark.parametrize("limit", range(1, 10))
def test_with_a_limit_only_so_many_new_rolls_are_offered(limit):
    game = drawn(options={"qa_chain_limit": limit})
    for _ in range(limit):
        game.play(AskQuestion()).play(
            AnswerQuestion(game.ruleset.observe(game.state, BLUE).question.correct)
        )
        game.play(ChooseReward("roll"))
        game.state = with_flag(game.state, RED, 1)
        game.roll(3, *IN_ORDER)

    game.play(AskQuestion()).play(
        AnswerQuestion(game.ruleset.observe(game.state, BLUE).question.correct)
    )

    assert game.moves == (ChooseReward("fish"),)
    with pytest.raises(NoNewRoll):
        game.play(ChooseReward("roll"))


@pytest.mark.rule("COR-QA-7")
def test_the_limit_counts_anew_in_each_turn():
    game = right_answer(reward="roll", options={"qa_chain_limit": 1})
    game.roll(2)  # to the insurance of red
    game.time_out()
    assert game.decision == (BLUE, "roll")

    assert game.state.won_rolls == 0


@pytest.mark.rule("COR-QA-8")
def test_no_answer_in_time_counts_as_wrong():
    game = drawn().play(AskQuestion()).time_out()

    (told,) = game.happened(QuestionAnswered)
    assert (told.letter, told.right) == (None, False)
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-QA-8", "COR-PRISON-11")
@pytest.mark.parametrize(
    "blue",
    [team(position=24, sentence=Sentence(1, wipe=False)), team(missed=2)],
    ids=["jailed", "missing turns"],
)
def test_a_team_asks_while_it_cannot_roll(blue):
    game = drawn(blue=blue)

    assert game.decision == (BLUE, "qa_ask")


@pytest.mark.rule("COR-QA-9")
def test_after_the_answer_everybody_sees_the_right_one_and_why():
    game = drawn().play(AskQuestion()).play(AnswerQuestion("a"))

    for viewer in (RED, BLUE):
        shown = game.ruleset.observe(game.state, viewer).question
        assert shown.correct == "c"
        assert shown.explanation == CONTENT.qa["Q01"].explanation
        assert shown.letter == "a"


@pytest.mark.rule("COR-QA-9")
def test_the_card_goes_under_the_deck_after_the_answer():
    game = drawn()
    assert "Q01" not in game.state.decks.qa

    game.play(AskQuestion()).play(AnswerQuestion("a"))

    assert game.state.decks.qa[-1] == "Q01"
    assert len(game.state.decks.qa) == len(CONTENT.qa)


@pytest.mark.rule("COR-QA-11")
@pytest.mark.parametrize("read_out", [False, True])
def test_a_card_that_the_teacher_puts_away_wins_and_loses_nothing(read_out):
    game = drawn(possession=5)
    if read_out:
        game.play(AskQuestion())
    skip = game.ruleset.skip_question(game.state)

    assert skip not in game.moves
    game.play(skip)

    assert game.happened(QuestionSkipped) == [QuestionSkipped(seat=RED, card="Q01")]
    assert game.state.decks.qa[-1] == "Q01"
    assert len(game.state.decks.qa) == len(CONTENT.qa)
    assert (game.red.possession, game.fish()) == (5, [])
    assert game.decision == (BLUE, "roll")


@pytest.mark.rule("COR-QA-11")
def test_without_an_open_question_there_is_nothing_to_put_away():
    game = drawn().play(AskQuestion()).play(AnswerQuestion("a"))

    assert game.ruleset.skip_question(game.state) is None
    with pytest.raises(NotOffered):
        game.play(SkipQuestion())


def test_the_question_is_gone_with_the_next_roll():
    game = drawn().play(AskQuestion()).play(AnswerQuestion("a"))

    assert game.moves == (Roll(),)
    game.roll(3)

    assert game.state.question is None
