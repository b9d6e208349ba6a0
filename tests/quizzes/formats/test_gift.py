"""GIFT as Moodle and teachers write it."""

from decimal import Decimal
from pathlib import Path

import pytest

from quizzes.formats import gift
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
from tests.quizzes.formats.samples import under

CORPUS = Path(__file__).parent / "corpus" / "gift"


def test_awkward_file():
    reading = gift.read((CORPUS / "awkward.gift").read_bytes())

    assert reading.questions == under(
        "Civics",
        SingleChoice(stem="At what age may one vote?", choices=("18", "16", "21"), right=0),
        SeveralRight(
            stem="Which of these are **rights**?",
            choices=("Speech", "Press", "Theft & fraud"),
            right=(0, 1),
            explanation="See here.",
            topics=("rights", "old]one"),
        ),
        SingleChoice(
            stem="The council sits in the _____ every month.",
            choices=("town hall", "barn", "station"),
            right=0,
        ),
        TrueFalse(stem="Taxes pay for schools.", right=True, explanation="Yes, indeed."),
        ShortAnswer(stem="Name the head of a commune", accepted=("mayor", "Lord Mayor")),
        Numeric(stem="When did it begin?", right=Decimal(1789), tolerance=Decimal(1)),
        Numeric(stem="How many?", right=Decimal(3), tolerance=Decimal(2)),
        Numeric(stem="How many of them?", right=Decimal(10)),
        Matching(
            stem="Match these",
            pairs=(Pair(left="France", right="Paris"), Pair(left="Italy", right="Rome")),
            distractors=("Berlin",),
        ),
        SingleChoice(stem=r"Set: {a, b} = ~2 and \(x^2\)", choices=("yes=ja", "no # not"), right=0),
        Ordering(stem="Order them", items=("first", "second", "third")),
        SingleChoice(stem="Which is **bold**?", choices=("*this*", "that"), right=0),
        TrueFalse(stem=r"2\*3\*4 and \*stars\* <b>", right=True),
    )
    assert [(p.code, p.place.line) for p in reading.problems if not p.is_note] == [
        ("question.unsupported", 40),
        ("gift.no-answer", 42),
        ("gift.no-close", 44),
        ("gift.two-answers", 46),
        ("question.two-right", 48),
        ("question.no-right", 50),
        ("gift.bad-answer", 52),
        ("question.bad-number", 54),
    ]
    assert [(p.code, p.question) for p in reading.problems if p.is_note] == [
        ("note.feedback", 0),
        ("note.markup", 1),
        ("note.links", 1),
        ("note.feedback", 3),
        ("note.weights", 4),
        ("note.feedback", 4),
        ("note.values", 7),
        ("note.feedback", 7),
    ]


def test_bad_question_can_be_mended_and_read_again():
    problems = gift.read((CORPUS / "awkward.gift").read_bytes()).problems
    broken = next(p for p in problems if p.code == "question.no-right")

    mended = gift.read(broken.block.replace("~b", "=b").encode())

    assert broken.mend_as == "gift"
    assert mended.questions == (
        SingleChoice(stem="No right", choices=("a", "b"), right=1, topics=("Civics",)),
    )


def test_plain_questions_are_written_for_people():
    asked = SingleChoice(
        stem="At what age?", choices=("18", "16"), right=0, topics=("age",), difficulty=1
    )

    assert gift.write([asked]).decode() == (
        "// [tag:age] [tag:ct:difficulty=1]\n::At what age?::At what age? {\n\t=18\n\t~16\n}\n"
    )


def test_marked_texts_are_written_as_moodle_shows_them():
    asked = TrueFalse(stem="Is **1 < 2**?\n{yes}", right=True, explanation="So = true")

    assert gift.write([asked]).decode() == (
        "::Is **1 < 2**? \\{yes\\}::[html]Is <strong>1 &lt; 2</strong>?<br />\\{yes\\} {TRUE\n"
        "\t####[html]So \\= true\n}\n"
    )


@pytest.mark.parametrize("choice", ["%50%", "%", "->", "#", "[html]x", "\\n", "=", "//", "####"])
def test_texts_that_look_like_syntax_come_back(choice):
    accepted = choice.replace("->", "-")  # cannot be carried, see fits
    asked = (
        SingleChoice(stem=choice, choices=(choice, "b"), right=1, explanation=choice),
        ShortAnswer(stem="s", accepted=(accepted, "b")),
        Matching(stem="m", pairs=(Pair(left=choice, right=choice), Pair(left="a", right="b"))),
        Ordering(stem="o", items=(choice, "b")),
    )

    assert gift.read(gift.write(asked)).questions == asked


def test_questions_one_a_line_need_no_empty_line_between():
    text = (
        "Taxes pay for schools. {T}\n// [tag:law]\nCourts make laws. {F}\n"
        "::C::The council {=meets ~rests}\nevery month.\n"
    )

    assert gift.read(text.encode()).questions == (
        TrueFalse(stem="Taxes pay for schools.", right=True),
        TrueFalse(stem="Courts make laws.", right=False, topics=("law",)),
        SingleChoice(stem="The council _____ every month.", choices=("meets", "rests"), right=0),
    )


def test_empty_lines_among_the_answers_end_no_question():
    text = "Who votes? {\n=all\n\n~some\n}\n\nNever closed {=a\n\nWho judges? {=court ~king}\n"

    reading = gift.read(text.encode())

    assert reading.questions == (
        SingleChoice(stem="Who votes?", choices=("all", "some"), right=0),
        SingleChoice(stem="Who judges?", choices=("court", "king"), right=0),
    )
    assert [(p.code, p.place.line) for p in reading.problems] == [("gift.no-close", 7)]


def test_category_is_a_topic_of_the_questions_below_it():
    text = (
        "One {T}\n\n$CATEGORY: $course$/top/Civics/Rights\n\n// [tag:old]\nTwo {T}\n\nThree {T}\n\n"
        "$CATEGORY: $course$/top\n\nFour {T}\n"
    )

    assert [(one.stem, one.topics) for one in gift.read(text.encode()).questions] == [
        ("One", ()),
        ("Two", ("old", "Rights")),
        ("Three", ("Rights",)),
        ("Four", ()),
    ]


def test_a_bad_question_keeps_its_category_when_it_is_mended_alone():
    text = "$CATEGORY: $course$/top/Laws\n\nWho votes? {=Citizens =Nobody\n"

    (found,) = gift.read(text.encode()).problems
    mended = found.block.replace("=Nobody", "~Nobody}")

    (question,) = gift.read(mended.encode()).questions
    assert question.topics == ("Laws",)
