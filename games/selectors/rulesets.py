"""The rules of a match: its game with its options and the content it is pinned to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from games import catalog
from games.bots.bot import Bot
from games.bots.roster import bots_for
from games.engine.codec import Codec
from games.engine.game import Game, Ruleset
from games.models import DeckVersion, Match, MatchContent


class Rules(Struct, frozen=True, kw_only=True):
    """Everything fixed about a match, computed once and shared."""

    game: Game
    codec: Codec
    ruleset: Ruleset[Any, Any, Any]
    bots: Mapping[str, Bot]


class NoGame(LookupError):
    """Raised for a game that is not in the catalogue."""


def game_of(key: str) -> Game:
    """A game of the catalogue.

    Raises:
        NoGame: there is none of this name.
    """
    if key not in catalog.GAMES:
        raise NoGame(key)
    return catalog.GAMES[key]


def options_of(game: Game, plain: Mapping[str, Any]) -> Struct:
    """The options of a match from stored or sent plain values; missing ones are defaults.

    Raises:
        msgspec.ValidationError: an unknown option, or a value that is not among the allowed.
    """
    known = {field.name for field in msgspec.structs.fields(game.options_type)}
    if unknown := sorted(set(plain) - known):
        raise msgspec.ValidationError(f"Unknown option {unknown[0]}.")
    return msgspec.convert(dict(plain), game.options_type)


def rules_of(match: Match) -> Rules:
    """The rules of a match. Contents are pinned for good, so they are computed once a process."""
    options = msgspec.json.encode(match.options, order="sorted")
    return _rules(match.game, options, _versions(match.pk))


@lru_cache(maxsize=1024)
def _versions(match_id: UUID) -> tuple[tuple[str, int], ...]:
    pinned = MatchContent.objects.filter(match_id=match_id)
    return tuple(sorted(pinned.values_list("kind", "version_id")))


@lru_cache(maxsize=256)
def _rules(key: str, options: bytes, versions: tuple[tuple[str, int], ...]) -> Rules:
    game = game_of(key)
    stored = DeckVersion.objects.in_bulk([version for _kind, version in versions])
    content = {kind: stored[version].content for kind, version in versions}
    return Rules(
        game=game,
        codec=Codec(game),
        ruleset=game.ruleset(options_of(game, msgspec.json.decode(options)), content),
        bots=bots_for(game, content),
    )
