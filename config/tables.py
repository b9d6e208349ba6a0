"""Whether the tables of the database are there, and are those that this program knows."""

from __future__ import annotations

from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder


def are_there() -> bool:
    """Whether a site was ever started on this database."""
    return MigrationRecorder(connection).has_table()


def waiting_migrations(alias: str = "default") -> int:
    """How many migrations of this program the database has not had yet."""
    executor = MigrationExecutor(connections[alias])
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
