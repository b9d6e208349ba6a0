"""How pages come to the server: with as few threads as can be."""

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
from config.pages import Pages
from tests.config.asking import answer_of

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
        said = await answer_of(Pages(), "/where/")
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
        said = await answer_of(Pages(), "/waiting/")
        assert said[1]["body"] == b"waited"
        return threading.get_ident()

    loop = asyncio.run(ask())

    assert _here == [loop]


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_so_many_pages_are_made_at_once_and_the_others_wait() -> None:
    async def ask() -> list[list[dict[str, Any]]]:
        app = Pages()
        asked = [asyncio.create_task(answer_of(app, "/crowded/")) for _ in range(pages.AT_ONCE * 3)]
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
        asked = asyncio.create_task(answer_of(app, "/where/", left=left))
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
        return [await answer_of(app, "/stored/") for _ in range(3 * pages.AT_ONCE)]

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
        said = asyncio.run(answer_of(Pages(), "/sent/", method="POST", body=b"word=bell", **form))
    finally:
        request_started.disconnect(started)
        request_finished.disconnect(finished)

    assert said[1]["body"] == b"bell"
    assert heard == ["started", "finished"]


@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
def test_download_is_sent_whole() -> None:
    said = asyncio.run(answer_of(Pages(), "/download/"))

    assert b"".join(message.get("body", b"") for message in said) == b"piece " * 100_000
