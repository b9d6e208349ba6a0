"""No request may be larger than the largest that the program takes.

Django puts a whole body on the disk before anybody looks at it, or at who sends it; so
whoever reaches the port could fill the disk. What is too large ends here.
"""

from __future__ import annotations

from typing import Any

LARGEST = 24 * 1024 * 1024  # an import of 20 MiB with its form around it
_SAID = b"This is larger than anything that is taken here."


class BoundedBodies:
    """Wraps an application: refuses by the length that is told, ends what grows beyond it."""

    def __init__(self, app: Any, largest: int = LARGEST) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        told = next((v for k, v in scope["headers"] if k == b"content-length"), b"0")
        if not told.isdigit() or int(told) > self._largest:
            await self._refuse(send)
            return
        left = self._largest

        async def bounded() -> Any:
            nonlocal left
            message = await receive()
            if message["type"] == "http.request":
                left -= len(message.get("body", b""))
                if left < 0:
                    return {"type": "http.disconnect"}
            return message

        await self._app(scope, bounded, send)

    async def _refuse(self, send: Any) -> None:
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
            (b"x-content-type-options", b"nosniff"),
            (b"cache-control", b"no-store"),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": _SAID})
