"""The grade of an answer: right, partly right or wrong.

- One right choice, true or false: right or wrong.
- Several: what was ticked rightly minus what was ticked wrongly, out of the
  right ones, never below none. All ticked earns nothing by itself.
- Short answer: right if it is the same as an accepted one (``written``); half
  if only accents differ; else wrong.
- Number: right if it lies within the tolerance, ends included. Where a comma
  may be read in two ways, either reading counts.
- Matching: the share of pairs found. An option may be used more than once.
- Ordering: the share of items that may stay where they are while the others are
  moved, the first one not counting: (longest rising run − 1) / (items − 1).
"""

from bisect import bisect_left
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from quizzes.formats import numerals
from quizzes.formats.question import (
    Matching,
    Numeric,
    Ordering,
    Question,
    SeveralRight,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)
from quizzes.grading import written
from quizzes.grading.answers import AnyAnswer, Chosen, ChosenSeveral, Held, Matched, Ordered, Typed

TYPED_MAX = 1_000


class UnfitAnswer(ValueError):
    """Raised when an answer does not belong to the question: wrong type or positions."""

    code = "quizzes.unfit-answer"
    message = "This answer does not belong to the question. Load the page again."


class Grade(Struct, frozen=True):
    """How right an answer is."""

    share: Fraction  # 0 to 1

    @property
    def verdict(self) -> Literal["right", "partly", "wrong"]:
        """The grade in a word."""
        if self.share == 1:
            return "right"
        return "partly" if self.share else "wrong"


RIGHT = Grade(Fraction(1))
HALF = Grade(Fraction(1, 2))
WRONG = Grade(Fraction(0))


def judge(question: Question, answer: AnyAnswer) -> Grade:
    """Return the grade of the answer.

    Raises:
        UnfitAnswer: the answer is of another type or names positions that are not there.
    """
    match question, answer:
        case SingleChoice(), Chosen(choice=choice):
            _require(0 <= choice < len(question.choices))
            return _all_or_none(choice == question.right)
        case SeveralRight(), ChosenSeveral(choices=choices):
            return _several(question, choices)
        case TrueFalse(), Held(true=true):
            return _all_or_none(true == question.right)
        case ShortAnswer(), Typed(text=text):
            return _short(question, text[:TYPED_MAX])
        case Numeric(), Typed(text=text):
            numbers = numerals.readings(text)
            return _all_or_none(
                any(abs(number - question.right) <= question.tolerance for number in numbers)
            )
        case Matching(), Matched(options=options):
            return _matching(question, options)
        case Ordering(), Ordered(items=items):
            return _ordering(question, items)
        case _:
            raise UnfitAnswer


def _require(holds: bool) -> None:
    if not holds:
        raise UnfitAnswer


def _all_or_none(right: bool) -> Grade:
    return RIGHT if right else WRONG


def _several(question: SeveralRight, chosen: frozenset[int]) -> Grade:
    _require(all(0 <= choice < len(question.choices) for choice in chosen))
    right = frozenset(question.right)
    points = len(chosen & right) - len(chosen - right)
    return Grade(Fraction(max(0, points), len(right)))


def _short(question: ShortAnswer, text: str) -> Grade:
    given = written.plain(text)
    if given in {written.plain(accepted) for accepted in question.accepted}:
        return RIGHT
    bare = written.without_accents(text)
    if bare and bare in {written.without_accents(accepted) for accepted in question.accepted}:
        return HALF
    return WRONG


def _matching(question: Matching, options: tuple[int | None, ...]) -> Grade:
    offered = question.options
    _require(len(options) == len(question.pairs))
    _require(all(option is None or 0 <= option < len(offered) for option in options))
    found = sum(
        option is not None and offered[option] == pair.right
        for option, pair in zip(options, question.pairs, strict=True)
    )
    return Grade(Fraction(found, len(question.pairs)))


def _ordering(question: Ordering, items: tuple[int, ...]) -> Grade:
    _require(sorted(items) == list(range(len(question.items))))
    tails: list[int] = []  # tails[n]: smallest end of a rising run of n + 1 items
    for item in items:
        at = bisect_left(tails, item)
        tails[at : at + 1] = [item]
    return Grade(Fraction(len(tails) - 1, len(items) - 1))
