"""Two texts of a question, word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec.structs import replace

from quizzes.entries import Choice, Couple, Entries, entries_of
from quizzes.selectors.comparing import FIELDS, Span, compare, differs, merge, wording
from tests.quizzes.formats.strategies import questions

OLD = Entries(
    kind="single",
    stem="Who may vote here?",
    choices=(Choice("Citizens", right=True), Choice("Nobody")),
    topics="votes",
)


def changed(before, after):
    return {field.name: field for field in compare(before, after) if field.changed}


def test_every_entry_belongs_to_one_field():
    entries = [entry for group in FIELDS.values() for entry in group]

    assert sorted(entries) == sorted(Entries.__struct_fields__)


def test_words_that_only_one_text_has_are_marked():
    (field,) = changed(OLD, replace(OLD, stem="Who can vote here now?")).values()

    assert field.before == (
        Span("Who"),
        Span(" may", "removed"),
        Span(" vote"),
        Span(" here?", "removed"),
    )
    assert field.after == (
        Span("Who"),
        Span(" can", "added"),
        Span(" vote"),
        Span(" here now?", "added"),
    )
    assert "".join(span.text for span in field.both) == "Who may can vote here? here now?"


@given(questions(), questions())
def test_the_texts_are_whole_again(one, other):
    before, after = entries_of(one), entries_of(other)

    for field in compare(before, after):
        assert "".join(span.text for span in field.before) == wording(field.name, before)
        assert "".join(span.text for span in field.after) == wording(field.name, after)
        assert field.changed == differs(field.name, before, after)


@given(questions())
def test_the_same_text_has_no_differences(question):
    assert changed(entries_of(question), entries_of(question)) == {}


def test_rows_without_words_and_kinds_of_line_breaks_are_no_difference():
    after = replace(OLD, stem="Who may vote here?\r\n", choices=(*OLD.choices, Choice("")))

    assert changed(OLD, after) == {}


def test_another_right_answer_is_a_difference():
    after = replace(OLD, choices=(Choice("Citizens"), Choice("Nobody", right=True)))

    assert list(changed(OLD, after)) == ["answers"]


@pytest.mark.parametrize(
    ("entries", "lines"),
    [
        (Entries(kind="true-false", truth="false"), "true or false\n✓ false"),
        (Entries(kind="short", accepted=("Paris", "")), "short answer\n✓ Paris"),
        (Entries(kind="numeric", number="3", tolerance="1"), "number\n✓ 3 ± 1"),
        (Entries(kind="ordering", items=("a", "b")), "putting in order\n1. a\n2. b"),
        (
            Entries(kind="matching", pairs=(Couple("a", "b"),), distractors=("c",)),
            "matching\na – b\n– c",
        ),
        (
            Entries(kind="several", choices=(Choice("a", right=True), Choice("b"))),
            "several right answers\n✓ a\nb",
        ),
    ],
)
def test_answers_are_told_in_lines(entries, lines):
    assert wording("answers", entries) == lines


def test_of_two_texts_each_field_can_be_chosen():
    theirs = replace(OLD, stem="Theirs?", explanation="theirs", source="theirs")
    mine = replace(OLD, stem="Mine?", kind="short", accepted=("x",), explanation="mine", alt="a")

    merged = merge(theirs, mine, take_mine=("stem", "answers", "picture"))

    assert merged == replace(
        theirs, stem="Mine?", kind="short", accepted=("x",), alt="a", explanation="theirs"
    )


def test_another_picture_is_a_difference_though_its_words_are_the_same():
    before, after = (
        replace(OLD, picture="a.png", alt="map"),
        replace(OLD, picture="b.png", alt="map"),
    )

    (field,) = changed(before, after).values()

    assert (field.name, field.pictures) == ("picture", ("a.png", "b.png"))
    assert field.both == (Span("map"),)


def test_a_long_text_is_compared_in_time():
    """Words that come again and again are where a careless comparison takes minutes."""
    old = replace(OLD, stem="a b " * 1000)
    new = replace(OLD, stem="b a a " * 660)

    assert list(changed(old, new)) == ["stem"]
