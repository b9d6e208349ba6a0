"""Reads starter boards and decks as plain values; games give them their meaning.

Each game's folder has a ``starters.yaml`` that lists its boards and the files that
translate them. Content stays what the files say: lists, mappings, words and numbers.
A translation holds words alone, so ids, numbers and right answers are the same in
every language.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import Struct

_HOME = Path(__file__).parent
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the first is ten times as fast


class Starter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One board that a game comes with, in one language."""

    key: str  # "one-lesson"
    title: str
    minutes: tuple[int, int]  # from, to: what a class should plan for
    content: dict[str, str]  # file of each kind of content
    language: str = "en"


class Translation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words of a game's starter content in another language."""

    boards: dict[str, str]  # board key -> title
    labels: dict[str, str]  # name in the source -> name: squares, properties, colours
    cards: dict[str, dict[str, dict[str, Any]]]  # kind -> card id -> fields that change
    topics: dict[str, str]  # what questions are about -> as a teacher reads it


class NoStarter(LookupError):
    """Raised for a game, board or language that no starter content exists for."""


def starter_games() -> tuple[str, ...]:
    """Keys of the games that have starter content, sorted."""
    return tuple(sorted(path.parent.name for path in _HOME.glob("*/starters.yaml")))


def starter_languages(game_key: str) -> tuple[str, ...]:
    """Codes of the languages of a game's starter content, that of the source first.

    Raises:
        NoStarter: the game has none.
    """
    listed = _listed(game_key)
    return (listed["language"], *listed.get("translations", {}))


def nearest_language(game_key: str, wanted: str | None) -> str:
    """The wanted language ("fr-ca" finds "fr") where it exists, else that of the source.

    Raises:
        NoStarter: the game has no starter content.
    """
    known = starter_languages(game_key)
    for code in (wanted or "", (wanted or "").split("-")[0]):
        if code in known:
            return code
    return known[0]


@cache
def starters(game_key: str, language: str | None = None) -> tuple[Starter, ...]:
    """The boards that come with a game, the usual one first; ``None`` is the source's language.

    Raises:
        NoStarter: the game has none, or not in this language.
    """
    listed = _listed(game_key)
    boards = listed["boards"]
    words = _translation(game_key, language)
    if words is not None:
        boards = [{**board, "title": words.boards[board["key"]]} for board in boards]
    return tuple(
        msgspec.convert({**board, "language": language or listed["language"]}, Starter)
        for board in boards
    )


def starter(game_key: str, board: str | None = None, language: str | None = None) -> Starter:
    """The board of this key, or the game's usual one; ``None`` is the source's language.

    Raises:
        NoStarter: the game has no such board, or not in this language.
    """
    listed = starters(game_key, language)
    if board is None:
        return listed[0]
    for found in listed:
        if found.key == board:
            return found
    keys = ", ".join(each.key for each in listed)
    raise NoStarter(f"{game_key} has no board {board}. It has: {keys}.")


def starter_content(
    game_key: str, board: str | None = None, language: str | None = None
) -> dict[str, Any]:
    """Fresh plain values of every kind of content of a board, by ContentKind.key.

    ``language`` None is that of the source.

    Raises:
        NoStarter: the game has no such board, or not in this language.
    """
    chosen = starter(game_key, board, language)
    content = {key: _read(_HOME / game_key / file) for key, file in chosen.content.items()}
    words = _translation(game_key, language)
    if words is not None:
        for kind, values in content.items():
            _translate(values, words.labels, words.cards.get(kind, {}))
    return content


def topic_name(game_key: str, topic: str, language: str) -> str:
    """What the questions of a starter deck are about, as a teacher reads it."""
    words = _translation(game_key, language)
    return topic.replace("_", " ") if words is None else words.topics[topic]


_LABELS = frozenset({"title", "label", "color_name"})


def _translate(value: Any, labels: dict[str, str], cards: dict[str, dict[str, Any]]) -> None:
    """Put the words of a translation into plain values, in place."""
    if isinstance(value, list):
        for item in value:
            _translate(item, labels, cards)
    elif isinstance(value, dict):
        if (card := cards.get(value.get("id", ""))) is not None:
            value.update({field: _same_order(value[field], words) for field, words in card.items()})
            return
        for field, inner in value.items():
            if field in _LABELS:
                value[field] = labels[inner]
            else:
                _translate(inner, labels, cards)


def _same_order(source: Any, words: Any) -> Any:
    """Options of a question keep the letters and order of the source."""
    return {key: words[key] for key in source} if isinstance(source, dict) else words


@cache
def _listed(game_key: str) -> dict[str, Any]:
    if game_key not in starter_games():
        raise NoStarter(f"No starter content for {game_key}.")
    listed: dict[str, Any] = _read(_HOME / game_key / "starters.yaml")
    return listed


@cache
def _translation(game_key: str, language: str | None) -> Translation | None:
    """The words of this language; None for the language of the source."""
    listed = _listed(game_key)
    if language is None or language == listed["language"]:
        return None
    files = listed.get("translations", {})
    if language not in files:
        known = ", ".join(starter_languages(game_key))
        raise NoStarter(f"{game_key} is not there in {language}, only in {known}.")
    return msgspec.convert(_read(_HOME / game_key / files[language]), Translation)


def _read(path: Path) -> Any:
    return _Loader(path.read_text(encoding="utf-8")).get_single_data()
