"""Starter boards and decks in the database, in versions that matches can point at."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from classroom.transactions import whole
from games.catalog import GAMES
from games.decks.starters import (
    Starter,
    starter,
    starter_content,
    starter_games,
    starter_languages,
    starters,
)
from games.models import Deck, DeckVersion
from games.selectors.wording import words


def load_starters() -> int:
    """Bring built-in decks up to date; the number of versions that were new.

    A deck whose content has changed gets a further version: matches that play
    with an older one keep it.
    """
    added = 0
    for game_key in GAMES.keys() & starter_games():
        for language in starter_languages(game_key):
            for board in starters(game_key, language):
                content = starter_content(game_key, board.key, language)
                for kind, values in content.items():
                    added += _save(game_key, kind, board, values)
    return added


@whole
def _save(game_key: str, kind: str, board: Starter, values: Any) -> bool:
    title = _title(game_key, kind, board)
    deck, _made = Deck.objects.get_or_create(
        game=game_key,
        kind=kind,
        key=_key(board, kind),
        language=board.language,
        owner=None,
        defaults={"title": title},
    )
    if deck.title != title:
        deck.title = title
        deck.save(update_fields=["title"])
    last = deck.versions.order_by("-number").first()
    if last is not None and last.content == values:
        return False
    deck.versions.create(number=last.number + 1 if last else 1, content=values)
    return True


def starter_versions(
    game_key: str, board: str, language: str | None = None
) -> dict[str, DeckVersion]:
    """The newest versions of a starter board and the decks that go with it, by kind.

    ``language`` None is that of the source.

    Raises:
        NoStarter: the game has no such board, or not in this language.
    """
    chosen = starter(game_key, board, language)
    newest: dict[str, DeckVersion] = {}
    for version in (
        DeckVersion.objects.filter(
            deck__game=game_key, deck__owner=None, deck__language=chosen.language
        )
        .select_related("deck")
        .order_by("number")
    ):
        if version.deck.key == _key(chosen, version.deck.kind):
            newest[version.deck.kind] = version
    return newest


def _key(board: Starter, kind: str) -> str:
    """Boards may share a deck: its file names it."""
    file = board.content.get(kind)
    return PurePath(file).stem if file else ""


def _title(game_key: str, kind: str, board: Starter) -> str:
    if kind == "board":
        return board.title
    return next(words(k.title, board.language) for k in GAMES[game_key].content if k.key == kind)
