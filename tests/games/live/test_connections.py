"""Threads that keep their connection to the database."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connection

from games.live import connections

pytestmark = pytest.mark.django_db(transaction=True)


def _asked(question: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()[0]


def _kept() -> Any:
    """The connection of this thread, after a first piece of work."""
    connections.keep()
    _asked("SELECT 1")
    first = connection.connection
    connections.let_go()
    return first


def _in_a_thread(work: Callable[[], list[Any]]) -> list[Any]:
    found: list[Any] = []

    def run() -> None:
        try:
            found.extend(work())
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found


@pytest.fixture(autouse=True)
def _sqlite_alone() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("a pool keeps the connections to PostgreSQL")


def test_connection_is_kept_between_two_pieces_of_work_with_few_pages() -> None:
    def work() -> list[Any]:
        first = _kept()
        durable, pages = _asked("PRAGMA synchronous"), _asked("PRAGMA cache_size")
        return [connection.connection is first, durable, pages]

    assert _in_a_thread(work) == [True, 2, -connections.PAGES_KIB]


def test_connection_on_which_something_failed_is_not_kept() -> None:
    def work() -> list[Any]:
        connections.keep()
        _asked("SELECT 1")
        with pytest.raises(DatabaseError):
            _asked("SELECT nothing FROM nowhere")
        connections.let_go()
        return [connection.connection, _asked("SELECT 7")]

    assert _in_a_thread(work) == [None, 7]


def test_connection_is_kept_for_a_minute_at_most() -> None:
    def work() -> list[Any]:
        first = _kept()
        kept = connection.connection is first
        connection.close_at -= connections.LONGEST_S
        connections.let_go()
        return [kept, connection.connection]

    assert _in_a_thread(work) == [True, None]


def test_other_threads_close_theirs() -> None:
    def work() -> list[Any]:
        _asked("SELECT 1")
        connections.let_go()
        return [connection.connection]

    assert _in_a_thread(work) == [None]
