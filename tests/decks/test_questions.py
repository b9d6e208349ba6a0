"""Questions of the bank as cards: what fits, what is filled in, and what does not fit."""

from __future__ import annotations

import pytest

from games.decks.questions import LONGEST, Unfit, card, fitting
from games.decks.starters import starter_content
from games.rules.corruption import content, validator
from quizzes.formats.question import Picture, SeveralRight, SingleChoice, TrueFalse


def single(**fields):
    return SingleChoice(
        **{"stem": "Who votes?", "choices": ("All", "Men", "Kings", "Cats"), "right": 0, **fields}
    )


@pytest.mark.rule("COR-QA-2")
def test_question_with_four_answers_becomes_a_card_of_the_game():
    made = card(
        "q1",
        single(
            stem="**Who** votes?", right=2, topics=("elections", "rights"), explanation="So it is.",
            difficulty=3,
        ),
        about="My set",
    )  # fmt: skip

    assert made == {
        "id": "q1",
        "topic": "elections",
        "difficulty": 3,
        "question": "Who votes?",
        "options": {"a": "All", "b": "Men", "c": "Kings", "d": "Cats"},
        "correct": "c",
        "explanation": "So it is.",
        "language": "",
    }


def test_topic_and_explanation_are_filled_in_where_they_are_missing():
    made = card("q1", single(), about="My set")

    assert (made["topic"], made["explanation"]) == ("My set", "All")


@pytest.mark.parametrize(("own", "told"), [("ar", "ar"), ("", "fr")])
def test_card_says_the_language_of_its_question_or_else_of_the_set(own, told):
    made = card("q1", single(language=own), about="My set", language="fr")

    assert made["language"] == told


def test_picture_goes_with_the_card_by_its_id():
    picture = Picture(ref="0b6e0a52-8d5f-4b5e-9f0e-0c7f0d1a2b3c.png", alt="A ballot")

    made = card("q1", single(picture=picture), about="My set")

    assert made["picture"] == {"id": "0b6e0a52-8d5f-4b5e-9f0e-0c7f0d1a2b3c", "alt": "A ballot"}


@pytest.mark.parametrize(
    ("question", "why"),
    [
        (TrueFalse(stem="So?", right=True), Unfit.KIND),
        (SeveralRight(stem="Which?", choices=("1", "2", "3", "4"), right=(0, 1)), Unfit.KIND),
        (single(choices=("All", "Men", "Kings")), Unfit.ANSWERS),
        (single(choices=("1", "2", "3", "4", "5")), Unfit.ANSWERS),
        (single(stem="x" * (LONGEST + 1)), Unfit.LONG),
        (single(explanation="x" * (LONGEST + 1)), Unfit.LONG),
        (single(choices=("All", "**All**", "Kings", "Cats")), Unfit.ALIKE),
        (single(choices=("all", "ALL", "Kings", "Cats")), Unfit.ALIKE),
    ],
)
def test_question_that_is_no_card_says_why(question, why):
    assert card("q1", question, about="My set") is why


@pytest.mark.rule("COR-DECK-1")
def test_what_fits_passes_the_rules_of_the_game():
    longest = single(stem="x" * LONGEST, explanation="y" * LONGEST)
    found = fitting(
        [("q1", single()), ("q2", TrueFalse(stem="So?", right=True)), ("q3", longest)],
        about="My set",
    )
    plain = {**starter_content("corruption"), "qa": found.content}

    assert validator.problems("qa", plain) == ()
    assert list(content.parse(plain).qa) == ["q1", "q3"]
    assert found.unfit == {Unfit.KIND: 1}
