"""What a game brings to the suite that every game passes.

Each game has ``tests/rules/<key>/subject.py`` with one ``SUBJECT``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from games.engine.chance import Chance
from games.engine.game import Decision, Game, Ruleset, Viewer


class Turn(Struct, frozen=True, kw_only=True):
    """One move of a play with the positions around it."""

    before: Any
    seat: int
    move: Any
    after: Any


class Subject(ABC):
    """One game under test."""

    game: ClassVar[Game]
    longest: ClassVar[int]  # moves after which a play by chance must be over

    @abstractmethod
    def content(self) -> Mapping[str, Any]:
        """Plain board and decks by ``ContentKind.key``."""

    def choose(
        self, ruleset: Ruleset[Any, Any, Any], state: Any, decision: Decision, chance: Chance
    ) -> Any:
        """A legal move by chance.

        A game that even chances would hardly ever end mixes in moves of its bots.
        """
        return ruleset.legal_moves(state, decision.seat).any(chance)

    @abstractmethod
    def value(self, ruleset: Ruleset[Any, Any, Any], state: Any) -> Hashable:
        """What no move may change: the sum of all money, the set of all cards."""

    @abstractmethod
    def twin(
        self, ruleset: Ruleset[Any, Any, Any], turn: Turn, viewer: Viewer, chance: Chance
    ) -> tuple[Any, Any]:
        """Another position and move in place of ``turn.before`` and ``turn.move``.

        They differ from them only in what ``viewer`` knows neither before nor
        after the turn, and where something of that kind is there, they do
        differ, given the right chance.
        """


def exchanged(items: Sequence[Any], hidden: set[Any], chance: Chance) -> dict[Any, Any]:
    """Each of ``items`` by itself, those in ``hidden`` by another of them."""
    moving = [item for item in items if item in hidden]
    return {item: item for item in items} | dict(zip(moving, chance.shuffled(moving), strict=True))
