"""Whole matches between bots, and what they add up to.

Reproducible: the same ruleset, bots, seed and number of games give the same
figures. Each game has its own two sources of chance, one for the rules and one
for the bots, so that a game can be played again alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

from msgspec import Struct

from games.bots.bot import Bot, bot_move
from games.engine.chance import Chance, seeded
from games.engine.game import Decision, Ruleset, Step

LONGEST = 1000  # turns after which a game counts as not ended


class Spread(Struct, frozen=True, kw_only=True):
    """How a number lies over many games (nearest rank)."""

    p5: float
    median: float
    p95: float
    p99: float
    max: float


class Result(Struct, frozen=True, kw_only=True):
    """What many games add up to. ``wins`` by seat; ``figures`` as the meter gives them."""

    games: int
    ended: int
    seed: int
    turns: Spread
    decisions: Spread
    wins: tuple[int, ...]
    figures: Mapping[str, Any]
    all_turns: int
    all_decisions: int


class Meter(ABC):
    """Watches every game of a simulation: counts turns, checks positions, collects figures."""

    @abstractmethod
    def begin(self, step: Step[Any, Any]) -> None:
        """A game has been set up."""

    @abstractmethod
    def saw(self, decision: Decision, move: Any, step: Step[Any, Any]) -> None:
        """A decision was answered."""

    @property
    @abstractmethod
    def turns(self) -> int:
        """Turns of the game so far, in the game's own sense."""

    @abstractmethod
    def end(self, winners: tuple[int, ...] | None) -> None:
        """The game is over; None: it was broken off."""

    @abstractmethod
    def figures(self) -> Mapping[str, Any]:
        """What all games add up to, ready for JSON."""


class MoveMeter(Meter):
    """For games without a meter of their own: every move counts as a turn."""

    def __init__(self) -> None:
        self._turns = 0

    def begin(self, step: Step[Any, Any]) -> None:
        self._turns = 0

    def saw(self, decision: Decision, move: Any, step: Step[Any, Any]) -> None:
        self._turns += 1

    @property
    def turns(self) -> int:
        return self._turns

    def end(self, winners: tuple[int, ...] | None) -> None:
        """Nothing to collect."""

    def figures(self) -> Mapping[str, Any]:
        return {}


def play(
    ruleset: Ruleset[Any, Any, Any],
    bots: Sequence[Bot],
    *,
    rules_chance: Chance,
    bots_chance: Chance,
    meter: Meter,
    longest: int = LONGEST,
) -> tuple[int, tuple[int, ...] | None]:
    """Play one game to its end. Returns the number of decisions and the winners, if it ended."""
    step = ruleset.setup(len(bots), rules_chance)
    meter.begin(step)
    decided = 0
    while open_decisions := ruleset.decisions(step.state):
        if meter.turns >= longest:
            meter.end(None)
            return decided, None
        decision = next((each for each in open_decisions if each.required), open_decisions[0])
        move = bot_move(ruleset, step.state, decision, bots[decision.seat], bots_chance)
        step = ruleset.apply(step.state, decision.seat, move, rules_chance)
        decided += 1
        meter.saw(decision, move, step)
    outcome = ruleset.outcome(step.state)
    winners = () if outcome is None else outcome.winners
    meter.end(winners)
    return decided, winners


def simulate(
    ruleset: Ruleset[Any, Any, Any],
    bots: Sequence[Bot],
    *,
    games: int,
    seed: int,
    meter: Meter,
    longest: int = LONGEST,
    progress: Callable[[int], None] = lambda done: None,
) -> Result:
    """Play ``games`` games, one bot a seat, and add them up.

    ``progress`` is called with the number of games played after each of them.
    """
    turns, decisions = [], []
    wins = [0] * len(bots)
    ended = 0
    for number in range(games):
        game_seed = 2 * (seed * 1_000_000 + number)
        decided, winners = play(
            ruleset,
            bots,
            rules_chance=seeded(game_seed),
            bots_chance=seeded(game_seed + 1),
            meter=meter,
            longest=longest,
        )
        turns.append(meter.turns)
        decisions.append(decided)
        ended += winners is not None
        for seat in winners or ():
            wins[seat] += 1
        progress(number + 1)
    return Result(
        games=games,
        ended=ended,
        seed=seed,
        turns=spread(turns),
        decisions=spread(decisions),
        wins=tuple(wins),
        figures=meter.figures(),
        all_turns=sum(turns),
        all_decisions=sum(decisions),
    )


def spread(numbers: Sequence[float]) -> Spread:
    """How the numbers lie; all 0 if there are none."""
    ordered = sorted(numbers) or [0]

    def rank(share_pct: int) -> float:
        return ordered[max(ceil(len(ordered) * share_pct / 100), 1) - 1]

    return Spread(p5=rank(5), median=rank(50), p95=rank(95), p99=rank(99), max=ordered[-1])
