"""Pages and files on their way to the server, with as little work around them as can be.

When a bell rings hundreds of browsers ask for the same few files and for a page each.
Django's own handler lets each middleware change threads, twenty times a request, and runs
as many requests side by side as there are browsers: they wait for each other, for the
database's lock and for its connections.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from inspect import iscoroutinefunction
from typing import IO, Any, cast

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve, set_script_prefix

from games.live import connections

AT_ONCE = 8  # fewer than a database has connections for us (10); Python computes one at a time


class Pages(ASGIHandler):
    """Django, with one change of threads for a page; views that wait stay in the event loop."""

    def __init__(self) -> None:
        super().__init__()
        self._plain = BaseHandler()
        self._plain.load_middleware()
        self._free = asyncio.Semaphore(AT_ONCE)
        # Not asgiref's, which starts a thread for each request, and with it a connection.
        self._threads = ThreadPoolExecutor(AT_ONCE, "page", initializer=connections.keep)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if _stays_in_the_loop(scope["path"]):
            await super().handle(scope, receive, send)
            return
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        left = asyncio.ensure_future(receive())
        try:
            async with self._free:
                if left.done():  # nobody waits for this page any more
                    body.close()
                    return
                page = partial(contextvars.copy_context().run, self._page, scope, body)
                answer = await asyncio.get_running_loop().run_in_executor(self._threads, page)
        finally:
            left.cancel()
        for message in answer:
            await send(message)

    def _page(self, scope: Any, body: IO[bytes]) -> list[dict[str, Any]]:
        """The messages that answer a request; everything about a page happens in here."""
        with closing(body):
            set_script_prefix(get_script_prefix(scope))
            request_started.send(sender=self.__class__, scope=scope)
            request, refusal = self.create_request(scope, body)
            if request is None:
                response = cast("HttpResponseBase", refusal)
            else:
                response = self._plain.get_response(request)
            cast("Any", response)._handler_class = self.__class__  # who is said to have finished
            try:
                return _messages(response)
            finally:
                connections.let_go()
                response.close()


def _messages(response: HttpResponseBase) -> list[dict[str, Any]]:
    """A response in the words of ASGI; files that are sent as a download are read whole."""
    headers = [(name.encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
    headers += [
        (b"Set-Cookie", cookie.output(header="").encode("ascii").strip())
        for cookie in response.cookies.values()
    ]
    start = {"type": "http.response.start", "status": response.status_code, "headers": headers}
    body = b"".join(cast("Iterable[bytes]", response))
    return [start, {"type": "http.response.body", "body": body}]


def _stays_in_the_loop(path: str) -> bool:
    """Whether a request is for a file, or for a view that may wait long (``games.live.now``)."""
    if path.startswith(settings.STATIC_URL):
        return True
    try:
        return iscoroutinefunction(resolve(path).func)
    except Resolver404:
        return False


Kept = tuple[dict[str, Any], bytes]  # the start of an answer, and its body


class KeptFiles:
    """Answers files that never change from memory: exactly what was said the first time.

    Who asks for one that is just being read waits for that: when a bell rings after a start,
    all ask for the same files at once.
    """

    def __init__(self, app: Any) -> None:
        self._app = app
        self._kept: dict[tuple[str, str, bool], Kept] = {}
        self._reading: dict[tuple[str, str, bool], asyncio.Event] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        key = _key(scope)
        if key is None:
            await self._app(scope, receive, send)
            return
        if key in self._reading:
            await self._reading[key].wait()
        if key in self._kept:
            start, body = self._kept[key]
            await send(start)
            await send({"type": "http.response.body", "body": body})
        else:
            for message in await self._first(key, scope, receive):
                await send(message)

    async def _first(
        self, key: tuple[str, str, bool], scope: Any, receive: Any
    ) -> list[dict[str, Any]]:
        """The whole answer, heard before it is sent: nobody waits for another one's line."""
        said: list[dict[str, Any]] = []

        async def heard(message: dict[str, Any]) -> None:
            said.append(message)

        reading = self._reading.setdefault(key, asyncio.Event())
        try:
            await self._app(scope, receive, heard)
            self._keep(key, said)
        finally:
            reading.set()
            self._reading.pop(key, None)
        return said

    def _keep(self, key: tuple[str, str, bool], said: list[dict[str, Any]]) -> None:
        start = next((one for one in said if one["type"] == "http.response.start"), {})
        headers = {name.lower(): value for name, value in start.get("headers", ())}
        never_changes = b"immutable" in headers.get(b"cache-control", b"").lower()
        whole = b"".join(one.get("body", b"") for one in said)
        if start.get("status") == 200 and never_changes and _is_whole(headers, whole):
            self._kept[key] = start, whole


def _key(scope: Any) -> tuple[str, str, bool] | None:
    """What tells one answer from another: path, scheme, packed or not. None: do not keep.

    A browser's usual request for a file, nothing else: no part, no question whether it is
    newer, no weights. So there are four answers a file at most.
    """
    path = scope["path"]
    if (
        scope["method"] != "GET"
        or scope["query_string"]
        or not path.startswith(settings.STATIC_URL)
    ):
        return None
    packed = False
    for name, value in scope["headers"]:
        if name in (b"range", b"if-none-match", b"if-modified-since"):
            return None
        if name == b"accept-encoding":
            if b"q=" in value:
                return None
            packed = packed or b"gzip" in value.lower()
    return path, scope["scheme"], packed


def _is_whole(headers: dict[bytes, bytes], body: bytes) -> bool:
    """Whether nothing broke off on the way."""
    return headers.get(b"content-length") == str(len(body)).encode()
