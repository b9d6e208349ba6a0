"""The bots of each game by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.bots.bot import Bot, RandomBot
from games.bots.corruption import corruption_bots
from games.rules.corruption.content import parse


class NoBot(LookupError):
    """Raised for a bot that a game does not have."""


def bots_for(game_key: str, content: Mapping[str, Any]) -> dict[str, Bot]:
    """The bots that can play a game on this content (plain values), the usual one first.

    Every game has ``random``: its own, or one that plays any legal move.
    """
    own: tuple[Bot, ...] = corruption_bots(parse(content)) if game_key == "corruption" else ()
    return {bot.key: bot for bot in own or (RandomBot(),)}


def bot(game_key: str, name: str, content: Mapping[str, Any]) -> Bot:
    """One bot of a game.

    Raises:
        NoBot: the game has no bot of this name.
    """
    known = bots_for(game_key, content)
    if name not in known:
        raise NoBot(f"{game_key} has no bot {name}. It has: {', '.join(known)}.")
    return known[name]
