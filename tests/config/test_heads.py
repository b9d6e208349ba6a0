"""A head that no browser sends ends before anybody looks at it."""

from __future__ import annotations

from http.cookies import SimpleCookie
from typing import Any

import pytest

from config.heads import LARGEST, BoundedHeads


class Program:
    """Remembers what it was asked."""

    asked: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked = scope


async def answers(program: Program, **scope: Any) -> list[Any]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    usual = {"type": "http", "raw_path": b"/", "query_string": b"", "headers": []}
    await BoundedHeads(program)({**usual, **scope}, None, send)
    return sent


@pytest.mark.case("WS-09")
@pytest.mark.parametrize(
    "scope",
    [
        {"raw_path": b"/" + b"a" * LARGEST},
        {"query_string": b"a" * (LARGEST + 1)},
        {"headers": [(b"cookie", b"a" * LARGEST)]},
        {"headers": [(b"x", b"a" * 100)] * 200},
    ],
)
async def test_head_that_is_too_long_is_refused_unread(scope: Any) -> None:
    program = Program()

    page = await answers(program, **scope)
    socket = await answers(program, type="websocket", **scope)

    assert (program.asked, page[0]["status"]) == (None, 431)
    assert socket == [{"type": "websocket.close"}]


@pytest.mark.case("WS-09")
async def test_cookies_with_backslashes_are_left_out_and_others_stay() -> None:
    program = Program()
    foreign = b'a="' + b'\\"' * 50 + b'"'
    headers = [(b"cookie", foreign + b"; sessionid=abc"), (b"x", b"\\")]

    assert await answers(program, headers=headers) == []

    (_name, cookies), other = program.asked["headers"]
    assert (b"\\" in cookies, other) == (False, (b"x", b"\\"))
    assert SimpleCookie(cookies.decode())["sessionid"].value == "abc"
