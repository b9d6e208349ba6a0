"""From SQLite to PostgreSQL, whole or not at all (``civic.py move-to-postgresql``).

Every row of every table is copied in one transaction and then read back from both
and compared. The SQLite file stays as it is: it is the way back.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, models, transaction

from config import tables

OLD = "moved_from"
PIECE = 200


class MoveRefused(Exception):
    """Nothing was changed. The message says why and what to do."""


def look(path: Path) -> None:
    """See that there is something to move and somewhere to move it to; changes nothing.

    Raises:
        MoveRefused: one of the two is missing.
    """
    if connection.vendor != "postgresql":
        raise MoveRefused("Set DATABASE_URL to the new PostgreSQL first. Nothing was changed.")
    if not path.exists():
        raise MoveRefused(f"There is no {path} to move. Give --data DIR.")


def move(path: Path) -> int:
    """Copy all rows of the SQLite file into the database of ``DATABASE_URL``; their number.

    Raises:
        MoveRefused: the two do not fit, or what arrived is not what was sent.
    """
    _open(path)
    try:
        if tables.waiting_migrations(OLD) or tables.waiting_migrations():
            raise MoveRefused(
                "Old and new tables differ. Start the site on SQLite once with this program, "
                "run `civic.py prepare` on an empty PostgreSQL, then move."
            )
        copied = [
            model
            for model in apps.get_models(include_auto_created=True)
            if model._meta.managed and not model._meta.proxy
        ]
        if apps.get_model(settings.AUTH_USER_MODEL)._base_manager.exists():
            raise MoveRefused("The new database holds accounts already. Use an empty one.")
        with transaction.atomic():
            return _copy_all(copied)
    finally:
        connections[OLD].close()


def _open(path: Path) -> None:
    old = {"ENGINE": "django.db.backends.sqlite3", "NAME": path}
    connections.settings[OLD] = connections.configure_settings({"default": old})["default"]


def _copy_all(copied: list[type[models.Model]]) -> int:
    with connection.cursor() as cursor:
        names = [connection.ops.quote_name(table._meta.db_table) for table in copied]
        cursor.execute(f"TRUNCATE {', '.join(names)}")
    moved = sum(_copy(table) for table in copied)
    for table in copied:
        if any(ours != theirs for ours, theirs in _both(table)):
            raise MoveRefused(
                f"What arrived in {table._meta.db_table} is not what was sent. "
                "Nothing was changed; please report this."
            )
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), copied):
            cursor.execute(statement)
    return moved


def _copy(table: type[models.Model]) -> int:
    """As they stand: nothing is saved anew, so no date becomes today's."""
    rows = table._base_manager.using(OLD).order_by("pk").iterator(chunk_size=PIECE)
    fields = table._meta.concrete_fields
    count = 0
    while piece := list(islice(rows, PIECE)):
        insert = table._base_manager.all()._insert  # type: ignore[attr-defined]
        try:
            insert(piece, fields, raw=True, using="default")
        except DatabaseError as exc:  # it takes less than SQLite: no NUL, no text that is too long
            why = str(exc).splitlines()[0]
            raise MoveRefused(
                f"PostgreSQL does not take a row of {table._meta.db_table} ({why}), one of the "
                f"{len(piece)} from {piece[0].pk} to {piece[-1].pk}. Nothing was changed."
            ) from exc
        count += len(piece)
    return count


def _both(table: type[models.Model]) -> Iterator[tuple[Any, Any]]:
    """Each row from both databases; a missing one as None."""
    old, new = (
        table._base_manager.using(alias).order_by("pk").values_list().iterator(chunk_size=PIECE)
        for alias in (OLD, "default")
    )
    for row in old:
        yield row, next(new, None)
    for row in new:
        yield None, row
