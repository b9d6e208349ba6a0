"""Live play draws from the operating system and keeps no seed."""

from __future__ import annotations

import os
import random

import pytest

from config.settings import base
from games.services import chances
from games.services.chances import SystemSource


@pytest.mark.case("HD-09", "HI-11")
def test_dice_of_live_play_follow_from_no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances, "_SECURE", SystemSource())
    monkeypatch.setattr(os, "urandom", lambda size: b"\x00\xff" * (size // 2))
    random.seed(1)

    drawn = [chances.live().below(256) for _time in range(4)]

    assert base.SEEDED_CHANCE is None
    # 256 needs nine bits, of which the source gives 0 and 511; 511 is out of bounds.
    assert drawn == [1, 1, 1, 1]


def test_draws_go_on_when_what_was_fetched_is_used_up() -> None:
    drawn = [chances.live().below(6) for _time in range(10_000)]

    assert set(drawn) == set(range(6))
    # Each face about 1,667 times; ten standard deviations on either side.
    assert all(1_290 < drawn.count(face) < 2_040 for face in range(6))


def test_no_bytes_are_used_twice() -> None:
    source = SystemSource()

    drawn = [source.getrandbits(64) for _time in range(2_000)]
    large = source.getrandbits(8 * SystemSource.FETCHED * 3)

    assert len(set(drawn)) == 2_000
    assert large.bit_length() > 8 * SystemSource.FETCHED * 3 - 64


def test_fewer_bits_than_a_byte_are_as_many_as_asked_for() -> None:
    source = SystemSource()

    assert {source.getrandbits(3) for _time in range(500)} == set(range(8))
