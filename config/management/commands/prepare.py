"""Everything between a pulled or fresh program and a site that can serve."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from config import backups
from config.static import collect_changed
from config.translations import compile_changed

DAMAGED = ("file is not a database", "malformed", "disk image")  # what SQLite says of its file


class Command(BaseCommand):
    help = "Bring database, translations and static files up to date (civic.py calls this)."
    requires_system_checks: list[str] = []  # the database is checked below, once it is there

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--qr", default="", help="address to draw as a QR code")
        parser.add_argument(
            "--running", action="store_true", help="parts of the site run: change no tables"
        )

    def handle(self, *args: Any, qr: str, running: bool, **options: Any) -> None:
        self._make_folders()
        try:
            call_command("check", databases=["default"], stdout=io.StringIO())
            saved = self._migrate(running=running)
        except DatabaseError as error:
            if any(sign in str(error) for sign in DAMAGED):
                raise CommandError(
                    "The database is damaged. Restore the newest backup: "
                    "python3 civic.py restore FILE. What is there now is kept beside it."
                ) from error
            raise
        for root in settings.LOCALE_PATHS:
            compile_changed(root)
        collect_changed()
        _printed("load_starters")
        result = {
            "backup": str(saved) if saved else None,
            "first_path": _printed("first_link"),
            "qr": _drawn(qr) if qr else "",
        }
        self.stdout.write(json.dumps(result))

    def _make_folders(self) -> None:
        folders = [settings.MEDIA_ROOT, settings.STATIC_ROOT]
        if settings.CELERY_BROKER_URL == "filesystem://":
            where = settings.CELERY_BROKER_TRANSPORT_OPTIONS
            folders += [where[f"{kind}_folder"] for kind in ("control", "processed")]
            folders.append(where["data_folder_in"])
        for folder in folders:
            Path(folder).mkdir(parents=True, exist_ok=True)

    def _migrate(self, *, running: bool) -> Path | None:
        """Bring the tables up to date, after a backup of what is there.

        Raises:
            CommandError: they have to change, and programs that know them as they are run.
        """
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if not waiting:
            return None
        if running:
            raise CommandError(
                "The tables of the database have to change. Stop the web servers and the worker, "
                "prepare again, and start them: students' devices come back by themselves."
            )
        saved = None
        if executor.loader.applied_migrations:
            saved = backups.automatic("before-update")
        call_command("migrate", interactive=False, verbosity=0)
        return saved


def _printed(command: str) -> str:
    """What a command of the apps printed."""
    out = io.StringIO()
    call_command(command, stdout=out)
    return out.getvalue().strip()


def _drawn(address: str) -> str:
    out = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()
