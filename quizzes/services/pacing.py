"""Much is written in pieces, so that no play waits for it (docs/architecture.md)."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from classroom.transactions import whole

PIECE = 60  # questions of one transaction: new ones hold the write lock for about 3 ms

_T = TypeVar("_T")


def briefly(act: Callable[[], _T]) -> _T:
    """Do ``act`` as a whole, as ``whole`` says, while Python does not collect its garbage.

    That may take 100 ms among many questions, and play would wait for it; it is made up for
    between two transactions.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        return whole(act)()
    finally:
        if collecting:
            gc.enable()


def pieces(items: Sequence[_T]) -> Iterator[list[_T]]:
    """The items, as many at a time as one transaction writes."""
    for start in range(0, len(items), PIECE):
        yield list(items[start : start + PIECE])


def turns(items: Sequence[_T]) -> Iterator[list[_T]]:
    """The pieces, each followed by a pause as long as it took to write it.

    Who waits for SQLite's write lock only looks for it every 100 ms or so: without pauses the
    one who writes many pieces has it again by then, until the others have waited too long.
    """
    took_s = 0.0
    for piece in pieces(items):
        time.sleep(took_s)
        start = time.perf_counter()
        yield piece
        took_s = time.perf_counter() - start
