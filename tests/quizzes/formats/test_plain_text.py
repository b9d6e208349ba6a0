"""Plain text as it is typed into a document."""

from decimal import Decimal
from pathlib import Path

import pytest

from quizzes.formats import catalog, plain_text
from quizzes.formats.question import (
    Matching,
    Numeric,
    Ordering,
    Pair,
    SeveralRight,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)

CORPUS = Path(__file__).parent / "corpus" / "text"


def test_document_of_a_teacher():
    reading = plain_text.read((CORPUS / "teachers_document.txt").read_bytes())

    assert reading.questions == (
        SingleChoice(
            stem="Who may vote in a local election?",
            choices=("Owners of land", "Every adult citizen", "Tourists"),
            right=1,
            explanation="See article 21,\nsecond paragraph.",
            topics=("rights", "elections"),
            difficulty=1,
        ),
        SeveralRight(
            stem="Which of these are local services?",
            choices=("Water", "Army", "Rubbish"),
            right=(0, 2),
            explanation="Two of them.",
        ),
        TrueFalse(stem='A. Lincoln said "government of the people".', right=True),
        Numeric(
            stem="In which year was the first commune founded?",
            right=Decimal(1070),
            tolerance=Decimal(5),
        ),
        ShortAnswer(stem="Name the head of a commune.", accepted=("Mayor",)),
        SingleChoice(stem="Who decides?", choices=("The mayor", "The council", "Both"), right=2),
        Matching(
            stem="Match them",
            pairs=(
                Pair(left="mayor", right="executive"),
                Pair(left="council", right="assembly"),
            ),
            distractors=("court",),
        ),
        Ordering(stem="Put in order", items=("proposal", "debate", "vote")),
        SingleChoice(stem="Which one has no number?", choices=("this one", "the other"), right=1),
    )
    assert [(p.code, p.place.line) for p in reading.problems] == [
        ("text.stray", 1),
        ("question.no-right", 34),
        ("text.no-answer", 38),
    ]


def test_bad_question_can_be_mended_and_read_again():
    broken = plain_text.read((CORPUS / "teachers_document.txt").read_bytes()).problems[1]

    mended = plain_text.read(broken.block.replace("b) no", "*b) no").encode())

    assert broken.mend_as == "text"
    assert mended.questions == (
        SingleChoice(stem="Nobody marked an answer", choices=("yes", "no"), right=1),
    )


def test_french_text_in_windows_1252():
    reading = catalog.read((CORPUS / "french_1252.txt").read_bytes())

    assert reading.questions == (
        SingleChoice(
            stem="Qui vote à l'élection ?",
            choices=("Les électeurs", "Les étrangers de passage"),
            right=0,
        ),
        TrueFalse(stem="Vrai ou faux : l'été est long.", right=True),
    )


def test_arabic_text():
    reading = catalog.read((CORPUS / "arabic.txt").read_bytes())

    assert reading.questions == (
        SingleChoice(
            stem="من يحق له التصويت؟",
            choices=("التجار", "كل مواطن", "لا أحد"),
            right=1,
            explanation="المادة ٢١",
        ),
        ShortAnswer(stem="عاصمة تونس؟", accepted=("تونس",)),
    )
    assert reading.problems == ()


def test_text_that_looks_like_markers_stays_text():
    asked = SingleChoice(
        stem="Read:\n\na) not a choice\n2. no question\n\\*b) \nAnswer: no",
        choices=("b) x\n  c) y", "*"),
        right=1,
    )

    written = plain_text.write([asked])

    assert plain_text.read(written).questions == (asked,)
    assert b"\n\\\n\\a) not a choice\n\\2. no question\n\\\\*b) \n\\Answer: no\n" in written


def test_what_does_not_fit_is_named():
    text = (
        "1. a\nMatch: x\nMatch: y\nWith: z\n\n2. b\nNumber: soon\n\n"
        "3. c\nTrue or false: perhaps\n\n4.\na) x"
    )

    reading = plain_text.read(text.encode())

    assert [(p.code, p.place.line) for p in reading.problems] == [
        ("text.no-with", 2),
        ("question.bad-number", 7),
        ("question.bad-truth", 10),
        ("question.no-text", 12),
    ]


@pytest.mark.parametrize(
    "choices",
    ["a) me\n*b) you", "a. me\nb. you *", "(a) me\n(b) you (correct)", "A. me\nB. you\nAns: b",
     "a) me\nb) you\nAnswer: b) you", "a) me\nb) you\nCorrect answer: you", "a) me\n✓ b) you",
     "a- me\nb- you\nAnswer: b", "a – me\nb – you *"],
)  # fmt: skip
def test_right_choice_is_marked_in_many_ways(choices):
    reading = plain_text.read(f"1. Who?\n{choices}".encode())

    assert reading.questions == (SingleChoice(stem="Who?", choices=("me", "you"), right=1),)


@pytest.mark.parametrize(
    "start",
    ["1. Who?", "1) Who?", "1- Who?", "Q1. Who?", "Question 1: Who?", "Question 1\nWho?", "Who?"],
)
def test_questions_are_numbered_in_many_ways(start):
    reading = catalog.read(f"{start}\na) me\n*b) you\n".encode())

    assert reading.questions == (SingleChoice(stem="Who?", choices=("me", "you"), right=1),)


def test_arabic_letters_with_dashes_are_choices():
    text = "1- من يحق له التصويت؟\nأ- التجار\nب- كل مواطن\nالإجابة: ب\n"

    reading = catalog.read(text.encode())

    assert reading.questions == (
        SingleChoice(stem="من يحق له التصويت؟", choices=("التجار", "كل مواطن"), right=1),
    )
