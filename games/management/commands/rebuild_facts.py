"""``manage.py rebuild_facts``: read all results from the logs again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.models import Match
from games.services import facts


class Command(BaseCommand):
    """Replaces the facts of every match that has begun; running twice changes nothing."""

    help = "Read what matches tell about students from their logs again."

    def handle(self, *args: Any, **options: Any) -> None:
        matches = Match.objects.exclude(version=0).values_list("pk", flat=True)
        rows = sum(facts.project(match_id) for match_id in matches)
        self.stdout.write(f"{rows} facts of {len(matches)} matches.")
