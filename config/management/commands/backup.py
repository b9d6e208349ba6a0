"""Write everything into one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import backups


class Command(BaseCommand):
    help = "Write database, media and secret key into one file. Safe during play."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            path = backups.write(file)
        except backups.BackupRefused as refused:
            raise CommandError(str(refused)) from refused
        size = path.stat().st_size / 1_000_000
        self.stdout.write(f"The backup is {path} ({size:.1f} MB). It holds names: keep it safe.")
