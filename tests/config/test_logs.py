"""A log may be shown to a helper: it names nobody and opens nothing."""

from __future__ import annotations

import logging

import pytest

from config.logs import Line, without_names


@pytest.mark.case("AZ-12", "PV-07")
@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (
            "Not Found: /accounts/invitation/Ab3_xyz-1234567890/",
            "Not Found: /accounts/invitation/…/",
        ),
        ("GET /join/?code=KQ7P4M&name=Ana HTTP/1.1", "GET /join/?… HTTP/1.1"),
        ("login of ana.b+x@school.example failed", "login of …@… failed"),
        ("/lessons/1f/screen/eyJsIjoiMSJ9:1abc:xyz/", "/lessons/1f/screen/…/"),
        (
            "Forbidden: /accounts/password/reset/key/1-c9x7ab-0123456789/",
            "Forbidden: /accounts/password/reset/key/…/",
        ),
        ("What is this? a=b", "What is this? a=b"),
        ("move 17 of match 4 took 3 ms", "move 17 of match 4 took 3 ms"),
    ],
)
def test_names_and_secrets_are_cut_out(line, shown):
    assert without_names(line) == shown


@pytest.mark.case("AZ-12", "PV-07")
def test_tracebacks_are_cut_as_well():
    try:
        raise ValueError("no account ana@school.example")
    except ValueError:
        record = logging.getLogger("x").makeRecord(
            "x", logging.ERROR, "f", 1, "failed", (), __import__("sys").exc_info()
        )

    text = Line().format(record)

    assert "ana@school.example" not in text
    assert "ValueError: no account …@…" in text


@pytest.mark.case("WS-09")
@pytest.mark.parametrize(("logger", "traceback"), [("uvicorn.error", False), ("games.live", True)])
def test_bytes_that_are_no_text_leave_a_line_and_no_traceback(logger, traceback):
    try:
        b"\xff".decode()
    except UnicodeDecodeError:
        record = logging.getLogger(logger).makeRecord(
            logger, logging.ERROR, "f", 1, "Invalid UTF-8", (), __import__("sys").exc_info()
        )

    assert ("Traceback" in Line().format(record)) is traceback
