"""Our own package."""

import io
import json
import zipfile

import pytest

from quizzes.formats import ctdeck, pictures as kept_pictures
from quizzes.formats.question import Picture, SingleChoice, TrueFalse
from tests.quizzes.formats.samples import SAMPLES
from tests.quizzes.formats.strategies import PNG


def deck(questions: list, *, version: int = 1, **files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        text = json.dumps({"format": "ctdeck", "version": version, "questions": questions})
        archive.writestr("deck.json", text)
        for name, content in files.items():
            archive.writestr(f"pictures/{name}.png", content)
    return out.getvalue()


def test_every_type_comes_back_whole():
    reading = ctdeck.read(ctdeck.write(SAMPLES))

    assert reading.questions == SAMPLES
    assert reading.problems == ()


def test_same_questions_make_the_same_bytes():
    assert ctdeck.write(SAMPLES) == ctdeck.write(SAMPLES)


def test_good_questions_are_kept_beside_bad_ones():
    data = deck(
        [
            {"type": "true-false", "stem": "Good", "right": True},
            {"type": "single", "stem": "One choice", "choices": ["a"], "right": 0},
            {"type": "essay", "stem": "Unknown type"},
            {"type": "true-false", "stem": "Not a truth", "right": 1},
            {"type": "true-false", "stem": "Last", "right": False},
        ]
    )

    reading = ctdeck.read(data)

    assert reading.questions == (
        TrueFalse(stem="Good", right=True),
        TrueFalse(stem="Last", right=False),
    )
    assert [(p.code, p.place.number) for p in reading.problems] == [
        ("question.few-choices", 2),
        ("deck.bad-question", 3),
        ("deck.bad-question", 4),
    ]


def test_newer_version_says_so():
    reading = ctdeck.read(deck([], version=2))

    assert [p.code for p in reading.problems] == ["deck.newer"]


def test_empty_package_is_never_silent():
    assert [p.code for p in ctdeck.read(deck([])).problems] == ["file.nothing-found"]


def test_pictures_travel_and_are_named_by_their_content():
    ref = kept_pictures.reference(PNG)
    asked = SingleChoice(
        stem="What is it?", choices=("a", "b"), right=0, picture=Picture(ref=ref, alt="A flag")
    )

    reading = ctdeck.read(ctdeck.write([asked], {ref: PNG}))

    assert reading.questions == (asked,)
    assert reading.pictures == {ref: PNG}


def test_picture_under_another_name_gets_the_name_of_its_content():
    data = deck(
        [{"type": "true-false", "stem": "a", "right": True, "picture": {"ref": "x.png"}}], x=PNG
    )

    reading = ctdeck.read(data)

    assert list(reading.pictures) == [kept_pictures.reference(PNG)]
    assert reading.questions[0].picture == Picture(ref=kept_pictures.reference(PNG))


def test_what_is_no_picture_is_left_out_with_a_note():
    data = deck(
        [{"type": "true-false", "stem": "a", "right": True, "picture": {"ref": "x.png"}}],
        x=b"<svg onload=alert(1)>",
    )

    reading = ctdeck.read(data)

    assert reading.questions == (TrueFalse(stem="a", right=True),)
    assert reading.pictures == {}
    assert [(p.code, p.question) for p in reading.problems] == [("picture.kind", 0)]


def test_missing_picture_is_told_and_its_description_kept():
    picture = {"ref": "x.png", "alt": "A map"}
    data = deck([{"type": "true-false", "stem": "a", "right": True, "picture": picture}])

    reading = ctdeck.read(data)

    assert [p.code for p in reading.problems] == ["picture.missing"]
    assert reading.questions[0].picture == Picture(ref="x.png", alt="A map")


def test_more_pictures_than_other_archives_hold_files_come_back():
    pictures = {}
    for number in range(600):
        data = b"\x89PNG\r\n\x1a\n" + str(number).encode()
        pictures[kept_pictures.reference(data)] = data
    asked = [
        TrueFalse(stem="A flag?", right=True, picture=Picture(ref=ref, alt="A flag"))
        for ref in pictures
    ]

    reading = ctdeck.read(ctdeck.write(asked, pictures))

    assert list(reading.questions) == asked
    assert reading.pictures == pictures


@pytest.mark.case("UP-11")
def test_hostile_json_is_refused_in_words():
    for text in (b"[" * 100_000, b'{"format": "ctdeck"', b"\xff", b'{"format":1e400}'):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("deck.json", text)

        reading = ctdeck.read(out.getvalue())

        assert [p.code for p in reading.problems] == ["json.broken"]


@pytest.mark.case("UP-11")
def test_huge_numbers_are_refused():
    data = deck(
        [
            {"type": "numeric", "stem": "a", "right": "1e999999"},
            {"type": "numeric", "stem": "a", "right": "9" * 5_000},
            {"type": "numeric", "stem": "a", "right": "NaN"},
        ]
    )

    reading = ctdeck.read(data)

    assert {p.code for p in reading.problems} == {"question.bad-number"}
