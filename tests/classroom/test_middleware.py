"""A refusal becomes an answer in one place."""

from __future__ import annotations

import json

import pytest
from django.test import RequestFactory

from classroom.errors import DomainError, NotThere, TooFast
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


def test_other_errors_are_left_alone():
    middleware = DomainErrorMiddleware(lambda request: None)

    assert middleware.process_exception(RequestFactory().get("/"), ZeroDivisionError()) is None
