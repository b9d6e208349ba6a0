"""New rows as statements that are made before anybody waits for the database.

Django takes six times as long to make such statements as the database to carry them out,
and ``bulk_create`` does both under the lock. Here the first half comes before the
transaction. The statements are those of ``bulk_create``, by the same parts of Django, which
are not promised to stay: this is the one module that uses them, and its test compares the
two, so that an update of Django that changes them is noticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models
from django.db.models.sql import InsertQuery


@dataclass(frozen=True)
class Inserts:
    """Rows, and the statements that insert them: nothing more is needed than to carry them out."""

    rows: Sequence[models.Model]
    statements: Sequence[tuple[str, Sequence[Any]]]

    @classmethod
    def of(cls, *tables: Sequence[models.Model]) -> Inserts:
        """The rows of several tables, each after those that it refers to."""
        return cls(
            rows=[row for rows in tables for row in rows],
            statements=[one for rows in tables for one in _statements(rows)],
        )

    def run(self) -> None:
        """Insert all of them, inside the caller's transaction."""
        with connection.cursor() as cursor:
            for statement, parameters in self.statements:
                cursor.execute(statement, parameters)
        for row in self.rows:
            row._state.adding = False
            row._state.db = connection.alias


def _statements(rows: Sequence[models.Model]) -> Iterator[tuple[str, Sequence[Any]]]:
    """The statements that insert rows of one table, as ``bulk_create`` makes them."""
    if not rows:
        return
    model = type(rows[0])
    fields = [one for one in model._meta.concrete_fields if not isinstance(one, models.AutoField)]
    at_once = connection.ops.bulk_batch_size(fields, list(rows))
    for start in range(0, len(rows), at_once):
        query = InsertQuery(model)
        query.insert_values(fields, list(rows[start : start + at_once]))
        yield from query.get_compiler(connection=connection).as_sql()
