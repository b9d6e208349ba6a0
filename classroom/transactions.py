"""Acts that the database may end, and that are then done again (case CC-11).

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
SQLITE_IS_BUSY = ("database is locked", "database table is locked", "database or disk is full")
STEP_ASIDE_S = 0.05
TRIES = 3  # of a whole act; then its last error is the answer


def is_conflict(error: OperationalError) -> bool:
    """Whether the database ended one of two that were in each other's way: it can be done again."""
    return getattr(error.__cause__, "sqlstate", None) in CONFLICTS


def is_passing(error: OperationalError) -> bool:
    """Whether it may work in a moment: locked, unreachable, too late, full.

    PostgreSQL's operational errors are all of this kind; SQLite's are also mistakes of ours.
    """
    if type(error.__cause__).__module__.startswith("sqlite3"):
        return str(error).startswith(SQLITE_IS_BUSY)
    return True


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

    return _again(act, patient=False)


def patient(act: Callable[P, T]) -> Callable[P, T]:
    """The same for the worker, for whom nobody waits: again also where the database has no time.

    Each try waits as long as the database is asked to, three seconds for a lock.
    """
    return _again(act, patient=True)


def _again(act: Callable[P, T], *, patient: bool) -> Callable[P, T]:
    def passes(error: OperationalError) -> bool:
        return is_passing(error) if patient else is_conflict(error)

    @wraps(act)
    def done(*args: P.args, **kwargs: P.kwargs) -> T:
        left = 1 if connection.in_atomic_block else TRIES
        while True:
            left -= 1
            try:
                with transaction.atomic():
                    return act(*args, **kwargs)
            except OperationalError as error:
                if not left or not passes(error):
                    raise
            connection.close_if_unusable_or_obsolete()
            step_aside()

    return done
