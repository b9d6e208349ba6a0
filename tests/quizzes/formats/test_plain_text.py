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
    [
        "a) me\n*b) you",
        "a. me\nb. you *",
        "(a) me\n(b) you (correct)",
        "A. me\nB. you\nAns: b",
        "a) me\nb) you\nAnswer: b) you",
        "a) me\nb) you\nCorrect answer: you",
        "a) me\n✓ b) you",
        "a- me\nb- you\nAnswer: b",
        "a – me\nb – you *",
        "A)\tme\nB)\tyou\nAns. B",
        "A.me\nB.you\nAnswer B",
        "(a) me\n(b) you\nAnswer = (b)",
        "a) me\nb) you\nCorrect answer - B.",
        "a) me\nb)* you",
        "a) me\nb) you\nThe correct answer is b.",
        "a) me\nb) you ← correct",
        "a) me\nb) you\nAnswer: 2",
        "a) me\nb) you\nAnswer: B (article 21)",
        "- A) me\n- B) you\n**Answer:** B",
        "A) me\n**B) you**",
        "**A)** me\n**B)** you\n✅ **Correct answer: B) you**",
        "i) me\nii) you\nAnswer: ii",
        "• me\n• you*",
        "•\tme\n•\tyou (correct)",
        "o\tme\no\tyou *",
        "- me\n* you",
        "– me\n– you\nAnswer: b",
        "[ ] me\n[x] you",
        "☐ me\n☒ you",
        "❌ me\n✅ you",
        "1) me\n2) you*",
        "(1) me\n(2) you\nAnswer: 2",
        "a) me   b) you\nAnswer: b",
        "a) me\tb) you *",
        "A. me B. you\nAnswer: B",
        "\u200fa) me\n\u200f*b) you",
        "a) me\x0b*b) you",
        "a) me\n\n\n*b) you\n---\n",
    ],
)
def test_right_choice_is_marked_in_many_ways(choices):
    reading = plain_text.read(f"1. Who?\n{choices}".encode())

    assert reading.questions == (SingleChoice(stem="Who?", choices=("me", "you"), right=1),)


@pytest.mark.parametrize(
    "start",
    [
        "1. Who?",
        "1) Who?",
        "1- Who?",
        "Q1. Who?",
        "Question 1: Who?",
        "Question 1\nWho?",
        "Who?",
        "1.Who?",
        "1/ Who?",
        "1°) Who?",
        "(1) Who?",
        "[1] Who?",
        "Question n° 1 : Who?",
        "Question No. 1: Who?",
        "Question #1 - Who?",
        "س1: Who?",
        "السؤال الأول: Who?",
        "**1. Who?**",
        "### Question 1\nWho?",
        "\u200f1. Who?",
        "\ufeff\u200b1. Who?",
        "1.\u00a0Who?",
    ],
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


def test_questions_in_one_line_each_are_read():
    text = (
        "1. Who votes? a) owners b) all c) nobody\nAnswer: b\n"
        "2. Who judges? (a) a court (b) a king\nAnswer: a"
    )

    assert catalog.read(text.encode()).questions == (
        SingleChoice(stem="Who votes?", choices=("owners", "all", "nobody"), right=1),
        SingleChoice(stem="Who judges?", choices=("a court", "a king"), right=0),
    )


@pytest.mark.parametrize(
    "key",
    [
        "Answers\n1. b\n2) A",
        "Answer key: 1b 2a",
        "Key: 1-B, 2-A",
        "**Answer key:**\n1. B) all\n2. A) court",
        "Corrigé :\n1 b ; 2 a",
        "مفتاح الإجابة:\n1- b\n2- a",
    ],
)
def test_key_at_the_end_says_what_is_right(key):
    text = f"1. Who votes?\na) owners\nb) all\n\n2. Who judges?\na) court\nb) king\n\n{key}\n"

    reading = catalog.read(text.encode())

    assert reading.questions == (
        SingleChoice(stem="Who votes?", choices=("owners", "all"), right=1),
        SingleChoice(stem="Who judges?", choices=("court", "king"), right=0),
    )
    assert reading.problems == ()


def test_answer_of_a_key_that_names_no_choice_is_told_where_the_key_has_it():
    text = "1. Who votes?\na) owners\nb) all\n\nAnswers\n1. e\n"

    (problem,) = catalog.read(text.encode()).problems

    assert (problem.code, problem.place.line) == ("question.unknown-right", 6)


@pytest.mark.parametrize(
    "line",
    [
        "The sky is blue. (T)",
        "The sky is blue. True",
        "The sky is blue. [true]",
        "The sky is blue.\tT",
        "The sky is blue. – vrai",
        "The sky is blue.\nTrue / False?\nAnswer: True",
    ],
)
def test_true_or_false_is_said_in_many_ways(line):
    assert catalog.read(f"1. {line}\n".encode()).questions == (
        TrueFalse(stem="The sky is blue.", right=True),
    )


def test_list_above_lettered_choices_belongs_to_the_question():
    text = (
        "1. Read:\n(1) Taxes pay for schools.\n(2) Courts make laws.\nWhich is true?\n"
        "a) 1\n*b) 2\n\n2. Look:\n• court\n• king\n\nWho judges?\n*a) court\nb) king\n\n"
        "3. Of\ni) law\nii) tax\nwhich is right?\na) i\n*b) ii\n"
    )

    assert catalog.read(text.encode()).questions == (
        SingleChoice(
            stem="Read:\n(1) Taxes pay for schools.\n(2) Courts make laws.\nWhich is true?",
            choices=("1", "2"),
            right=1,
        ),
        SingleChoice(
            stem="Look:\n• court\n• king\n\nWho judges?", choices=("court", "king"), right=0
        ),
        SingleChoice(stem="Of\ni) law\nii) tax\nwhich is right?", choices=("i", "ii"), right=1),
    )


def test_lists_without_numbers_are_questions_one_by_one():
    text = "Who votes?\n• owners\n• all *\n\nWho judges?\n• court *\n• king\n"

    assert catalog.read(text.encode()).questions == (
        SingleChoice(stem="Who votes?", choices=("owners", "all"), right=1),
        SingleChoice(stem="Who judges?", choices=("court", "king"), right=0),
    )


def test_numbered_lines_that_say_no_answer_can_be_mended():
    (problem,) = catalog.read(b"1. Who votes?").problems

    assert (problem.code, problem.mend_as) == ("text.no-answer", "text")


def _questions(text: str) -> list[tuple[str, tuple[str, ...], int]]:
    found = catalog.read(text.encode()).questions
    return [(one.stem, one.choices, one.right) for one in found if isinstance(one, SingleChoice)]


VOTES = ("Who votes?", ("Citizens", "Nobody"), 0)
JUDGES = ("Who judges?", ("Kings", "Judges"), 1)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "Quiz – Democracy\n\n1) Who votes?\n\tA.\tCitizens\n\tB.\tNobody\nAnswer: A\n\n"
            "2) Who judges?\n\tA.\tKings\n\tB.\tJudges\nAnswer: B\n",
            id="a title, and a key like Aiken's below numbered questions",
        ),
        pytest.param(
            "Sure! Here are 2 questions:\n\n**Question 1:** Who votes?\nA) Citizens\nB) Nobody\n"
            "**Correct answer:** A) Citizens\n\n**Question 2:** Who judges?\nA) Kings\nB) Judges\n"
            "**Correct answer:** B) Judges\n\nLet me know if you need more!",
            id="a chat",
        ),
        pytest.param(
            "**1. Who votes?**\n\n- [x] Citizens\n- [ ] Nobody\n\n"
            "**2. Who judges?**\n\n- [ ] Kings\n- [x] Judges\n",
            id="boxes of Markdown",
        ),
        pytest.param(
            "1. Who votes? a) Citizens b) Nobody   Answer: a\n"
            "2. Who judges? a) Kings b) Judges (answer: b)\n",
            id="everything in one line",
        ),
    ],
)
def test_questions_as_they_are_copied_from_elsewhere(text):
    assert _questions(text) == [VOTES, JUDGES]
