"""A refusal becomes an answer in one place."""

from __future__ import annotations

import json
import sqlite3

import psycopg
import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory

from classroom.errors import Busy, DomainError, NotThere, TooFast
from classroom.middleware import DomainErrorMiddleware, answer


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({"accept": "text/html"}, "text/html"),
        ({"accept": "*/*"}, "text/html"),
        ({"accept": "*/*", "hx-request": "true"}, "text/html"),
        ({"accept": "application/json"}, "application/json"),
    ],
)
@pytest.mark.parametrize("refusal", [NotThere(), TooFast(), DomainError("No.", code="no")])
def test_refusal_is_answered_in_the_kind_that_was_asked_for(headers, kind, refusal):
    request = RequestFactory().get("/", headers=headers)

    reply = answer(request, refusal)

    assert reply.status_code == refusal.status
    assert reply.headers["Content-Type"].startswith(kind)
    text = json.loads(reply.content)["message"] if "json" in kind else reply.content.decode()
    assert str(refusal.message) in text


def test_htmx_gets_a_part_and_a_reader_a_whole_page():
    part = answer(RequestFactory().get("/", headers={"hx-request": "true"}), NotThere())
    page = answer(RequestFactory().get("/"), NotThere())

    assert b"<html" not in part.content
    assert b"<html" in page.content


def test_code_of_a_refusal_is_in_the_json():
    request = RequestFactory().get("/", headers={"accept": "application/json"})

    assert json.loads(answer(request, NotThere()).content)["code"] == "not_found"


@pytest.mark.parametrize(
    ("before", "offered"),
    [
        ("http://testserver/lessons/1/", True),
        ("http://elsewhere.example/lessons/1/", False),
        ("javascript:alert(1)", False),
        ("", False),
    ],
)
def test_the_way_back_leads_to_a_page_of_this_site_only(before, offered):
    request = RequestFactory().post("/lessons/1/start/", headers={"referer": before})

    page = answer(request, DomainError("Nobody is here yet.")).content.decode()

    assert ("Back</a>" in page) is offered
    assert ("elsewhere" in page or "alert(1)" in page) is False


def test_other_errors_are_left_alone():
    middleware = DomainErrorMiddleware(lambda request: None)

    assert middleware.process_exception(RequestFactory().get("/"), ZeroDivisionError()) is None


def _from(cause: Exception) -> OperationalError:
    """As Django passes on an error of the database."""
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


@pytest.mark.case("CC-11", "CC-12")
@pytest.mark.parametrize(
    "cause",
    [
        sqlite3.OperationalError("database is locked"),
        sqlite3.OperationalError("database or disk is full"),
        psycopg.errors.DeadlockDetected("deadlock detected"),
        psycopg.errors.LockNotAvailable("canceling statement due to lock timeout"),
        psycopg.OperationalError("connection refused"),
    ],
)
def test_database_that_has_no_time_is_busy(cause):
    request = RequestFactory().post("/classes/")

    reply = DomainErrorMiddleware(lambda _request: None).process_exception(request, _from(cause))

    assert reply.status_code == 503
    assert str(Busy.message) in reply.content.decode()


@pytest.mark.parametrize(
    "error", [_from(sqlite3.OperationalError("no such table: games")), ValueError("no database")]
)
def test_mistake_of_ours_stays_one(error):
    request = RequestFactory().post("/classes/")

    assert DomainErrorMiddleware(lambda _request: None).process_exception(request, error) is None


@pytest.mark.django_db
def test_a_part_of_a_page_leads_to_the_whole_log_in_and_back():
    page = "http://testserver/classes/7/?page=2"
    headers = {"hx-request": "true", "hx-current-url": page}

    answer = Client().get("/classes/", headers=headers)

    assert answer.headers["HX-Redirect"] == "/accounts/login/?next=/classes/7/"
    assert answer.content == b""
