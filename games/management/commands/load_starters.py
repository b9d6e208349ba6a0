"""``manage.py load_starters``: starter boards and decks, at every start of the site."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.services import decks, question_decks


class Command(BaseCommand):
    help = "Bring the built-in boards and decks up to date."

    def handle(self, *args: Any, **options: Any) -> None:
        added = decks.load_starters()
        sets = question_decks.load_question_sets()
        self.stdout.write(f"Starter content: {added} new versions, {sets} question sets changed.")
