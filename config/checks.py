"""What must hold before the site serves anybody. Run by ``manage.py check`` and at each start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

#: pragma of the open connection, and the value that docs/architecture.md asks for
PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": 2,  # FULL
    "busy_timeout": 3000,
    "temp_store": 2,  # MEMORY
    "foreign_keys": 1,
}


def live_pragmas(alias: str = "default") -> dict[str, Any]:
    """What SQLite really does, asked on an open connection."""
    with connections[alias].cursor() as cursor:
        values = {}
        for name in PRAGMAS:
            cursor.execute(f"PRAGMA {name}")
            values[name] = cursor.fetchone()[0]
    return values


@register(Tags.database)
def pragmas(*, databases: Sequence[str] | None, **_kwargs: Any) -> list[CheckMessage]:
    """An acknowledged move must survive a power cut: see that the database is set so."""
    found: list[CheckMessage] = []
    for alias in databases or []:
        connection: Any = connections[alias]  # SQLite's own has more than the base
        if connection.vendor != "sqlite" or connection.is_in_memory_db():
            continue
        wrong = {
            name: value for name, value in live_pragmas(alias).items() if value != PRAGMAS[name]
        }
        if wrong:
            found.append(
                Error(
                    f"SQLite runs with {wrong}; it must be {PRAGMAS}.",
                    hint="Is the data folder on a disk of this computer, and may it be written?",
                    id="civictable.E001",
                )
            )
        if connection.transaction_mode != "IMMEDIATE":
            found.append(
                Error("SQLite must take its lock at the start: IMMEDIATE.", id="civictable.E002")
            )
    return found


@register(Tags.security)
def never_debug(**_kwargs: Any) -> list[CheckMessage]:
    """Debug pages show pupils' data and the settings to everybody."""
    if settings.DEBUG and settings.SETTINGS_MODULE != "config.settings.development":
        return [Error("DEBUG must be off.", id="civictable.E003")]
    return []


@register(Tags.security)
def hosts_by_name(**_kwargs: Any) -> list[CheckMessage]:
    """A pattern would let other sites pretend to be this one."""
    wrong = [host for host in settings.ALLOWED_HOSTS if "*" in host or host.startswith(".")]
    if wrong:
        return [Error(f"ALLOWED_HOSTS must name each host, not {wrong}.", id="civictable.E004")]
    return []
