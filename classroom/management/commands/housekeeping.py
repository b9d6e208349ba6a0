"""Forget what is due: the launcher calls it at start and every hour."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from classroom.services.housekeeping import housekeep


class Command(BaseCommand):
    help = "Forget guests, old results, links, jobs, sessions, imports and pictures that are due."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only count")

    def handle(self, *args: Any, **options: Any) -> None:
        done = housekeep(dry=options["dry_run"])
        verb = "due" if options["dry_run"] else "forgotten"
        counts = asdict(done)
        told = {what: count for what, count in (counts | counts.pop("others")).items() if count}
        for what, count in told.items():
            self.stdout.write(f"{what}: {count} {verb}")
        if options["dry_run"] and not told:
            self.stdout.write("Nothing is due.")
