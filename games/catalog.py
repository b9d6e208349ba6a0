"""The games of the platform. A further game is a folder in games/rules and a line here."""

from __future__ import annotations

from games.engine.game import Game
from games.rules.corruption.game import Corruption

GAMES: dict[str, Game] = {game.key: game for game in (Corruption(),)}
