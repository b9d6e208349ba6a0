"""Moodle XML as Moodle exports it."""

from decimal import Decimal
from pathlib import Path

import pytest

from quizzes.formats import catalog, moodle_xml, pictures as kept_pictures
from quizzes.formats.question import (
    Matching,
    Numeric,
    Ordering,
    Pair,
    Picture,
    SeveralRight,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)
from tests.quizzes.formats.children import read_limited
from tests.quizzes.formats.samples import SAMPLES, under
from tests.quizzes.formats.strategies import PNG

CORPUS = Path(__file__).parent / "corpus" / "moodle"
FLAG = Picture(ref=kept_pictures.reference(PNG), alt="A flag")


def test_awkward_file():
    reading = catalog.read((CORPUS / "awkward.xml").read_bytes())

    assert reading.questions == under(
        "Civics",
        SingleChoice(
            stem="At what **age** may one vote?",
            choices=("18", r"\*16\* < 18"),
            right=0,
            explanation="Article\u00a021",
            picture=FLAG,
            topics=("rights",),
            difficulty=3,
        ),
        SeveralRight(
            stem="Which are\nrights?", choices=("Speech", "Press & film", "Theft"), right=(0, 1)
        ),
        TrueFalse(stem="Taxes are **paid** by all.", right=False, explanation="Some are exempt."),
        ShortAnswer(stem="Head of a commune?", accepted=("mayor",)),
        Numeric(stem="When?", right=Decimal(1789), tolerance=Decimal("0.5")),
        Matching(
            stem="Match",
            pairs=(Pair(left="*France*", right="Paris"), Pair(left="Italy", right="Rome")),
            distractors=("Berlin",),
        ),
        Ordering(stem="Order", items=("bill", "law")),
        TrueFalse(stem="Hm y", right=True),
    )
    assert reading.pictures == {FLAG.ref: PNG}
    assert [(p.code, p.place.line, p.values.get("type")) for p in reading.refused] == [
        ("question.unsupported", 56, "essay"),
        ("question.unsupported", 60, "cloze"),
        ("question.no-right", 61, None),
        ("question.bad-number", 65, None),
    ]
    assert [(p.code, p.question) for p in reading.problems if p.is_note] == [
        ("note.feedback", 0),
        ("note.weights", 3),
        ("note.case", 3),
        ("note.markup", 7),
        ("note.links", 7),
        ("picture.remote", 7),
    ]


def test_every_type_comes_back_whole():
    reading = moodle_xml.read(moodle_xml.write(SAMPLES))

    assert reading.questions == SAMPLES
    assert reading.problems == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "windows-1252"])
def test_declared_encodings_are_followed(encoding):
    text = (
        f'<?xml version="1.0" encoding="{encoding}"?><quiz><question type="truefalse">'
        "<questiontext><text>Où ? Été.</text></questiontext>"
        '<answer fraction="100"><text>true</text></answer></question></quiz>'
    )

    reading = catalog.read(text.encode(encoding))

    assert reading.questions == (TrueFalse(stem="Où ? Été.", right=True),)


def test_undeclared_encoding_can_be_chosen():
    data = (
        "<quiz><question type='truefalse'><questiontext><text>Été</text></questiontext>"
        "<answer fraction='100'><text>true</text></answer></question></quiz>"
    ).encode("cp1252")

    assert [p.code for p in catalog.read(data).problems] == ["xml.broken"]
    assert catalog.read(data, encoding="windows-1252").questions[0].stem == "Été"


def test_pictures_inside_the_text_are_taken_out():
    inline = (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAACklEQVR4nGMAAQAABQAB"
    )
    data = (
        "<quiz><question type='truefalse'><questiontext format='html'><text>&lt;img src='"
        + inline
        + "' alt='A flag'&gt;Q</text></questiontext>"
        "<answer fraction='100'><text>true</text></answer></question></quiz>"
    ).encode()

    reading = moodle_xml.read(data)

    assert reading.questions == (TrueFalse(stem="Q", right=True, picture=FLAG),)
    assert reading.pictures == {FLAG.ref: PNG}


@pytest.mark.case("UP-09", "UP-12")
def test_hostile_documents_are_refused_soon_and_nothing_is_fetched():
    files = [
        b'<!DOCTYPE quiz [<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]><quiz>&x;</quiz>',
        b"<quiz>" + b"<question type='truefalse'>" * 5_000,
        b"<quiz>" + b"<question type='x'/>" * 200_000 + b"</quiz>",
        b"<quiz>" + b"<question type='x'/>" * 100_000 + b"</quiz>",
        b"<quiz><question type='truefalse'><questiontext><text>"
        + b"&lt;a " * 100_000
        + b"</text></questiontext></question></quiz>",
    ]

    answers = read_limited([("moodle", data) for data in files])

    assert [answer["codes"][0] for answer in answers] == [
        "xml.dtd",
        "xml.too-deep",
        "xml.too-large",
        "question.unsupported",
        "question.no-right",
    ]
    assert max(answer["seconds"] for answer in answers) < 3


def test_category_is_a_topic_of_the_questions_below_it():
    asked = "<question type='truefalse'><questiontext><text>{}</text></questiontext>{}</question>"
    answer = "<answer fraction='100'><text>true</text></answer>"
    named = "<question type='category'><category><text>{}</text></category></question>"
    xml = "".join(
        (
            "<quiz>",
            asked.format("None yet", answer),
            named.format("$course$/top/Civics/Law // order"),
            asked.format("Under it", answer + "<tags><tag><text>old</text></tag></tags>"),
            named.format("$course$/top/Default for Year 9"),
            asked.format("None again", answer),
            "</quiz>",
        )
    )

    reading = moodle_xml.read(xml.encode())

    assert [(one.stem, one.topics) for one in reading.questions] == [
        ("None yet", ()),
        ("Under it", ("old", "Law / order")),
        ("None again", ()),
    ]
