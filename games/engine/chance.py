"""Chance comes from outside and is written down.

A game asks for numbers below a bound and for nothing else, so the list of draws
in a record replays it exactly. Live play uses the operating system's secure
source (case HI-11); tests and simulations a seeded one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


class ChanceExhausted(ValueError):
    """Raised when a replay asks for another draw than the record holds."""


class Chance:
    """Draws from a source and remembers every draw since it was made."""

    __slots__ = ("_below", "draws")

    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below
        self.draws: list[int] = []

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound`` - 1."""
        draw = self._below(bound)
        self.draws.append(draw)
        return draw

    def die(self, faces: int = 6) -> int:
        """One roll, from 1 to ``faces``."""
        return self.below(faces) + 1

    def choice(self, items: Sequence[T]) -> T:
        """One of ``items``, each equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        """``items`` in a new order (Fisher-Yates, one draw for each place but the first)."""
        deck = list(items)
        for place in range(len(deck) - 1, 0, -1):
            other = self.below(place + 1)
            deck[place], deck[other] = deck[other], deck[place]
        return tuple(deck)


def seeded(seed: int) -> Chance:
    """Reproducible chance, for tests and simulations only."""
    return Chance(random.Random(seed).randrange)  # noqa: S311  reproducible on purpose


def recorded(draws: Sequence[int]) -> Chance:
    """Chance that repeats the draws of a record.

    Raises:
        ChanceExhausted: on a draw that the record does not hold, or one out of bounds.
    """
    rest = iter(draws)

    def below(bound: int) -> int:
        draw = next(rest, None)
        if draw is None or not 0 <= draw < bound:
            raise ChanceExhausted(f"The record holds no draw below {bound} here.")
        return draw

    return Chance(below)
