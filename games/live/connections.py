"""Threads that last keep their connection to the database between two pieces of work.

To open SQLite costs more than most questions. With PostgreSQL a pool keeps the connections.
"""

from __future__ import annotations

from django.db import connection

# KiB of the database that each of them keeps. What all ask for lies in the system's memory anyway,
# and each commit of another makes SQLite drop what is kept: the poll of 400 sockets is as fast with
# these as with 2,000, and slower with 250.
PAGES_KIB = 500
# A question that nobody read to its end would show its thread the database as it was then.
LONGEST_S = 60


def keep() -> None:
    """Let this thread keep its connection for a minute; ``let_go`` ends a piece of work.

    For threads of a pool alone: one that ends without closing leaves its connection to chance.
    """
    if connection.vendor == "sqlite":
        held = connection.settings_dict
        first = f"{held['OPTIONS']['init_command']}PRAGMA cache_size=-{PAGES_KIB};"
        options = held["OPTIONS"] | {"init_command": first}
        connection.settings_dict = held | {"CONN_MAX_AGE": LONGEST_S, "OPTIONS": options}


def let_go() -> None:
    """A piece of work is done: close the connection, unless it is kept and nothing went wrong."""
    if connection.errors_occurred:  # with SQLite Django would go on with it
        connection.close()
    connection.close_if_unusable_or_obsolete()
