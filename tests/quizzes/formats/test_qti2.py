"""QTI 2.1 and 2.2 as other systems write them."""

from decimal import Decimal

import pytest

from quizzes.formats import catalog, pictures as kept_pictures, qti2
from quizzes.formats.archives import open_archive
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
from quizzes.formats.xml_nodes import parse
from tests.quizzes.formats.children import read_limited
from tests.quizzes.formats.packages import CORPUS, made_elsewhere, packed
from tests.quizzes.formats.samples import SAMPLES
from tests.quizzes.formats.strategies import PNG

FLAG = Picture(ref=kept_pictures.reference(PNG), alt="A flag")


def test_package_written_by_hand():
    reading = catalog.read(packed("qti2", {"flags/my flag.png": PNG}))

    assert reading.questions == (
        SingleChoice(
            stem="Look at the **flag**.\n\nWhose is it?",
            choices=("France & Corsica", "*Nobody's*"),
            right=1,
            explanation="Well done.",
            language="en-GB",
            picture=FLAG,
        ),
        SingleChoice(stem="The council _____.", choices=("sleeps", "decides"), right=1),
        ShortAnswer(stem="The capital of France is _____, of course.", accepted=("Paris", "paris")),
        Numeric(stem="How many?", right=Decimal(15), tolerance=Decimal(5)),
        TrueFalse(stem="Safe link", right=True),
    )
    assert reading.pictures == {FLAG.ref: PNG}
    assert [place.part for place in reading.places] == [
        "choice_22_prefixed.xml",
        "dropdown.xml",
        "gap_in_sentence.xml",
        "number_in_range.xml",
        "script.xml",
    ]
    assert [(p.code, p.place.part, p.place.line) for p in reading.refused] == [
        ("question.unsupported", "essay.xml", 3),
        ("question.no-right", "no_key.xml", 3),
        ("question.unsupported", "two_gaps.xml", 2),
    ]
    assert [(p.code, p.question) for p in reading.problems if p.is_note] == [
        ("note.feedback", 0),
        ("note.weights", 2),
        ("note.markup", 4),
        ("note.links", 4),
        ("picture.remote", 4),
    ]


def test_single_item_is_read_without_a_package():
    reading = catalog.read((CORPUS / "qti2" / "gap_in_sentence.xml").read_bytes())

    assert [type(q) for q in reading.questions] == [ShortAnswer]


def test_package_of_an_independent_writer(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    reading = catalog.read(made_elsewhere("blackboard_qti_v2_1", tmp_path, ordering=True))

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
        Ordering(stem="Put in order", items=("bill", "vote", "law")),
    )
    assert [p.code for p in reading.problems] == ["question.unsupported"]


def test_every_type_comes_back_whole():
    reading = qti2.read(qti2.write(SAMPLES))

    assert reading.questions == SAMPLES
    assert reading.problems == ()


def test_manifest_lists_every_file():
    asked = TrueFalse(stem="A flag?", right=True, picture=FLAG)

    archive = open_archive(qti2.write([asked], {FLAG.ref: PNG}))

    manifest = parse(archive.read("imsmanifest.xml"))
    listed = {node.get("href") for node in manifest.descend("file")}
    assert listed == {name for name in archive.names if name != "imsmanifest.xml"}


def test_as_many_questions_as_a_set_holds_are_read_again():
    """Each is a file of its own; the manifest names all, with topics."""
    question = TrueFalse(stem="A flag?", right=True, topics=("flags", "colours"))

    reading = qti2.read(qti2.write([question] * 3_000))

    assert (len(reading.questions), reading.problems) == (3_000, ())


@pytest.mark.case("UP-08", "UP-12")
def test_addresses_outside_the_package_are_not_followed():
    item = (CORPUS / "qti2" / "choice_22_prefixed.xml").read_text()
    for src in ("../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "//127.0.0.1/x.png"):
        data = packed("none", {"q.xml": item.replace("flags/my%20flag.png", src).encode()})

        reading = qti2.read(data)

        assert reading.pictures == {}
        assert reading.questions[0].picture is None
        assert {p.code for p in reading.problems} & {"picture.missing", "picture.remote"}


@pytest.mark.case("UP-07", "UP-09")
def test_hostile_packages_are_refused_soon():
    item = '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1"><itemBody>'
    files = [
        packed("none", {f"{n}.xml": b"<a/>" for n in range(11_000)}),
        packed("none", {"imsmanifest.xml": b"<!DOCTYPE a><manifest/>"}),
        packed("none", {"q.xml": f"<!DOCTYPE a>{item}".encode()}),
        packed("none", {"q.xml": (item + "<div>" * 5_000).encode()}),
        packed("none", {"q.xml": (item + "<p/>" * 140_000).encode()}),
    ]

    answers = read_limited([("qti2", data) for data in files])

    assert [answer["codes"][0] for answer in answers] == [
        "archive.too-many-entries",
        "xml.dtd",
        "xml.dtd",
        "xml.too-deep",
        "xml.broken",
    ]
    assert max(answer["seconds"] for answer in answers) < 3
