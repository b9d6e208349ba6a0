"""``manage.py check_matches``: does every match replay from its log to what is stored?"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.models import Match
from games.services.checking import Found, check


class Command(BaseCommand):
    """Prints one line for each match that does not; then the exit code is 1."""

    help = "Replay every match from its log and compare with what is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--repair",
            action="store_true",
            help="rebuild the stored state of matches whose log is sound",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        bad = 0
        matches = Match.objects.exclude(version=0).order_by("created_at")
        for match_id in list(matches.values_list("pk", flat=True)):  # read before it is written
            found = check(match_id, repair=options["repair"])
            if found is not Found.SOUND:
                bad += found is not Found.REPAIRED
                self.stdout.write(f"{match_id} {found.value}")
        self.stdout.write(f"{matches.count()} matches checked, {bad} of them wrong.")
        if bad:
            raise SystemExit(1)
