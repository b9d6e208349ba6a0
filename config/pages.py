"""Pages on their way to the server, with as little work around them as can be.

When a bell rings hundreds of browsers ask for a page each (for files see ``config.kept``).
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
