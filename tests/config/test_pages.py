"""How pages and files come to the server: as few threads as can be, files from memory."""

from __future__ import annotations

import asyncio
import threading
from io import BytesIO
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import connection
from django.db.backends.signals import connection_created
from django.http import FileResponse, HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path

from config import pages
from config.pages import KeptFiles, Pages

FILE = "/static/css/base.1234.css"
IMMUTABLE = (b"Cache-Control", b"max-age=315360000, public, immutable")


def _scope(address: str, *, method: str = "GET", **headers: str) -> dict[str, Any]:
    where, _mark, query = address.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "path": where,
        "raw_path": where.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": query.encode(),
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
        "headers": [(b"host", b"localhost")]
        + [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }


async def _answer(
    app: Any, address: str, *, body: bytes = b"", left: asyncio.Event | None = None, **how: Any
) -> list[dict[str, Any]]:
    """What is said to a browser, until it has ``left``."""
    said: list[dict[str, Any]] = []
    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if asked:
            await (left or asyncio.Event()).wait()
            return {"type": "http.disconnect"}
        asked = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        said.append(message)

    await app(_scope(address, **how), receive, send)
    return said


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
        kept = KeptFiles(shop)
        for address, how in requests:
            said = await _answer(kept, address, **how)
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
        kept = KeptFiles(shop)
        return await asyncio.gather(*(_answer(kept, FILE) for _ in range(5)))

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
        kept = KeptFiles(shop)
        asked = (_answer(kept, FILE) for _ in range(2))
        return await asyncio.gather(*asked, return_exceptions=True)

    failed, second = asyncio.run(ask())

    assert isinstance(failed, OSError)
    assert second[0]["status"] == 200


# -- pages ---------------------------------------------------------------------------------------

_here: list[int] = []
_inside = threading.Semaphore(0)
_go_on = threading.Event()
_inside_now: list[int] = []  # how many were in there, each time somebody came
_places: set[int] = set()
_count = threading.Lock()


def where(request: HttpRequest) -> HttpResponse:
    """A page that notes its thread."""
    _here.append(threading.get_ident())
    return HttpResponse("here")


def crowded(request: HttpRequest) -> HttpResponse:
    """How many are in here at once."""
    with _count:
        _places.add(threading.get_ident())
        _inside_now.append(len(_places))
    _inside.release()
    _go_on.wait(10)
    with _count:
        _places.discard(threading.get_ident())
    return HttpResponse("done")


async def waiting(request: HttpRequest) -> HttpResponse:
    """A long poll."""
    _here.append(threading.get_ident())
    await asyncio.sleep(0)
    return HttpResponse("waited")


class Noting:
    """A middleware that notes its thread."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        _here.append(threading.get_ident())
        return self.get_response(request)


def stored(request: HttpRequest) -> HttpResponse:
    """A page that asks the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("stored")


def sent(request: HttpRequest) -> HttpResponse:
    """A form."""
    return HttpResponse(request.POST["word"])


def download(request: HttpRequest) -> FileResponse:
    """A file of more than one piece."""
    return FileResponse(BytesIO(b"piece " * 100_000), filename="pieces.txt")


urlpatterns = [
    path("where/", where),
    path("crowded/", crowded),
    path("waiting/", waiting),
    path("stored/", stored),
    path("sent/", sent),
    path("download/", download),
]


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[f"{__name__}.Noting"] * 3)
def test_page_and_its_middleware_share_a_thread() -> None:
    _here.clear()

    async def ask() -> int:
        said = await _answer(Pages(), "/where/")
        assert said[0]["status"] == 200
        return threading.get_ident()

    loop = asyncio.run(ask())

    assert len(_here) == 4
    assert len(set(_here)) == 1
    assert _here[0] != loop


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_view_that_waits_holds_no_thread() -> None:
    _here.clear()

    async def ask() -> int:
        said = await _answer(Pages(), "/waiting/")
        assert said[1]["body"] == b"waited"
        return threading.get_ident()

    loop = asyncio.run(ask())

    assert _here == [loop]


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_so_many_pages_are_made_at_once_and_the_others_wait() -> None:
    async def ask() -> list[list[dict[str, Any]]]:
        app = Pages()
        asked = [asyncio.create_task(_answer(app, "/crowded/")) for _ in range(pages.AT_ONCE * 3)]
        for _ in range(pages.AT_ONCE):
            await asyncio.to_thread(_inside.acquire, timeout=10)
        _go_on.set()
        return await asyncio.gather(*asked)

    said = asyncio.run(ask())

    assert [answer[0]["status"] for answer in said] == [200] * pages.AT_ONCE * 3
    assert max(_inside_now) == pages.AT_ONCE


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_page_that_nobody_waits_for_any_more_is_not_made() -> None:
    _here.clear()

    async def ask() -> list[dict[str, Any]]:
        app, left = Pages(), asyncio.Event()
        for _ in range(pages.AT_ONCE):
            await app._free.acquire()
        asked = asyncio.create_task(_answer(app, "/where/", left=left))
        await asyncio.sleep(0)
        left.set()
        await asyncio.sleep(0.01)
        for _ in range(pages.AT_ONCE):
            app._free.release()
        return await asked

    assert asyncio.run(ask()) == []
    assert _here == []


@pytest.mark.django_db(transaction=True)
@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_pages_go_on_with_a_connection_to_sqlite() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("a pool keeps the connections to PostgreSQL")
    opened: list[object] = []

    def noted(**about: Any) -> None:
        opened.append(about["connection"])

    async def ask() -> list[list[dict[str, Any]]]:
        app = Pages()
        return [await _answer(app, "/stored/") for _ in range(3 * pages.AT_ONCE)]

    connection_created.connect(noted)
    try:
        said = asyncio.run(ask())
    finally:
        connection_created.disconnect(noted)

    assert [answer[1]["body"] for answer in said] == [b"stored"] * 3 * pages.AT_ONCE
    assert 1 <= len(opened) <= pages.AT_ONCE


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_form_is_read_and_the_signals_of_a_request_are_sent_once() -> None:
    heard: list[str] = []

    def started(**_about: Any) -> None:
        heard.append("started")

    def finished(**_about: Any) -> None:
        heard.append("finished")

    request_started.connect(started)
    request_finished.connect(finished)
    form = {"content_type": "application/x-www-form-urlencoded", "content_length": "9"}
    try:
        said = asyncio.run(_answer(Pages(), "/sent/", method="POST", body=b"word=bell", **form))
    finally:
        request_started.disconnect(started)
        request_finished.disconnect(finished)

    assert said[1]["body"] == b"bell"
    assert heard == ["started", "finished"]


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_download_is_sent_whole() -> None:
    said = asyncio.run(_answer(Pages(), "/download/"))

    assert b"".join(message.get("body", b"") for message in said) == b"piece " * 100_000
