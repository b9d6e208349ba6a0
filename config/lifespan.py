"""The life of a web process: what must be there before it serves, and what ends with it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any

from django.conf import settings

from launcher.locks import FileLock, Held

notice = logging.getLogger("civictable.notice")

Part = Callable[[], AbstractAsyncContextManager[None]]


class Refused(Exception):
    """The process must not serve. The message says why and what to do."""


@asynccontextmanager
async def only_web_process() -> AsyncIterator[None]:
    """Hold the data folder against a second web process (case CC-15).

    Without Redis the processes could not tell each other about moves.

    Raises:
        Refused: there is one already.
    """
    if settings.REDIS_URL:
        yield
        return
    lock = FileLock(settings.DATA / "web.lock")
    try:
        lock.acquire()
    except Held:
        raise Refused(
            "A web server already runs with this data folder. Several need Redis, so that they "
            "can tell each other about moves: set REDIS_URL."
        ) from None
    try:
        yield
    finally:
        lock.release()


class Lifespan:
    """Answers the server's ``lifespan`` messages; enters the parts in order, leaves in reverse."""

    def __init__(self, parts: Sequence[Part] = ()) -> None:
        self._parts = (only_web_process, *parts)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        stack = AsyncExitStack()
        await receive()  # lifespan.startup
        try:
            for part in self._parts:
                await stack.enter_async_context(part())
        except Refused as refused:
            await stack.aclose()
            notice.error("%s", refused)
            await send({"type": "lifespan.startup.failed", "message": str(refused)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()  # lifespan.shutdown
        await stack.aclose()
        await send({"type": "lifespan.shutdown.complete"})
