"""No request may be larger than the largest that the program takes.

Django puts a whole body on the disk before anybody looks at it, or at who sends it; so
whoever reaches the port could fill the disk. What is too large ends here.
"""

from __future__ import annotations

from typing import Any

LARGEST = 24 * 1024 * 1024  # an import of 20 MiB with its form around it
# Of a form without files. Undoing its percent signs costs 0.35 s a MiB at worst, before anybody
# has looked who sends it; the largest that is typed here is 200,000 letters of six bytes each.
LARGEST_TYPED = 3 * 1024 * 1024 // 2
TOO_LONG = "civictable.too_long"  # in the scope of a form whose body is kept from the program
_SAID = b"This is larger than anything that is taken here."


class BoundedBodies:
    """Wraps an application: refuses by the length that is told, ends what grows beyond it.

    A form that is typed gets its refusal from the application, as a page (``TOO_LONG``).
    """

    def __init__(
        self, app: Any, largest: int = LARGEST, largest_typed: int = LARGEST_TYPED
    ) -> None:
        self._app = app
        self._largest = largest
        self._largest_typed = largest_typed

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        told = next((v for k, v in scope["headers"] if k == b"content-length"), b"0")
        typed = any(k == b"content-type" and _is_typed(v) for k, v in scope["headers"])
        largest = self._largest_typed if typed else self._largest
        if not told.isdigit() or int(told) > self._largest:
            await refuse(send, 413, _SAID)
            return
        if int(told) > largest:
            await self._app({**scope, TOO_LONG: True}, _emptied(receive), send)
            return
        left = largest

        async def bounded() -> Any:
            nonlocal left
            message = await receive()
            if message["type"] == "http.request":
                left -= len(message.get("body", b""))
                if left < 0:
                    return {"type": "http.disconnect"}
            return message

        await self._app(scope, bounded, send)


def _emptied(receive: Any) -> Any:
    """As ``receive``, for a body of nothing: what arrives is dropped.

    Somebody who wrote too much still sends it while the answer is on its way. Browsers show no
    answer of a connection that is closed meanwhile.
    """
    is_first = True

    async def emptied() -> Any:
        nonlocal is_first
        if is_first:
            is_first = False
            return {"type": "http.request", "body": b"", "more_body": False}
        while (message := await receive())["type"] == "http.request":
            pass
        return message

    return emptied


def _is_typed(content_type: bytes) -> bool:
    """Whether Django will read the body as a form whose signs are written with percents."""
    return content_type.partition(b";")[0].strip().lower() == b"application/x-www-form-urlencoded"


async def refuse(send: Any, status: int, said: bytes) -> None:
    """Answer a request that no page is asked for, in a few plain words."""
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": said})
