"""Copy a site from SQLite to PostgreSQL, and see that every match replays there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config import moving


class Command(BaseCommand):
    help = "Copy everything from the data folder's SQLite to the PostgreSQL of DATABASE_URL."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(settings.DATA) / "civictable.sqlite3"
        try:
            moving.look(path)
            call_command("migrate", interactive=False, verbosity=0)
            moved = moving.move(path)
        except moving.MoveRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{moved} rows copied and compared.")
        try:
            call_command("check_matches", stdout=self.stdout, stderr=self.stderr)
        except SystemExit:  # how it says that it found some
            raise CommandError(
                "Everything is copied, but the matches named above do not replay from their logs, "
                "and did not before: look at them before you go on."
            ) from None
        self.stdout.write(
            f"Start the site with DATABASE_URL from now on. {path} is kept as it was: "
            "remove it once you are sure."
        )
