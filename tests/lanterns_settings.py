"""What a school runs with one game more, for which nobody has drawn anything."""

from __future__ import annotations

from games.catalog import GAMES
from tests.rules.lanterns.game import LANTERNS
from tests.seeded_settings import *  # noqa: F403

GAMES[LANTERNS.key] = LANTERNS
