"""What the hourly housekeeping does for games."""

from __future__ import annotations

from classroom.services import housekeeping
from games.services import question_decks

housekeeping.register("decks", question_decks.forget_decks)
