"""What is done again when the database ended it, and what is not."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import psycopg
import pytest
from django.db import OperationalError, transaction

from classroom import transactions
from classroom.models import Teacher
from classroom.transactions import patient, whole

LOCKED = sqlite3.OperationalError("database is locked")
DEADLOCK = psycopg.errors.DeadlockDetected("deadlock detected")
MISTAKE = sqlite3.OperationalError("no such table: games")


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(transactions, "STEP_ASIDE_S", 0)


def failing(cause: Exception, *, times: int) -> Callable[[], int]:
    """An act that makes an account, and fails so often after that; it tells its tries."""
    tries = 0

    def act() -> int:
        nonlocal tries
        tries += 1
        Teacher.objects.create(email=f"{tries}@school.example", name="T")
        if tries <= times:
            raise OperationalError(str(cause)) from cause
        return tries

    return act


@pytest.mark.django_db(transaction=True)
@pytest.mark.case("CC-11")
@pytest.mark.parametrize(
    ("kind", "cause"), [(whole, DEADLOCK), (patient, DEADLOCK), (patient, LOCKED)]
)
def test_act_is_done_again_and_leaves_one_trace(kind, cause):
    assert kind(failing(cause, times=2))() == 3

    assert list(Teacher.objects.values_list("email", flat=True)) == ["3@school.example"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.case("CC-11")
@pytest.mark.parametrize(
    ("kind", "cause", "times"),
    [
        (whole, DEADLOCK, 3),  # again and again
        (patient, LOCKED, 3),
        (whole, LOCKED, 1),  # three seconds were waited for it; the page says "busy"
        (whole, MISTAKE, 1),
        (patient, MISTAKE, 1),
    ],
)
def test_act_that_is_given_up_leaves_none(kind, cause, times):
    act = failing(cause, times=times)

    with pytest.raises(OperationalError):
        kind(act)()

    assert not Teacher.objects.exists()
    assert act() == times + 1  # it was tried no more often


@pytest.mark.django_db(transaction=True)
@pytest.mark.case("CC-11")
def test_part_of_a_transaction_is_not_done_again_by_itself():
    act = failing(DEADLOCK, times=1)

    with pytest.raises(OperationalError), transaction.atomic():
        patient(act)()

    assert act() == 2
