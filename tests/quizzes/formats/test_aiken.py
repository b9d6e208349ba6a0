"""Aiken as teachers write it."""

from pathlib import Path

from quizzes.formats import aiken, catalog
from quizzes.formats.question import SeveralRight, SingleChoice

CORPUS = Path(__file__).parent / "corpus" / "aiken"


def test_awkward_file():
    reading = catalog.read((CORPUS / "awkward.txt").read_bytes())

    assert reading.questions == (
        SingleChoice(
            stem="Who may vote?", choices=("Owners", "Every citizen", "Tourists"), right=1
        ),
        SingleChoice(stem="Which line\ngoes on?", choices=("This one", "That one"), right=0),
        SingleChoice(stem="A. Lincoln was a president.", choices=("yes", "no"), right=0),
    )
    assert [(p.code, p.place.line, p.mend_as) for p in reading.problems] == [
        ("question.unknown-right", 15, "aiken"),
        ("aiken.no-answer", 17, "aiken"),
        ("question.few-choices", 21, "aiken"),
    ]


def test_written_file():
    asked = SingleChoice(stem="Two\nlines?", choices=("a", "b"), right=1)

    assert aiken.write([asked]) == b"Two lines?\nA. a\nB. b\nANSWER: B\n"


def test_question_that_looks_like_a_choice_is_told_before_writing():
    asked = SingleChoice(stem="A. Lincoln was a president.", choices=("a", "b"), right=1)

    assert [p.code for p in catalog.FORMATS["aiken"].losses([asked])] == ["write.shape"]
    assert aiken.write([asked]) == b"\n"


def test_remarks_and_second_answers_are_read_as_plain_text_has_them():
    text = (
        "Who may vote?\nA. Owners\nB. Citizens\nANSWER: B\nExplanation: Article 21\n\n"
        "Who decides?\nA. Mayor\nB. Council\nC. King\nANSWER: A, B\n"
    )

    assert catalog.read(text.encode()).questions == (
        SingleChoice(
            stem="Who may vote?", choices=("Owners", "Citizens"), right=1, explanation="Article 21"
        ),
        SeveralRight(stem="Who decides?", choices=("Mayor", "Council", "King"), right=(0, 1)),
    )
