"""Much is written so that nobody else waits for long."""

from __future__ import annotations

import gc

import pytest

from quizzes.services import pacing
from quizzes.services.pacing import briefly, turns


def test_others_get_a_turn_as_long_as_the_piece_before_it_took(monkeypatch):
    clock, slept = [0.0], []
    monkeypatch.setattr(pacing, "PIECE", 2)
    monkeypatch.setattr(pacing.time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(pacing.time, "sleep", slept.append)

    written = []
    for number, piece in enumerate(turns("abcde"), start=1):
        written.append(piece)
        clock[0] += number / 10

    assert written == [["a", "b"], ["c", "d"], ["e"]]
    assert slept == pytest.approx([0, 0.1, 0.2])


@pytest.mark.django_db
def test_no_garbage_is_collected_while_others_wait_for_the_database():
    inside = briefly(gc.isenabled)

    assert (inside, gc.isenabled()) == (False, True)


@pytest.mark.django_db
def test_garbage_is_collected_again_after_a_fault():
    with pytest.raises(ZeroDivisionError):
        briefly(lambda: 1 // 0)

    assert gc.isenabled()
