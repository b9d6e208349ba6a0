"""Everything between a pulled or fresh program and a site that can serve."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, OperationalError, connection

from config import backups, tables
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
        found = None
        if connection.vendor == "sqlite":
            self._see_that_it_may_be_written()
            if not running:
                found = self._keep_as_found()
        try:
            connection.ensure_connection()
            if connection.vendor == "sqlite":
                self._look_through(every_page=found is not None)
            call_command("check", databases=["default"], stdout=io.StringIO())
            saved = self._migrate(running=running)
        except DatabaseError as error:
            raise self._in_words(error, found) from error
        for root in settings.LOCALE_PATHS:
            compile_changed(root)
        collect_changed()
        _printed("load_starters")
        result = {
            "backup": str(saved) if saved else None,
            "found": str(found) if found else None,
            "first_path": _printed("first_link"),
            "qr": _drawn(qr) if qr else "",
        }
        self.stdout.write(json.dumps(result))

    def _see_that_it_may_be_written(self) -> None:
        """SQLite opens what it may not write all the same, and a site would serve from it.

        Raises:
            CommandError: database or log belong to somebody else, or the disk is read-only.
        """
        database = Path(settings.DATABASES["default"]["NAME"])
        for path in (database, Path(f"{database}-wal"), Path(f"{database}-shm")):
            if path.exists() and not (path.is_file() and os.access(path, os.R_OK | os.W_OK)):
                raise CommandError(
                    f"The file {path} cannot be written. Give it to the user who starts Civic "
                    "Table, and start again. Nothing was changed."
                )

    def _keep_as_found(self) -> Path | None:
        """Where the database is kept as a run left it that was cut off, or None.

        Raises:
            CommandError: it cannot be kept.
        """
        try:
            return backups.keep_as_found()
        except OSError as error:
            raise CommandError(
                f"The last run was cut off, and the database cannot be copied before it is opened "
                f"({error.strerror}). Make room on the disk of {settings.DATA} and start again."
            ) from error

    def _look_through(self, *, every_page: bool) -> None:
        """See that the file is a site's, and that what a run had written last belongs to it.

        Raises:
            DatabaseError: the database is damaged, or no longer a site's.
        """
        if every_page:
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA quick_check(1)")
                if (answer := cursor.fetchone()[0]) != "ok":
                    raise DatabaseError(f"malformed: {answer}")
        names = connection.introspection.table_names()
        if names and not tables.are_there():
            raise DatabaseError("malformed: no table of migrations")

    def _in_words(self, error: DatabaseError, found: Path | None) -> Exception:
        """What to do about a database that cannot be used; the error itself where nobody knows."""
        said = str(error)
        if any(sign in said for sign in DAMAGED):
            kept = f"in {found}" if found else "beside it"
            return CommandError(
                "The database is damaged. Restore the newest backup: "
                f"python3 civic.py restore FILE. What is there now is kept {kept}."
            )
        if connection.vendor == "postgresql" and isinstance(error, OperationalError):
            return CommandError(
                f"The database of DATABASE_URL does not answer ({said.splitlines()[0]})."
            )
        return error

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
            CommandError: they have to change, and programs that know them as they are run, or
                what is there cannot be saved before.
        """
        if not tables.waiting_migrations():
            return None
        if running:
            raise CommandError(
                "The tables of the database have to change. Stop the web servers and the worker, "
                "prepare again, and start them: students' devices come back by themselves."
            )
        saved = None
        if tables.are_there():
            try:
                saved = backups.automatic("before-update")
            except backups.BackupRefused as refused:
                raise CommandError(f"{refused} Nothing was changed.") from refused
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
