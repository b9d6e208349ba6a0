"""Database reads of the live part, away from the event loop and from the writer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from games.live import connections

P = ParamSpec("P")
R = TypeVar("R")


class Reader:
    """Two threads, so that one slow query does not hold up all others."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(2, f"live-{name}", initializer=connections.keep)

    async def ask(self, question: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The answer of a function that reads the database."""

        def asked() -> R:
            try:
                return question(*args, **kwargs)
            finally:
                connections.let_go()

        return await asyncio.get_running_loop().run_in_executor(self._pool, asked)

    def stop(self) -> None:
        """Wait for what is asked, then end."""
        self._pool.shutdown()
