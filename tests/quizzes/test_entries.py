"""The open form of a question, as a value."""

from decimal import Decimal

import msgspec
import pytest
from hypothesis import assume, given

from quizzes.entries import (
    KINDS,
    Choice,
    Couple,
    Entries,
    Mistake,
    Unfinished,
    add_row,
    as_kind,
    entries_of,
    is_blank,
    length,
    move_row,
    question_of,
    remove_row,
    topics_of,
    with_rows,
)
from quizzes.formats import question as q
from quizzes.formats.carries import ALL_KINDS
from tests.quizzes.formats.strategies import questions

COLOURS = (Choice("red", right=True), Choice("green"), Choice(""))


def mistakes(entries):
    """Field, code and row of all that is wrong."""
    with pytest.raises(Unfinished) as caught:
        question_of(entries)
    return [(found.field, found.code, found.row) for found in caught.value.mistakes]


def test_there_are_fields_for_every_kind():
    assert set(KINDS) == ALL_KINDS


@given(questions(pictures={"a.png": b"", "b.jpg": b""}))
def test_the_fields_of_a_question_make_the_question(question):
    assume(question.picture is None or question.picture.alt)

    assert question_of(entries_of(question)) == question


@given(questions())
def test_fields_are_kept_as_json(question):
    entries = entries_of(question)

    assert msgspec.convert(msgspec.to_builtins(entries), Entries) == entries


@given(questions())
def test_empty_rows_and_blank_ends_count_for_nothing(question):
    typed = with_rows(entries_of(question))
    typed = msgspec.structs.replace(typed, stem=f" {typed.stem}\r\n")

    assert question_of(typed) == question


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_form_asks_for_the_text_and_the_answer(kind):
    asked = {
        "single": ("choices", "question.few-choices", None),
        "several": ("choices", "question.few-choices", None),
        "true-false": ("truth", "question.no-right", None),
        "short": ("accepted", "question.no-accepted", None),
        "numeric": ("number", "question.bad-number", None),
        "matching": ("pairs", "question.few-pairs", None),
        "ordering": ("items", "question.few-items", None),
    }

    found = mistakes(with_rows(Entries(kind=kind)))

    assert found == [("stem", "question.no-text", None), asked[kind]]


def test_all_that_is_wrong_is_told_at_once():
    entries = Entries(
        kind="single",
        stem="x" * (q.STEM_MAX + 1),
        explanation="x" * (q.STEM_MAX + 1),
        choices=(Choice("red"), Choice("red")),
        topics=", ".join(f"t{n}" for n in range(30)),
        difficulty="",
        language="Klingon!",
        source="x" * (q.SOURCE_MAX + 1),
        picture="a.png",
        alt="x" * (q.ALT_MAX + 1),
    )

    assert mistakes(entries) == [
        ("stem", "question.too-long", None),
        ("explanation", "question.too-long", None),
        ("choices", "question.same-choice", 1),
        ("topics", "question.bad-topic", None),
        ("difficulty", "question.bad-difficulty", None),
        ("language", "question.bad-language", None),
        ("source", "question.too-long", None),
        ("alt", "question.too-long", None),
    ]


def test_picture_needs_a_description():
    entries = Entries(kind="true-false", stem="?", truth="true", difficulty="1", picture="a.png")

    assert mistakes(msgspec.structs.replace(entries, alt=" ")) == [("alt", "question.no-alt", None)]
    assert question_of(msgspec.structs.replace(entries, alt="A map")).picture.alt == "A map"


@pytest.mark.parametrize(
    ("choices", "found"),
    [
        ((Choice("red"), Choice("green")), ("choices", "question.no-right", None)),
        (
            (Choice("red", right=True), Choice("green", right=True)),
            ("choices", "question.two-right", None),
        ),
        (
            (Choice("red"), Choice("green"), Choice(" ", right=True)),
            ("choices", "question.empty-choice", 2),
        ),
        (
            (Choice(""), Choice("red", right=True), Choice("x" * 1001)),
            ("choices", "question.too-long", 2),
        ),
    ],
)
def test_a_mistake_among_the_choices_names_its_row(choices, found):
    assert mistakes(Entries(kind="single", stem="?", choices=choices)) == [found]


def test_the_limit_is_told():
    with pytest.raises(Unfinished) as caught:
        question_of(Entries(kind="true-false", stem="x" * 5000, truth="true"))

    assert caught.value.mistakes == (
        Mistake(field="stem", code="question.too-long", values={"limit": q.STEM_MAX}),
    )


@pytest.mark.parametrize(
    ("pairs", "distractors", "found"),
    [
        ((Couple("a", "1"), Couple("b", "")), (), ("pairs", "question.empty-choice", 1)),
        ((Couple("a", "1"), Couple("a", "2")), (), ("pairs", "question.same-choice", 1)),
        (
            (Couple("a", "1"), Couple("b", "2")),
            ("3", "", "1"),
            ("distractors", "question.same-choice", 2),
        ),
    ],
)
def test_a_mistake_in_a_matching_question_names_its_row(pairs, distractors, found):
    entries = Entries(kind="matching", stem="?", pairs=pairs, distractors=distractors)

    assert mistakes(entries) == [found]


def test_two_left_sides_may_share_a_right_side():
    entries = Entries(
        kind="matching", stem="?", pairs=(Couple("a", "1"), Couple("b", "1")), distractors=("2",)
    )

    question = question_of(entries)

    assert question.options == ("1", "2")


@pytest.mark.parametrize(
    ("number", "tolerance", "right"),
    [
        ("1 234,5", "", (Decimal("1234.5"), Decimal(0))),
        ("-3", "0,1", (Decimal(-3), Decimal("0.1"))),
        ("٣٫٥", "", (Decimal("3.5"), Decimal(0))),
    ],
)
def test_numbers_are_read_as_people_write_them(number, tolerance, right):
    question = question_of(Entries(kind="numeric", stem="?", number=number, tolerance=tolerance))

    assert (question.right, question.tolerance) == right


@pytest.mark.parametrize(
    ("number", "tolerance", "found"),
    [
        ("1,234", "", [("number", "question.bad-number", None)]),  # one or a thousand?
        (
            "x",
            "y",
            [
                ("number", "question.bad-number", None),
                ("tolerance", "question.bad-tolerance", None),
            ],
        ),
        ("1", "-1", [("tolerance", "question.bad-tolerance", None)]),
    ],
)
def test_a_number_that_is_none_is_told(number, tolerance, found):
    assert mistakes(Entries(kind="numeric", stem="?", number=number, tolerance=tolerance)) == found


def test_topics_are_parted_by_the_commas_of_any_script():
    assert topics_of("votes, Budget;votes، ميزانية\n") == ("votes", "Budget", "ميزانية")


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_of_kind_and_back_loses_no_word(kind):
    entries = Entries(
        kind="several",
        stem="Which?",
        choices=(Choice("red", right=True), Choice("green")),
        truth="true",
        number="7",
        pairs=(Couple("a", "b"),),
    )

    assert as_kind(as_kind(entries, kind), "several").choices == entries.choices
    assert as_kind(entries, kind).pairs == entries.pairs


def test_of_several_right_ones_the_first_stays_right():
    entries = Entries(
        kind="several", choices=(Choice("a"), Choice("b", right=True), Choice("c", right=True))
    )

    assert [choice.right for choice in as_kind(entries, "single").choices] == [False, True, False]


def test_a_short_answer_accepts_what_was_right():
    assert as_kind(Entries(kind="single", choices=COLOURS), "short").accepted == ("red",)


def test_what_was_written_for_the_new_kind_already_stays():
    entries = Entries(kind="single", choices=COLOURS, accepted=("scarlet",), items=("one",))

    assert as_kind(entries, "short").accepted == ("scarlet",)
    assert as_kind(entries, "ordering").items == ("one",)


def test_choices_become_the_items_to_be_put_in_order():
    assert as_kind(Entries(kind="single", choices=COLOURS), "ordering").items == ("red", "green")


def test_rows_are_added_moved_and_taken_out():
    entries = Entries(kind="single", choices=COLOURS)

    assert add_row(entries, "choices").choices == (*COLOURS, Choice())
    assert move_row(entries, "choices", 0, 1).choices == (COLOURS[1], COLOURS[0], COLOURS[2])
    assert move_row(entries, "choices", 0, -1) == entries
    assert move_row(entries, "choices", 2, 1) == entries
    assert remove_row(entries, "choices", 1).choices == (COLOURS[0], COLOURS[2])
    assert remove_row(entries, "choices", 9) == entries


@pytest.mark.parametrize(
    "typed",
    [
        {"stem": "x"},
        {"choices": (Choice("x"),)},
        {"pairs": (Couple("", "x"),)},
        {"items": ("x",)},
        {"number": "1"},
        {"picture": "a.png"},
    ],
)
def test_a_word_makes_the_form_no_longer_blank(typed):
    assert is_blank(with_rows(Entries(kind="single", topics="votes", language="fr")))
    assert not is_blank(Entries(kind="single", **typed))


def test_length_counts_the_characters_of_all_fields():
    entries = Entries(
        kind="single", stem="abc", choices=(Choice("de"),), pairs=(Couple("f", "g"),), items=("h",)
    )

    assert length(entries) == len("single") + len("abcdefgh") + len("2")
