"""A log may be shown to a helper: it names nobody and opens nothing."""

from __future__ import annotations

import logging
import sys
import time
from datetime import datetime
from types import SimpleNamespace

import pytest

from config.logs import Line, Seldom, without_names


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
        (
            "Gone: /accounts/confirm-email/MTI:1abc:xyz0123456789/",
            "Gone: /accounts/confirm-email/…/",
        ),
        ("What is this? a=b", "What is this? a=b"),
        ("sent to a@b.example,c.d@e.example and to f@g", "sent to …@…,…@… and to f@g"),
        ("GET /a?b?c=d?e is /a?b", "GET /a?… is /a?b"),
        ("move 17 of match 4 took 3 ms", "move 17 of match 4 took 3 ms"),
    ],
)
def test_names_and_secrets_are_cut_out(line, shown):
    assert without_names(line) == shown


@pytest.mark.case("WS-09")
@pytest.mark.parametrize("part", ["a", "a?", "a@", "a.", "?=", "/screen/"])
def test_long_line_is_cut_in_no_time(part):
    line = "Not Found: /" + part * (60_000 // len(part))
    began = time.process_time()

    without_names(line)

    assert time.process_time() - began < 1  # with the square of its length: 20 seconds


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


def line_of(message: str, *values: object) -> str:
    return Line().format(
        logging.getLogger("x").makeRecord("x", logging.INFO, "f", 1, message, values, None)
    )


@pytest.mark.case("AZ-12")
@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/a\n2026-01-01 INFO x all is well", "/a\n  2026-01-01 INFO x all is well"),
        ("/a\r\x1b[2J", "/a\\r\\x1b[2J"),
        ("/a\u2028b\u202ec", "/a\\u2028b\\u202ec"),
        ("/école/صف/", "/école/صف/"),
    ],
)
def test_what_somebody_typed_makes_no_line_of_its_own(path, shown):
    assert line_of("Not Found: %s", path).endswith(f" INFO x Not Found: {shown}")


def test_line_says_when_with_the_offset():
    stamp = line_of("move 17 took 3 ms").partition(" INFO ")[0]

    assert datetime.fromisoformat(stamp).utcoffset() is not None


def test_library_that_cannot_reach_redis_says_so_once_a_minute(caplog, monkeypatch):
    now = time.monotonic()
    monkeypatch.setattr("config.logs.time", SimpleNamespace(monotonic=lambda: now))
    seldom = Seldom()
    lines = []

    def fail() -> logging.LogRecord:
        try:
            raise ConnectionError("refused")
        except ConnectionError:
            return logging.LogRecord(
                "channels_redis.pubsub", logging.ERROR, "", 0, "Failed", (), sys.exc_info()
            )

    for second in range(90):
        record = fail()
        if seldom.filter(record):
            lines.append((second, Line().format(record).partition("pubsub ")[2]))
        now += 1

    assert lines == [
        (0, "Failed: ConnectionError('refused')"),
        (60, "Failed: ConnectionError('refused')"),
    ]


@pytest.mark.parametrize("name", ["channels_redis.pubsub", "games.live.hints", "civictable.notice"])
def test_what_is_said_again_and_again_is_said_seldom(name):
    assert [type(one) for one in logging.getLogger(name).filters] == [Seldom]


def test_what_was_said_long_ago_is_not_remembered(monkeypatch):
    now = time.monotonic()
    monkeypatch.setattr("config.logs.time", SimpleNamespace(monotonic=lambda: now))
    seldom = Seldom()

    for number in range(1_000):
        assert seldom.filter(logging.LogRecord("x", logging.WARNING, "", 0, str(number), (), None))
        now += 1

    assert len(seldom._said_at) <= Seldom.EVERY_S + 1
