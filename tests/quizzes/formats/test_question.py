"""A question that exists is sound."""

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given

from quizzes.formats import question as q
from quizzes.formats.problems import SENTENCES
from quizzes.formats.question import InvalidQuestion, Pair, Picture, Question
from tests.quizzes.formats.strategies import questions


@given(questions())
def test_questions_survive_json(asked):
    assert msgspec.json.decode(msgspec.json.encode(asked), type=Question) == asked


def single(**changes):
    return lambda: q.SingleChoice(**{"stem": "s", "choices": ("a", "b"), "right": 0, **changes})


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (single(stem=""), "question.no-text"),
        (single(stem=" s"), "question.bad-text"),
        (single(stem="a\x00"), "question.bad-text"),
        (single(stem="a\r\nb"), "question.bad-text"),
        (single(stem="s" * 4_001), "question.too-long"),
        (single(choices=("a",)), "question.few-choices"),
        (single(choices=("a", "")), "question.empty-choice"),
        (single(choices=("a", "a")), "question.same-choice"),
        (single(choices=tuple(str(n) for n in range(27))), "question.many-choices"),
        (single(right=2), "question.unknown-right"),
        (single(right=-1), "question.unknown-right"),
        (single(topics=("a,b",)), "question.bad-topic"),
        (single(topics=("ا،ب",)), "question.bad-topic"),
        (single(topics=("a", "a")), "question.bad-topic"),
        (single(topics=("ct:difficulty=3",)), "question.bad-topic"),
        (single(difficulty=4), "question.bad-difficulty"),
        (single(language="english please"), "question.bad-language"),
        (single(source="a\nb"), "question.bad-text"),
        (lambda: Picture(ref="../x.png"), "question.bad-picture"),
        (lambda: Picture(ref="x.svg"), "question.bad-picture"),
        (lambda: q.SeveralRight(stem="s", choices=("a", "b"), right=()), "question.no-right"),
        (lambda: q.SeveralRight(stem="s", choices=("a", "b"), right=(1, 0)),
         "question.unknown-right"),
        (lambda: q.ShortAnswer(stem="s", accepted=()), "question.no-accepted"),
        (lambda: q.ShortAnswer(stem="s", accepted=("a\nb",)), "question.bad-accepted"),
        (lambda: q.Numeric(stem="s", right=Decimal("NaN")), "question.bad-number"),
        (lambda: q.Numeric(stem="s", right=Decimal("1e400")), "question.bad-number"),
        (lambda: q.Numeric(stem="s", right=Decimal(1), tolerance=Decimal(-1)),
         "question.bad-tolerance"),
        (lambda: q.Matching(stem="s", pairs=(Pair(left="a", right="b"),)), "question.few-pairs"),
        (lambda: q.Matching(
            stem="s", pairs=(Pair(left="a", right="b"), Pair(left="c", right="d")),
            distractors=("b",)), "question.same-choice"),
        (lambda: q.Ordering(stem="s", items=("a",)), "question.few-items"),
    ],
)  # fmt: skip
def test_unsound_questions_are_refused_with_a_sentence(make, code):
    with pytest.raises(InvalidQuestion) as caught:
        make()

    assert caught.value.code == code
    assert SENTENCES[code] % caught.value.values


def test_options_of_a_matching_are_each_offered_once():
    asked = q.Matching(
        stem="s",
        pairs=(Pair(left="dog", right="mammal"), Pair(left="cat", right="mammal")),
        distractors=("bird",),
    )

    assert asked.options == ("mammal", "bird")
