"""The fields of the editor's form, as they are sent."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.http import QueryDict

from classroom.errors import NotThere
from quizzes.entries import MOST_ROWS, Choice, Couple, Entries
from quizzes.forms.typed import acted, key, moment, number, typed


def sent(**fields):
    data = QueryDict(mutable=True)
    for name, value in {"kind": "single", **fields}.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return data


def test_all_fields_are_read():
    data = sent(
        stem="Who?",
        choice=["a", "b", "c"],
        right=["1"],
        accepted=["x"],
        left=["l"],
        belongs=["r"],
        distractor=["d"],
        item=["i"],
        number="1",
        tolerance="2",
        truth="true",
        explanation="because",
        topics="t",
        difficulty="3",
        language="fr",
        source="s",
        picture="p.png",
        alt="words",
    )

    assert typed(data) == Entries(
        kind="single",
        stem="Who?",
        explanation="because",
        choices=(Choice("a"), Choice("b", right=True), Choice("c")),
        truth="true",
        accepted=("x",),
        number="1",
        tolerance="2",
        pairs=(Couple("l", "r"),),
        distractors=("d",),
        items=("i",),
        topics="t",
        difficulty="3",
        language="fr",
        source="s",
        picture="p.png",
        alt="words",
    )


def test_line_breaks_are_of_one_kind_and_nothing_unprintable_comes_along():
    assert typed(sent(stem="a\r\nb\x00")).stem == "a\nb"


def test_nobody_sends_endless_rows():
    assert len(typed(sent(choice=["x"] * 500)).choices) == MOST_ROWS


def test_a_kind_that_there_is_not_is_no_form():
    with pytest.raises(NotThere):
        typed(sent(kind="essay"))


@pytest.mark.parametrize(
    ("act", "texts"),
    [
        ("up:choices:1", ["b", "a"]),
        ("down:choices:0", ["b", "a"]),
        ("remove:choices:0", ["b"]),
        ("add:choices", ["a", "b", ""]),
        ("up:choices:x", ["a", "b"]),
        ("up:stem:1", ["a", "b"]),
        ("remove:choices", ["a", "b"]),
        ("kind:essay", ["a", "b"]),
        ("nonsense", ["a", "b"]),
    ],
)
def test_buttons_act_on_rows(act, texts):
    entries = Entries(kind="single", choices=(Choice("a"), Choice("b")))

    assert [choice.text for choice in acted(entries, act).choices] == texts


def test_a_button_changes_the_kind():
    assert acted(Entries(kind="single"), "kind:several").kind == "several"


def test_what_is_no_number_moment_or_key_is_none():
    data = sent(a="12", b="-1", c="9" * 30, at="2026-11-30T10:00:00+00:00", later="2026-13-99T")

    assert [number(data, name) for name in ("a", "b", "c", "d")] == [12, 0, 0, 0]
    assert moment(data, "at") == datetime(2026, 11, 30, 10, tzinfo=UTC)
    assert [moment(data, name) for name in ("a", "later", "d")] == [None, None, None]
    assert [key(data, name) for name in ("a", "d")] == [None, None]
