"""Somebody else at PostgreSQL, who is in the way (case CC-11).

A connection that knows nothing of the product. It takes rows in the order that makes the
conflict, and is never the one that is ended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection

from games.models import Match


class Rival:
    """Somebody else at the database, who takes what the product wants next."""

    def __init__(self) -> None:
        how = connection.settings_dict
        self.line = psycopg.connect(
            host=how["HOST"], port=how["PORT"], user=how["USER"], dbname=how["NAME"]
        )
        self.line.execute("SET SESSION deadlock_timeout = '60s'")
        self.line.commit()

    def take(self, table: str, pk: object) -> None:
        """Lock a row until ``let_go``."""
        self.line.execute(f'SELECT 1 FROM "{table}" WHERE "id" = %s FOR UPDATE', (pk,))

    def let_go(self) -> None:
        self.line.commit()

    def until_awaited(self) -> None:
        """Return when somebody waits for what this one holds."""
        self._until("SELECT count(*) FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))")

    def until_waiting(self) -> None:
        """Return when this one waits for somebody."""
        self._until("SELECT cardinality(pg_blocking_pids(%s))")

    def is_taken(self, table: str, pk: object) -> bool:
        """Whether somebody has locked a row that was there before."""
        asked = f'SELECT 1 FROM "{table}" WHERE "id" = %s FOR UPDATE SKIP LOCKED'
        with psycopg.connect(self.line.info.dsn, autocommit=True) as onlooker:
            return onlooker.execute(asked, (pk,)).fetchone() is None

    def _until(self, asked: str) -> None:
        end = time.monotonic() + 60
        with psycopg.connect(self.line.info.dsn, autocommit=True) as onlooker:
            while time.monotonic() < end:
                if onlooker.execute(asked, (self.line.info.backend_pid,)).fetchone() != (0,):
                    return
                time.sleep(0.02)
        raise TimeoutError(asked)

    @contextmanager
    def meanwhile(self, act: Callable[[], None]) -> Iterator[None]:
        """Do this beside the block; both have ended, and the line is closed, when it is left."""
        acting = threading.Thread(target=act)
        acting.start()
        try:
            yield
        finally:
            acting.join(90)
            self.line.close()


@contextmanager
def deadlock(first: tuple[str, object], second: tuple[str, object]) -> Iterator[None]:
    """Who takes ``second`` and then, by another statement, wants ``first`` is ended, once.

    Before it goes on to ``first`` it waits until the rival waits for ``second``: PostgreSQL
    looks for a deadlock once in each wait, and this way there is one by then.
    """
    rival = Rival()
    rival.take(*first)
    crossing = threading.Event()

    def cross() -> None:
        crossing.wait()
        if not crossed:
            return
        rival.take(*second)  # the other one is ended before this returns
        rival.let_go()

    crossed = False

    def watched(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        nonlocal crossed
        if not crossed and rival.is_taken(*second):
            crossed = True
            crossing.set()
            rival.until_waiting()
        return execute(sql, *more)

    with _patient_line("10ms"), rival.meanwhile(cross), connection.execute_wrapper(watched):
        try:
            yield
        finally:
            crossing.set()


@contextmanager
def deadlock_in_one_statement(
    first: tuple[str, object], second: tuple[str, object]
) -> Iterator[None]:
    """The same where one statement takes both: the rival has five seconds to be in its way."""
    rival = Rival()
    rival.take(*first)

    def cross() -> None:
        rival.until_awaited()
        rival.take(*second)
        rival.let_go()

    with _patient_line("5s"), rival.meanwhile(cross):
        yield


@contextmanager
def _patient_line(deadlock_timeout: str) -> Iterator[None]:
    """The product's connection waits as long as it takes, and looks for deadlocks after that."""
    settings = {
        "lock_timeout": "0",
        "statement_timeout": "0",
        "deadlock_timeout": deadlock_timeout,
    }
    with connection.cursor() as cursor:
        for name, value in settings.items():
            cursor.execute(f"SET {name} TO '{value}'")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            for name in settings:
                cursor.execute(f"RESET {name}")


@contextmanager
def overtaken(match: Match) -> Iterator[None]:
    """Who writes the match finds that it was written since its transaction began."""
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_isolation TO 'repeatable read'")
    rival = Rival()
    rival.line.execute('UPDATE "games_match" SET "due_at" = NULL WHERE "id" = %s', (match.pk,))

    def write() -> None:
        rival.until_awaited()
        rival.let_go()

    try:
        with _patient_line("60s"), rival.meanwhile(write):
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET default_transaction_isolation")


@contextmanager
def held(table: str, pk: object) -> Iterator[None]:
    """The row is taken for longer than anybody waits."""
    rival = Rival()
    rival.take(table, pk)
    try:
        yield
    finally:
        rival.line.close()
