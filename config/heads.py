"""The head of a request: no longer than a browser's, and with cookies that are quick to read.

A path or a cookie of 60,000 signs is no mistake. What looks at it in passing, such as a
pattern for log lines, must not be given the chance to hold everybody up.
"""

from __future__ import annotations

from typing import Any

from config.bodies import refuse

LARGEST = 16 * 1024  # bytes of address and headers; our own cookies are below 2,000
_SAID = b"This address or its headers are longer than anything that is taken here."


class BoundedHeads:
    """Wraps an application: refuses by the size of the head, on pages and on sockets."""

    def __init__(self, app: Any, largest: int = LARGEST) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if size(scope) <= self._largest:
            headers = [_plain(*header) for header in scope["headers"]]
            await self._app({**scope, "headers": headers}, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # before it was accepted: HTTP 403
        else:
            await refuse(send, 431, _SAID)


def size(scope: Any) -> int:
    """Bytes of address and headers."""
    address = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    return address + sum(len(name) + len(value) for name, value in scope["headers"])


def _plain(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """The header; of cookies only those without backslashes, which none of ours has.

    Before 3.11.10 and 3.12.6 Python takes time with the square of their number.
    """
    if name == b"cookie" and b"\\" in value:
        value = b";".join(one for one in value.split(b";") if b"\\" not in one)
    return name, value
