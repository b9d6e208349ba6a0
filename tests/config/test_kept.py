"""Files that never change are answered from memory, and only they."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from config.kept import KeptFiles
from tests.config.asking import answer_of

FILE = "/static/css/base.1234.css"
IMMUTABLE = (b"Cache-Control", b"max-age=315360000, public, immutable")


class Shop:
    """An application that counts how often it is asked, and answers what it is told to."""

    def __init__(self, *headers: tuple[bytes, bytes], status: int = 200) -> None:
        self.asked = 0
        self._start = {"type": "http.response.start", "status": status, "headers": list(headers)}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        await send(self._start)
        await send({"type": "http.response.body", "body": b"one ", "more_body": True})
        await send({"type": "http.response.body", "body": b"two"})


def _asked(shop: Shop, *requests: tuple[str, dict[str, Any]]) -> int:
    async def ask() -> None:
        kept = KeptFiles(shop, {})
        for address, how in requests:
            said = await answer_of(kept, address, **how)
            assert b"".join(message.get("body", b"") for message in said) == b"one two"
            assert said[0]["headers"]

    asyncio.run(ask())
    return shop.asked


def test_file_that_never_changes_is_read_once() -> None:
    shop = Shop(IMMUTABLE, (b"Content-Length", b"7"))

    assert _asked(shop, *[(FILE, {"accept_encoding": "gzip, deflate"})] * 3) == 1


@pytest.mark.parametrize(
    ("address", "how"),
    [
        ("/static/css/layout.1234.css", {}),
        (f"{FILE}?again", {}),
        (FILE, {"method": "HEAD"}),
        (FILE, {"range": "bytes=0-3"}),
        (FILE, {"if_none_match": '"1"'}),
        (FILE, {"if_modified_since": "Mon, 30 Nov 2026 09:00:00 GMT"}),
        (FILE, {"accept_encoding": "gzip"}),
        (FILE, {"accept_encoding": "gzip;q=0"}),
        (FILE, {"content_length": "3"}),
        ("/join/", {}),
    ],
)
def test_any_other_request_is_asked_anew(address: str, how: dict[str, Any]) -> None:
    shop = Shop(IMMUTABLE, (b"Content-Length", b"7"))

    assert _asked(shop, (FILE, {}), (address, how)) == 2


@pytest.mark.parametrize(
    "shop",
    [
        Shop((b"Cache-Control", b"max-age=60"), (b"Content-Length", b"7")),
        Shop(IMMUTABLE, (b"Content-Length", b"700")),  # it broke off
        Shop(IMMUTABLE, (b"Content-Length", b"7"), status=404),
    ],
    ids=["changes", "broken off", "not there"],
)
def test_what_may_change_or_is_not_whole_is_not_kept(shop: Shop) -> None:
    assert _asked(shop, (FILE, {}), (FILE, {})) == 2


class SlowShop(Shop):
    """One that takes its time to answer."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0.01)
        await super().__call__(scope, receive, send)


@pytest.mark.parametrize(
    ("shop", "asked"),
    [
        (SlowShop(IMMUTABLE, (b"Content-Length", b"7")), 1),
        (SlowShop(IMMUTABLE, (b"Content-Length", b"7"), status=404), 5),  # may be made for one
    ],
    ids=["file", "not there"],
)
def test_file_that_all_ask_for_at_once_is_read_once(shop: Shop, asked: int) -> None:
    async def ask() -> list[list[dict[str, Any]]]:
        kept = KeptFiles(shop, {})
        return await asyncio.gather(*(answer_of(kept, FILE) for _ in range(5)))

    said = asyncio.run(ask())

    assert [b"".join(one.get("body", b"") for one in answer) for answer in said] == [b"one two"] * 5
    assert shop.asked == asked


def test_file_that_could_not_be_read_is_tried_again() -> None:
    class Failing(SlowShop):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            if not self.asked:
                self.asked += 1
                raise OSError("too many open files")
            await super().__call__(scope, receive, send)

    shop = Failing(IMMUTABLE, (b"Content-Length", b"7"))

    async def ask() -> list[Any]:
        kept = KeptFiles(shop, {})
        asked = (answer_of(kept, FILE) for _ in range(2))
        return await asyncio.gather(*asked, return_exceptions=True)

    failed, second = asyncio.run(ask())

    assert isinstance(failed, OSError)
    assert second[0]["status"] == 200
