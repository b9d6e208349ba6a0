"""Codes that are read aloud and typed."""

from __future__ import annotations

import time
from math import log2

import pytest

from classroom.codes import (
    ALPHABET,
    CLASS_CODE_LENGTH,
    fingerprint,
    new_class_code,
    new_personal_code,
    spaced,
    typed,
)


@pytest.mark.case("AZ-09")
def test_class_codes_are_too_many_to_guess_and_easy_to_read():
    assert log2(len(ALPHABET)) * CLASS_CODE_LENGTH >= 29
    assert len(set(ALPHABET)) == len(ALPHABET)
    assert not set("01OIL") & set(ALPHABET)


def test_drawn_codes_hold_only_signs_of_the_alphabet():
    drawn = [*(new_class_code() for _ in range(200)), *(new_personal_code() for _ in range(200))]

    assert set("".join(drawn)) <= set(ALPHABET)
    assert len(set(drawn[:200])) > 190


@pytest.mark.parametrize(
    "written", ["KFR7WM", "kfr 7wm", " KFR-7WM ", "ＫＦＲ７ＷＭ", "kfr\u00a07wm"]
)
def test_code_may_be_typed_in_many_ways(written):
    assert typed(written) == "KFR7WM"


@pytest.mark.case("WS-09")
def test_code_of_nothing_but_marks_is_read_in_no_time():
    heap = "A" + "\u0323\u0301" * 8_000
    began = time.process_time()

    typed(heap)

    assert time.process_time() - began < 0.5  # with the square of its length: 10 seconds


def test_code_is_shown_in_two_halves():
    assert spaced("KFR7WM") == "KFR 7WM"


def test_fingerprint_tells_secrets_apart_and_does_not_hold_them():
    assert fingerprint("one") == fingerprint("one") != fingerprint("two")
    assert "one" not in fingerprint("one")
