"""Reads starter boards and decks as plain values; games give them their meaning.

Each game's folder has a ``starters.yaml`` that lists its boards. Content stays
what the files say: lists, mappings, words and numbers.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import Struct

_HOME = Path(__file__).parent


class Starter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One board that a game comes with."""

    key: str  # "one-lesson"
    title: str
    minutes: tuple[int, int]  # from, to: what a class should plan for
    content: dict[str, str]  # file of each kind of content
    language: str = "en"


class NoStarter(LookupError):
    """Raised for a game or board that no starter content exists for."""


def starter_games() -> tuple[str, ...]:
    """Keys of the games that have starter content, sorted."""
    return tuple(sorted(path.parent.name for path in _HOME.glob("*/starters.yaml")))


@cache
def starters(game_key: str) -> tuple[Starter, ...]:
    """The boards that come with a game, the usual one first.

    Raises:
        NoStarter: the game has none.
    """
    if game_key not in starter_games():
        raise NoStarter(f"No starter content for {game_key}.")
    listed = _read(_HOME / game_key / "starters.yaml")
    return tuple(
        msgspec.convert({**board, "language": listed["language"]}, Starter)
        for board in listed["boards"]
    )


def starter(game_key: str, board: str | None = None) -> Starter:
    """The board of this key, or the game's usual one.

    Raises:
        NoStarter: the game has no such board.
    """
    listed = starters(game_key)
    if board is None:
        return listed[0]
    for found in listed:
        if found.key == board:
            return found
    keys = ", ".join(each.key for each in listed)
    raise NoStarter(f"{game_key} has no board {board}. It has: {keys}.")


def starter_content(game_key: str, board: str | None = None) -> dict[str, Any]:
    """Fresh plain values of every kind of content of a board, by ContentKind.key.

    Raises:
        NoStarter: the game has no such board.
    """
    chosen = starter(game_key, board)
    return {key: _read(_HOME / game_key / file) for key, file in chosen.content.items()}


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))
