"""A body that is too large ends before anybody keeps it."""

from __future__ import annotations

from typing import Any

import pytest

from config.bodies import BoundedBodies

LARGEST = 1_000


class Program:
    """Reads a body to its end, as Django does."""

    def __init__(self) -> None:
        self.read = 0
        self.aborted = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.aborted = True
                return
            self.read += len(message["body"])
            if not message["more_body"]:
                await send({"type": "http.response.start", "status": 200, "headers": []})
                return


async def answers(program: Program, headers: list[Any], pieces: int) -> list[Any]:
    sent: list[Any] = []
    waiting = [
        {"type": "http.request", "body": b"x" * 400, "more_body": place < pieces - 1}
        for place in range(pieces)
    ]

    async def receive() -> Any:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "headers": headers}
    await BoundedBodies(program, LARGEST)(scope, receive, send)
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
