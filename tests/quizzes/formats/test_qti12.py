"""QTI 1.2 as other systems write it."""

from decimal import Decimal

import pytest

from quizzes.formats import catalog, pictures as kept_pictures, qti12
from quizzes.formats.question import (
    Matching,
    Numeric,
    Pair,
    Picture,
    SeveralRight,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)
from tests.quizzes.formats.children import read_limited
from tests.quizzes.formats.packages import CORPUS, made_elsewhere, packed
from tests.quizzes.formats.samples import SAMPLES
from tests.quizzes.formats.strategies import PNG

FLAG = Picture(ref=kept_pictures.reference(PNG), alt="A flag")


def test_package_written_by_hand():
    reading = catalog.read(packed("qti12", {"flags/a flag.png": PNG}))

    assert reading.questions == (
        TrueFalse(
            stem="Taxes are *paid* by all.",
            right=False,
            explanation="Some are exempt.",
            picture=FLAG,
        ),
        Numeric(stem="How many?", right=Decimal(4), tolerance=Decimal("0.5")),
        Numeric(stem="Between?", right=Decimal(15), tolerance=Decimal(5)),
        ShortAnswer(stem=r"Head of a \*commune\* <b>?", accepted=("mayor", "Lord  Mayor")),
        SingleChoice(stem="Who **decides**?", choices=("Mayor", "Council"), right=1),
        SeveralRight(stem="Which?", choices=("a", "b", "c"), right=(0, 2)),
    )
    assert reading.pictures == {FLAG.ref: PNG}
    assert [(p.code, p.place.number, p.values.get("type")) for p in reading.refused] == [
        ("question.unsupported", 7, "essay_question"),
        ("question.no-right", 8, None),
        ("question.unsupported", 9, "response_xy"),
    ]
    assert [(p.code, p.question) for p in reading.problems if p.is_note] == [("note.feedback", 0)]


def test_file_is_read_without_a_package():
    reading = catalog.read((CORPUS / "qti12" / "canvas_like.xml").read_bytes())

    assert len(reading.questions) == 6
    assert "picture.missing" in {p.code for p in reading.problems}


def test_package_of_an_independent_writer(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    reading = catalog.read(made_elsewhere("canvas_qti_v1_2", tmp_path, ordering=False))

    assert reading.questions == (
        SingleChoice(stem="Who may **vote** & stand?", choices=("All", "Owners", "None"), right=0),
        SeveralRight(stem="Which are rights?", choices=("Speech", "Press", "Theft"), right=(0, 1)),
        Matching(
            stem="Match them",
            pairs=(
                Pair(left="court", right="judges"),
                Pair(left="parliament", right="makes laws"),
            ),
            distractors=("sells",),
        ),
        Numeric(stem="In which year?", right=Decimal(1789), tolerance=Decimal("1.5")),
        ShortAnswer(stem="Capital of France?", accepted=("Paris", "Lutetia")),
    )
    assert [(p.code, p.values["type"]) for p in reading.problems] == [
        ("question.unsupported", "fill_in_multiple_blanks_question")
    ]


def test_every_type_comes_back_whole():
    reading = qti12.read(qti12.write(SAMPLES))

    assert reading.questions == SAMPLES
    assert reading.problems == ()


@pytest.mark.case("UP-07", "UP-09")
def test_hostile_packages_are_refused_soon():
    files = [
        packed("none", {"q.xml": b"<!DOCTYPE a><questestinterop/>"}),
        packed("none", {"q.xml": b"<questestinterop>" + b"<item>" * 5_000}),
        packed("none", {"q.xml": b"<questestinterop>" + b"<item/>" * 140_000}),
        b"<questestinterop>" + b"<item/>" * 140_000 + b"</questestinterop>",
    ]

    answers = read_limited([("qti12", data) for data in files])

    assert [answer["codes"][0] for answer in answers] == [
        "xml.dtd",
        "xml.too-deep",
        "xml.broken",
        "question.no-text",
    ]
    assert max(answer["seconds"] for answer in answers) < 3
