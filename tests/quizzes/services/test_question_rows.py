"""Many rows are written so that nobody else waits for long."""

from __future__ import annotations

import gc

import pytest
from django.db import connection

from quizzes.models import Question
from quizzes.selectors.questions import newest
from quizzes.services import question_rows
from quizzes.services.question_rows import Arrival, briefly, turns, written
from tests.factories import bank
from tests.quizzes.formats.samples import SAMPLES


def test_others_get_a_turn_as_long_as_the_piece_before_it_took(monkeypatch):
    clock, slept = [0.0], []
    monkeypatch.setattr(question_rows, "PIECE", 2)
    monkeypatch.setattr(question_rows.time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(question_rows.time, "sleep", slept.append)

    written = []
    for number, piece in enumerate(turns("abcde"), start=1):
        written.append(piece)
        clock[0] += number / 10

    assert written == [["a", "b"], ["c", "d"], ["e"]]
    assert slept == pytest.approx([0, 0.1, 0.2])


@pytest.mark.django_db(transaction=True)
def test_statements_are_made_before_play_has_to_wait_and_insert_what_bulk_create_would():
    target = bank.question_set()
    arriving = [Arrival.of(value, None) for value in SAMPLES if not value.picture]
    locked, done = [], []

    def noted(execute, sql, *more):
        done.append(sql.split()[0])
        return execute(sql, *more)

    with connection.execute_wrapper(noted):
        ready = written(target, arriving, after=4, by=target.owner)
        locked.append(list(done))
        rows = briefly(ready.run)

    assert locked == [[]]
    assert done == ["BEGIN", "INSERT", "INSERT", "INSERT"]
    found = list(Question.objects.filter(set=target).order_by("position"))
    assert [row.position for row in found] == list(range(5, 5 + len(arriving)))
    plain = [field.attname for field in Question._meta.concrete_fields]
    assert [[getattr(row, name) for name in plain] for row in rows] == [
        [getattr(row, name) for name in plain] for row in found
    ]
    assert newest(found) == [one.value for one in arriving]
    assert not any(row._state.adding for row in rows)


@pytest.mark.django_db
def test_no_garbage_is_collected_while_others_wait_for_the_database():
    inside = briefly(gc.isenabled)

    assert (inside, gc.isenabled()) == (False, True)


@pytest.mark.django_db
def test_garbage_is_collected_again_after_a_fault():
    with pytest.raises(ZeroDivisionError):
        briefly(lambda: 1 // 0)

    assert gc.isenabled()
