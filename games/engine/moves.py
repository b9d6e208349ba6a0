"""The moves that a seat may make now: listed, or an amount between two bounds."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from games.engine.chance import Chance

M = TypeVar("M", bound=Struct)


class Listed(Struct, Generic[M], frozen=True, tag="listed"):
    """Each move by itself, in the order in which they are shown."""

    moves: tuple[M, ...]

    def __contains__(self, move: object) -> bool:
        return move in self.moves

    def __len__(self) -> int:
        return len(self.moves)

    def any(self, chance: Chance) -> M:
        """One of the moves, each equally likely."""
        return chance.choice(self.moves)


class Amount(Struct, Generic[M], frozen=True, tag="amount"):
    """One move whose whole number ``field`` may be anything from ``minimum`` to ``maximum``."""

    move: M
    field: str
    minimum: int
    maximum: int

    def __contains__(self, move: object) -> bool:
        value = getattr(move, self.field, None) if type(move) is type(self.move) else None
        return (
            type(value) is int and self.minimum <= value <= self.maximum and move == self.of(value)
        )

    def __len__(self) -> int:
        return self.maximum - self.minimum + 1

    def of(self, value: int) -> M:
        """The move with this amount; the caller keeps to the bounds."""
        return replace(self.move, **{self.field: value})

    def any(self, chance: Chance) -> M:
        """The move with an amount drawn evenly between the bounds."""
        return self.of(self.minimum + chance.below(len(self)))


Moves = Listed[M] | Amount[M]
