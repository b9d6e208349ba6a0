"""The bots of each game by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.bots.bot import Bot, RandomBot
from games.engine.game import Game


class NoBot(LookupError):
    """Raised for a bot that a game does not have."""


def bots_for(game: Game, content: Mapping[str, Any]) -> dict[str, Bot]:
    """The bots that can play a game on this content (plain values), the usual one first.

    Every game has ``random``: its own, or one that plays any legal move.
    """
    return {bot.key: bot for bot in game.bots(content) or (RandomBot(),)}


def bot(game: Game, name: str, content: Mapping[str, Any]) -> Bot:
    """One bot of a game.

    Raises:
        NoBot: the game has no bot of this name.
    """
    known = bots_for(game, content)
    if name not in known:
        raise NoBot(f"{game.key} has no bot {name}. It has: {', '.join(known)}.")
    return known[name]
