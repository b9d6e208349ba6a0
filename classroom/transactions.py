"""Acts that the database may end, and that are then done again (QUALITY CC-11).

PostgreSQL ends one of two transactions that wait for each other, or that have no order. It
ends the whole of it: what is done again is the outermost, never a part.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

P = ParamSpec("P")
T = TypeVar("T")

CONFLICTS = {"40P01", "40001"}  # of PostgreSQL: a deadlock, and no order for two transactions
STEP_ASIDE_S = 0.05
TRIES = 3  # of a whole act; then its last error is the answer


def is_conflict(error: OperationalError) -> bool:
    """Whether the database ended one of two that were in each other's way: it can be done again."""
    return getattr(error.__cause__, "sqlstate", None) in CONFLICTS


def step_aside() -> None:
    """Let the other one go first: who tries again at once is in its way again."""
    time.sleep(STEP_ASIDE_S)


def whole(act: Callable[P, T]) -> Callable[P, T]:
    """Do ``act`` as one transaction, and again where it lost a conflict.

    Inside another transaction it is a part of that one. ``act`` reads anew whatever it
    decides by, and does nothing outside the database but after the commit.

    Raises:
        OperationalError: it lost again and again, or for another reason.
    """

    @wraps(act)
    def done(*args: P.args, **kwargs: P.kwargs) -> T:
        left = 1 if connection.in_atomic_block else TRIES
        while True:
            left -= 1
            try:
                with transaction.atomic():
                    return act(*args, **kwargs)
            except OperationalError as error:
                if not left or not is_conflict(error):
                    raise
            step_aside()

    return done
