"""Files that never change, answered from memory.

When a bell rings hundreds of browsers ask for the same few dozen files. The first answer is
kept, and given again by the server's protocol itself (``config.protocol``) before there is a
task, a scope and a chain of applications for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings

Key = tuple[str, str, bool]  # path, scheme, packed or not
_ASKS_FOR_LESS = (b"range", b"if-none-match", b"if-modified-since")
_BRINGS_MORE = (b"content-length", b"transfer-encoding", b"expect")


class Answer(NamedTuple):
    """What was said the first time."""

    start: dict[str, Any]  # as ASGI says it
    body: bytes
    text: bytes  # headers and body as HTTP/1.1 says them, without what the server adds


Answers = dict[Key, Answer]

answers: Answers = {}  # of this process


class KeptFiles:
    """Answers files that never change from memory: exactly what was said the first time.

    Who asks for one that is just being read waits for that: when a bell rings after a start,
    all ask for the same files at once.
    """

    def __init__(self, app: Any, kept: Answers) -> None:
        self._app = app
        self._kept = kept
        self._reading: dict[Key, asyncio.Event] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        key = key_of(scope)
        if key is None:
            await self._app(scope, receive, send)
            return
        if key in self._reading:
            await self._reading[key].wait()
        if key in self._kept:
            start, body, _text = self._kept[key]
            await send(start)
            await send({"type": "http.response.body", "body": body})
        else:
            for message in await self._first(key, scope, receive):
                await send(message)

    async def _first(self, key: Key, scope: Any, receive: Any) -> list[dict[str, Any]]:
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

    def _keep(self, key: Key, said: list[dict[str, Any]]) -> None:
        start = next((one for one in said if one["type"] == "http.response.start"), {})
        headers = {name.lower(): value for name, value in start.get("headers", ())}
        never_changes = b"immutable" in headers.get(b"cache-control", b"").lower()
        whole = b"".join(one.get("body", b"") for one in said)
        if start.get("status") == 200 and never_changes and _is_whole(headers, whole):
            self._kept[key] = Answer(start, whole, _text(start, whole))


def key_of(scope: Mapping[str, Any]) -> Key | None:
    """What tells one answer from another. None: do not keep.

    A browser's usual request for a file, nothing else: no part, no question whether it is
    newer, no weights, no body. So there are four answers a file at most.
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
        if name in _ASKS_FOR_LESS or name in _BRINGS_MORE:
            return None
        if name == b"accept-encoding":
            if b"q=" in value:
                return None
            packed = packed or b"gzip" in value.lower()
    return path, scope["scheme"], packed


def _is_whole(headers: dict[bytes, bytes], body: bytes) -> bool:
    """Whether nothing broke off on the way."""
    return headers.get(b"content-length") == str(len(body)).encode()


def _text(start: dict[str, Any], body: bytes) -> bytes:
    lines = [b"%b: %b\r\n" % (name.lower(), value) for name, value in start["headers"]]
    return b"".join([*lines, b"\r\n", body])
