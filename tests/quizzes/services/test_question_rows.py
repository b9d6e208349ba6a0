"""The rows of new questions."""

from __future__ import annotations

import pytest
from django.db import connection

from quizzes.models import Question
from quizzes.selectors.questions import newest
from quizzes.services.pacing import briefly
from quizzes.services.question_rows import Arrival, written
from tests.factories import bank
from tests.quizzes.formats.samples import SAMPLES


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
