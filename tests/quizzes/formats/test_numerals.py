"""Numbers as people write them."""

from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from quizzes.formats.numerals import number_text, readings
from tests.quizzes.formats.strategies import numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", ["3"]),
        (" 3.50 ", ["3.50"]),
        ("3,5", ["3.5"]),
        ("1 234,5", ["1234.5"]),
        ("1\u202f234,5", ["1234.5"]),
        ("1.234,5", ["1234.5"]),
        ("1,234.5", ["1234.5"]),
        ("1'234.5", ["1234.5"]),
        ("1,234", ["1.234", "1234"]),
        ("1,234,567", ["1234567"]),
        ("0,125", ["0.125"]),
        ("1.234", ["1.234"]),
        ("\u22123", ["-3"]),
        (".5", ["0.5"]),
        ("2e3", ["2000"]),
        ("٣٫٥", ["3.5"]),
        ("１２", ["12"]),
        ("007", ["7"]),
    ],
)
def test_written_numbers_are_read(text, expected):
    assert readings(text) == tuple(Decimal(number) for number in expected)


@pytest.mark.parametrize(
    "text",
    ["", "abc", "1,2,3", "1.2.3", "--1", "1e99", "1" * 30, "NaN", "Infinity", "1/2", "1.2,3.4"],
)
def test_other_things_are_no_numbers(text):
    assert readings(text) == ()


@given(numbers())
def test_numbers_come_back(number):
    assert readings(number_text(number)) == (number,)


@given(st.text(max_size=50))
def test_any_text_is_answered(text):
    assert len(readings(text)) <= 2
