"""Right, partly right or wrong."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from quizzes.formats import numerals
from quizzes.formats.question import (
    Matching,
    Numeric,
    Ordering,
    Pair,
    Question,
    SeveralRight,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)
from quizzes.grading.answers import AnyAnswer, Chosen, ChosenSeveral, Held, Matched, Ordered, Typed
from quizzes.grading.judging import UnfitAnswer, judge
from tests.quizzes.formats.strategies import questions

SINGLE = SingleChoice(stem="s", choices=("a", "b", "c"), right=1)
SEVERAL = SeveralRight(stem="s", choices=("a", "b", "c", "d"), right=(0, 1))
MATCHING = Matching(
    stem="s",
    pairs=(
        Pair(left="dog", right="mammal"),
        Pair(left="cat", right="mammal"),
        Pair(left="carp", right="fish"),
    ),
    distractors=("bird",),
)
ORDERING = Ordering(stem="s", items=("a", "b", "c", "d"))


def number(text: str, right: str, tolerance: str = "0") -> str:
    asked = Numeric(stem="s", right=Decimal(right), tolerance=Decimal(tolerance))
    return judge(asked, Typed(text=text)).verdict


def short(text: str, *accepted: str) -> str:
    return judge(ShortAnswer(stem="s", accepted=accepted), Typed(text=text)).verdict


def right_answer(question: Question) -> AnyAnswer:
    """What somebody says who knows it."""
    match question:
        case SingleChoice():
            return Chosen(choice=question.right)
        case SeveralRight():
            return ChosenSeveral(choices=frozenset(question.right))
        case TrueFalse():
            return Held(true=question.right)
        case ShortAnswer():
            return Typed(text=question.accepted[0])
        case Numeric():
            return Typed(text=numerals.number_text(question.right))
        case Matching():
            return Matched(options=tuple(question.options.index(p.right) for p in question.pairs))
        case Ordering():
            return Ordered(items=tuple(range(len(question.items))))
        case _:
            raise AssertionError(question)


@given(questions())
def test_every_question_can_be_answered_right(asked):
    assert judge(asked, right_answer(asked)).verdict == "right"


def test_one_choice_is_right_or_wrong():
    assert judge(SINGLE, Chosen(choice=1)).verdict == "right"
    assert judge(SINGLE, Chosen(choice=0)).verdict == "wrong"


def test_truth_is_right_or_wrong():
    assert judge(TrueFalse(stem="s", right=False), Held(true=False)).verdict == "right"
    assert judge(TrueFalse(stem="s", right=False), Held(true=True)).verdict == "wrong"


@pytest.mark.parametrize(
    ("ticked", "share", "verdict"),
    [
        ({0, 1}, Fraction(1), "right"),
        ({0}, Fraction(1, 2), "partly"),
        ({0, 1, 2}, Fraction(1, 2), "partly"),
        ({0, 2}, Fraction(0), "wrong"),
        ({0, 1, 2, 3}, Fraction(0), "wrong"),
        ({2, 3}, Fraction(0), "wrong"),
        (set(), Fraction(0), "wrong"),
    ],
)
def test_several_counts_right_ticks_less_wrong_ones(ticked, share, verdict):
    grade = judge(SEVERAL, ChosenSeveral(choices=frozenset(ticked)))

    assert (grade.share, grade.verdict) == (share, verdict)


@pytest.mark.parametrize(
    ("typed", "accepted"),
    [
        ("paris", "Paris"),
        ("  PARIS. ", "Paris"),
        ("new   york", "New York"),
        ("rock’n’roll", "rock'n'roll"),
        ("«Oui»", "oui"),
        ("vingt–deux", "vingt-deux"),
        ("١٢ مارس", "12 مارس"),
        ("إنتخابات", "انتخابات"),
        ("اِنتِخاب", "انتخاب"),
        ("STRASSE", "Straße"),
        ("e\u0301cole", "école"),
        ("Ｐａｒｉｓ", "Paris"),
        ("...", "..."),
        ("C++", "c++"),
    ],
)
def test_ways_of_typing_one_answer_are_right(typed, accepted):
    assert short(typed, "something else", accepted) == "right"


def test_missing_accents_are_partly_right():
    assert short("Elysee", "Élysée") == "partly"
    assert short("ano", "año") == "partly"
    assert short("Élysee", "Elysées") == "wrong"


@pytest.mark.parametrize("typed", ["", " ", ".", "Lyon", "Paris is right", "P"])
def test_other_answers_are_wrong(typed):
    assert short(typed, "Paris") == "wrong"


def test_numbers_count_within_the_tolerance_ends_included():
    assert number("3.14", "3.14") == "right"
    assert number("3,14", "3.14") == "right"
    assert number("3.2", "3.1", "0.1") == "right"
    assert number("3.21", "3.1", "0.1") == "wrong"
    assert number("0.3", "0.1", "0.2") == "right"
    assert number("1,234", "1234") == "right"
    assert number("1,234", "1.234") == "right"
    assert number("١٧٨٩", "1789") == "right"
    assert number("about 3", "3") == "wrong"
    assert number("", "0") == "wrong"


@pytest.mark.parametrize(
    ("options", "share"),
    [
        ((0, 0, 1), Fraction(1)),
        ((0, 1, 1), Fraction(2, 3)),
        ((None, None, 1), Fraction(1, 3)),
        ((2, 2, 2), Fraction(0)),
    ],
)
def test_matching_counts_the_pairs_found(options, share):
    assert judge(MATCHING, Matched(options=options)).share == share


@pytest.mark.parametrize(
    ("items", "share"),
    [
        ((0, 1, 2, 3), Fraction(1)),
        ((3, 0, 1, 2), Fraction(2, 3)),
        ((1, 0, 3, 2), Fraction(1, 3)),
        ((3, 2, 1, 0), Fraction(0)),
    ],
)
def test_ordering_counts_the_items_that_may_stay(items, share):
    assert judge(ORDERING, Ordered(items=items)).share == share


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (SINGLE, Chosen(choice=3)),
        (SINGLE, Chosen(choice=-1)),
        (SINGLE, Held(true=True)),
        (SEVERAL, ChosenSeveral(choices=frozenset({4}))),
        (MATCHING, Matched(options=(0, 0))),
        (MATCHING, Matched(options=(0, 0, 3))),
        (ORDERING, Ordered(items=(0, 1, 2))),
        (ORDERING, Ordered(items=(0, 0, 1, 2))),
        (ORDERING, Typed(text="a")),
    ],
)
def test_answers_to_another_question_are_refused(asked, answer):
    with pytest.raises(UnfitAnswer):
        judge(asked, answer)


@given(questions(), st.text(max_size=30))
def test_any_typed_text_is_graded(asked, text):
    if isinstance(asked, ShortAnswer | Numeric):
        assert judge(asked, Typed(text=text)).verdict in {"right", "partly", "wrong"}
