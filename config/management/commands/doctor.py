"""What this site runs on, and what is wrong with it."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core import checks
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from config import tables
from config.checks import live_pragmas
from launcher import version

LOW_DISK_BYTES = 500_000_000


class Command(BaseCommand):
    help = "Show versions, database, queue and what is wrong (civic.py doctor calls this)."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self._problems: list[str] = []
        self._line("Program", f"Civic Table {version()}, Django {django.__version__}")
        self._line("Python", f"{platform.python_version()} on {platform.platform()}")
        self._database()
        self._disk()
        self._settings()
        for problem in self._problems:
            self.stdout.write(f"PROBLEM: {problem}")
        if self._problems:
            raise CommandError(f"{len(self._problems)} problems found.")
        self.stdout.write("No problems found.")

    def _line(self, name: str, value: object) -> None:
        self.stdout.write(f"{name + ':':<14}{value}")

    def _database(self) -> None:
        try:
            with connection.cursor() as cursor:
                if connection.vendor == "sqlite":
                    cursor.execute("SELECT sqlite_version()")
                    self._line("Database", f"SQLite {cursor.fetchone()[0]}")
                else:
                    cursor.execute("SHOW server_version")
                    self._line("Database", f"PostgreSQL {cursor.fetchone()[0]}")
        except DatabaseError as exc:
            self._problems.append(f"The database does not answer: {str(exc).splitlines()[0]}")
            return
        if connection.vendor == "sqlite":
            live = live_pragmas()
            self._line("Pragmas", ", ".join(f"{name}={value}" for name, value in live.items()))
        waiting = tables.waiting_migrations()
        self._line(
            "Migrations", f"{waiting} waiting for the next start" if waiting else "up to date"
        )

    def _disk(self) -> None:
        folder = Path(settings.DATA)
        free = shutil.disk_usage(folder).free
        used = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        self._line("Data", f"{folder} ({used / 1e6:.0f} MB used, {free / 1e9:.1f} GB free)")
        if free < LOW_DISK_BYTES:
            self._problems.append(f"Only {free / 1e6:.0f} MB are free on the disk of {folder}.")
        backups = sorted((folder / "backups").glob("*.zip"), key=lambda path: path.stat().st_mtime)
        self._line("Last backup", backups[-1] if backups else "none in the data folder")

    def _settings(self) -> None:
        queue = "Redis" if settings.REDIS_URL else "files in the data folder"
        self._line("Queue", queue)
        self._line(
            "HTTPS", "on" if settings.HTTPS else "off: for this computer or a trusted network"
        )
        self._line("Sign-up", settings.SIGNUP)
        self._line("Mail", settings.EMAIL_HOST or "off: the administrator hands out links")
        for message in checks.run_checks(databases=["default"], include_deployment_checks=True):
            if not message.is_silenced():
                self._problems.append(message.msg)
