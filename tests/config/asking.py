"""Requests as a web server hands them to an application."""

from __future__ import annotations

import asyncio
from typing import Any


def request_of(address: str, *, method: str = "GET", **headers: str) -> dict[str, Any]:
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


async def answer_of(
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

    await app(request_of(address, **how), receive, send)
    return said
