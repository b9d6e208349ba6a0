"""Put a backup in the place of the site's data, and see that every match replays."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from classroom.selectors.classrooms import forgotten_students
from classroom.services import personal_data
from config import backups


class Command(BaseCommand):
    help = "Put a backup in the place of the data here. The site must not run."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        forgotten = _forgotten_here()
        try:
            before = backups.restore(file)
        except backups.BackupRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"Restored from {file}.")
        if before:
            self.stdout.write(f"What was here before is kept in {before}.")
        call_command("migrate", interactive=False, verbosity=0)
        if back := personal_data.forget_again(forgotten):
            self.stdout.write(f"Erased again, as they were here: {back} students.")
        try:
            call_command("check_matches", stdout=self.stdout, stderr=self.stderr)
        except SystemExit:  # how it says that it found some
            raise CommandError(
                "The data is restored, but the matches named above do not replay from their "
                "logs as they were stored: look at them before you go on."
            ) from None


def _forgotten_here() -> list[UUID]:
    """Students erased in the data that is replaced; none where that is empty or damaged."""
    try:
        return forgotten_students()
    except DatabaseError:
        return []
