"""A body that is too large ends before anybody keeps it."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from config import bodies
from config.bodies import TOO_LONG, BoundedBodies
from quizzes.entries import LONGEST

LARGEST = 1_000
LARGEST_TYPED = 500


class Program:
    """Reads a body to its end, as Django does."""

    def __init__(self) -> None:
        self.read = 0
        self.aborted = False
        self.too_long = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.too_long = TOO_LONG in scope
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.aborted = True
                return
            self.read += len(message["body"])
            if not message["more_body"]:
                await send({"type": "http.response.start", "status": 200, "headers": []})
                self.aborted = (await receive())["type"] == "http.disconnect"
                return


async def answers(program: Program, headers: list[Any], pieces: int) -> list[Any]:
    sent: list[Any] = []
    waiting = [
        {"type": "http.request", "body": b"x" * 400, "more_body": place < pieces - 1}
        for place in range(pieces)
    ]

    async def receive() -> Any:
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "headers": headers}
    await BoundedBodies(program, LARGEST, LARGEST_TYPED)(scope, receive, send)
    return sent


async def test_body_that_fits_is_read() -> None:
    program = Program()

    sent = await answers(program, [(b"content-length", b"800")], 2)

    assert (program.read, sent[0]["status"]) == (800, 200)


@pytest.mark.case("UP-14")
@pytest.mark.parametrize("told", [b"1001", b"99999999999", b"-1", b"1e3"])
async def test_length_that_is_too_large_or_none_is_refused_unread(told: bytes) -> None:
    program = Program()

    sent = await answers(program, [(b"content-length", told)], 9)

    assert (program.read, sent[0]["status"]) == (0, 413)


@pytest.mark.case("UP-14")
async def test_body_without_a_length_ends_where_it_grows_too_large() -> None:
    program = Program()

    await answers(program, [(b"transfer-encoding", b"chunked")], 50)

    assert program.aborted
    assert program.read <= LARGEST


@pytest.mark.case("UP-14")
@pytest.mark.parametrize("also", [b"", b"; charset=utf-8"])
async def test_form_without_files_is_bounded_more_tightly(also: bytes) -> None:
    """Its percent signs are undone before anybody has looked who sends it."""
    typed = (b"content-type", b"Application/x-www-form-urlencoded" + also)
    files = (b"content-type", b"multipart/form-data; boundary=x")
    told, grown, file = Program(), Program(), Program()

    await answers(told, [typed, (b"content-length", b"501")], 3)
    largest = await answers(Program(), [typed, (b"content-length", b"1001")], 1)
    await answers(grown, [typed], 50)
    taken = await answers(file, [files, (b"content-length", b"800")], 2)

    assert (told.too_long, told.read, told.aborted) == (True, 0, True)
    assert (file.too_long, largest[0]["status"]) == (False, 413)
    assert grown.aborted
    assert grown.read <= LARGEST_TYPED
    assert (file.read, taken[0]["status"]) == (800, 200)


@pytest.mark.case("UP-14")
def test_what_may_be_typed_fits_and_costs_less_than_a_second() -> None:
    typed = urlencode({"text": "م" * LONGEST}).encode()

    began = time.process_time()
    QueryDict(b"text=" + b"%" * bodies.LARGEST_TYPED)

    assert len(typed) < bodies.LARGEST_TYPED
    assert time.process_time() - began < 3  # 0.5 s where nothing else runs
