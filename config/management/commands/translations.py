"""Compile the catalogues, or check them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.translations import compile_changed, complaints, unfinished


class Command(BaseCommand):
    help = "Compile the translations that changed; with --check only look for what is not done."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        for root in settings.LOCALE_PATHS:
            if check:
                found = [*complaints(root), *unfinished(root)]
                for complaint in found:
                    self.stderr.write(str(complaint))
                if found:
                    raise CommandError(f"{len(found)} messages are broken or not translated.")
            else:
                for path in compile_changed(root):
                    self.stdout.write(f"Compiled {path}")
