"""A session's new id: one transaction, and never two ids that hold."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from classroom.errors import Busy
from config.sessions import SessionStore
from tests.factories import people
from tests.games.world import BACKEND

pytestmark = pytest.mark.django_db


def _stored(**data: str) -> str:
    session = SessionStore()
    session.update(data)
    session.save()
    return str(session.session_key)


def _keys() -> set[str]:
    return set(Session.objects.values_list("session_key", flat=True))


def test_session_goes_on_under_its_new_id() -> None:
    old = _stored(name="Ana")
    session = SessionStore(old)

    session.cycle_key()
    session["seat"] = "1"
    session.save()

    assert session.session_key != old
    assert _keys() == {session.session_key}
    assert dict(SessionStore(session.session_key).items()) == {"name": "Ana", "seat": "1"}


def test_old_id_holds_until_the_session_is_saved() -> None:
    old = _stored(name="Ana")

    SessionStore(old).cycle_key()  # and the answer never comes

    assert _keys() == {old}


def test_session_that_was_never_stored_gets_one_row() -> None:
    session = SessionStore()
    session["name"] = "Ana"

    session.cycle_key()
    session.save()

    assert _keys() == {session.session_key}


def test_two_new_ids_in_one_request_leave_one() -> None:
    session = SessionStore(_stored(name="Ana"))

    session.cycle_key()
    session.cycle_key()
    session.save()

    assert _keys() == {session.session_key}


def test_saved_session_is_changed_in_its_place() -> None:
    session = SessionStore(_stored(name="Ana"))
    session.cycle_key()
    session.save()
    key = session.session_key

    session["name"] = "Ben"
    session.save()

    assert _keys() == {key}
    assert SessionStore(key)["name"] == "Ben"


def test_forgetting_a_session_forgets_its_old_id() -> None:
    session = SessionStore(_stored(name="Ana"))
    session.cycle_key()

    session.flush()

    assert _keys() == set()
    assert session.session_key is None


def test_new_id_costs_one_transaction() -> None:
    session = SessionStore(_stored(name="Ana"))
    assert session["name"] == "Ana"

    with CaptureQueriesContext(connection) as asked:
        session.cycle_key()
        session.save()

    verbs = [query["sql"].split()[0] for query in asked if "SAVEPOINT" not in query["sql"]]
    assert verbs == ["INSERT", "DELETE"]


@pytest.mark.case("CC-12")
def test_session_for_which_the_database_has_no_time_is_no_fault_of_ours(settings) -> None:
    """A page is shown all the same; who has sent a form reads that it is to be sent again."""
    settings.IDLE_S = 7200  # so that pages note when they were used
    teacher, browser = people.teacher(), Client(raise_request_exception=False)
    form = {"login": teacher.email, "password": people.PASSWORD}

    def locked(execute: Any, sql: str, *more: Any) -> Any:
        if "django_session" in sql and not sql.startswith("SELECT"):
            raise OperationalError("database is locked") from sqlite3.OperationalError()
        return execute(sql, *more)

    with connection.execute_wrapper(locked):
        sent = browser.post("/accounts/login/", form)
    browser.force_login(teacher, backend=BACKEND)
    with connection.execute_wrapper(locked):
        shown = browser.get("/classes/")

    assert sent.status_code == 503
    assert str(Busy.message) in sent.content.decode()
    assert shown.status_code == 200
    assert browser.post("/accounts/login/", form).status_code == 302
