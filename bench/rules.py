"""How fast a game's rules run: decisions and games a second, replay, and where the time goes.

    python -m bench.rules corruption --rounds 5

Bots play matches first; their moves are then played again, so that the rounds
time the rules and not the bots: legal moves listed, the move looked up in them,
applied with its events, and the position checked. Time is that of the process, so
what else the machine does counts little. Prints one JSON object; every figure is
the median of the rounds with the lowest and the highest beside it.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from games.bots.bot import Bot, bot_move
from games.bots.roster import bots_for
from games.bots.simulation import LONGEST, Meter, MoveMeter, simulate
from games.catalog import GAMES
from games.decks.starters import starter_content
from games.engine.chance import recorded, seeded
from games.engine.codec import Codec
from games.engine.game import Game, Ruleset, Watcher
from games.engine.replay import Record, replay
from games.rules.corruption.content import parse
from games.rules.corruption.meter import CorruptionMeter, check_position
from games.rules.corruption.options import Options

WARM_S = 1.0


class Match:
    """One match played by bots: its records, and the position before each move."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any], bots: list[Bot], seed: int) -> None:
        chance, bots_chance = seeded(seed), seeded(seed + 1)
        step = ruleset.setup(len(bots), chance)
        self.records = [Record(version=1, kind="setup", seats=len(bots), draws=tuple(chance.draws))]
        self.positions: list[tuple[Any, int, Any]] = []
        self.events = list(step.events)
        while open_now := ruleset.decisions(step.state):
            decision = next((each for each in open_now if each.required), open_now[0])
            move = bot_move(ruleset, step.state, decision, bots[decision.seat], bots_chance)
            self.positions.append((step.state, decision.seat, move))
            chance.draws.clear()
            step = ruleset.apply(step.state, decision.seat, move, chance)
            self.records.append(
                Record(
                    version=len(self.records) + 1,
                    kind="move",
                    seat=decision.seat,
                    move=move,
                    draws=tuple(chance.draws),
                )
            )
            self.events += step.events


class Bench:
    """The timed work, over the same matches in every round."""

    def __init__(self, key: str, board: str | None, games: int, bot: str | None) -> None:
        self.game: Game = GAMES[key]
        self.content = starter_content(key, board)
        self.options: Any = self.game.options_type()
        self.ruleset = self.game.ruleset(self.options, self.content)
        known = bots_for(self.game, self.content)
        self.bot = bot or next(iter(known))
        self.bots = [known[self.bot]] * self.game.seats[0]
        self.matches = [Match(self.ruleset, self.bots, 2 * n) for n in range(games)]
        self.decisions = sum(len(match.positions) for match in self.matches)
        self.check = self._check()

    def _check(self) -> Callable[[Any], None]:
        if not isinstance(self.options, Options):
            return lambda state: None
        total = parse(self.content).board.fish_total
        return lambda state: check_position(state, total, finite=True)

    def meter(self) -> Meter:
        if isinstance(self.options, Options):
            return CorruptionMeter(parse(self.content), self.options)
        return MoveMeter()

    def play_again(self) -> None:
        """Every match once more by the rules: legal moves, apply, events, check."""
        ruleset, check = self.ruleset, self.check
        for match in self.matches:
            first, *rest = match.records
            step = ruleset.setup(first.seats or 0, recorded(first.draws))
            for record in rest:
                seat = record.seat
                assert seat is not None
                assert ruleset.decisions(step.state)
                assert record.move in ruleset.legal_moves(step.state, seat)
                step = ruleset.apply(step.state, seat, record.move, recorded(record.draws))
                check(step.state)

    def replay(self) -> None:
        for match in self.matches:
            replay(self.ruleset, match.records)

    def bot_games(self) -> None:
        simulate(
            self.ruleset,
            self.bots,
            games=len(self.matches),
            seed=1,
            meter=self.meter(),
            longest=LONGEST,
        )

    def parts(self) -> dict[str, Callable[[], None]]:
        """The same decisions, one kind of work at a time."""
        ruleset, codec = self.ruleset, Codec(self.game)
        positions = [at for match in self.matches for at in match.positions]
        draws = [
            record.draws
            for match in self.matches
            for record in match.records
            if record.seat is not None
        ]
        events = [event for match in self.matches for event in match.events]
        seats = range(self.game.seats[0])

        def decisions() -> None:
            for state, _, _ in positions:
                ruleset.decisions(state)

        def legal_moves() -> None:
            for state, seat, _ in positions:
                ruleset.legal_moves(state, seat)

        def apply() -> None:
            for (state, seat, move), drawn in zip(positions, draws, strict=True):
                ruleset.apply(state, seat, move, recorded(drawn))

        def check() -> None:
            for state, _, _ in positions:
                self.check(state)

        def observe() -> None:
            for state, _, _ in positions:
                for viewer in (*seats, Watcher.PUBLIC):
                    ruleset.observe(state, viewer)

        def observe_and_encode() -> None:
            for state, _, _ in positions:
                for viewer in (*seats, Watcher.PUBLIC):
                    codec.encode(ruleset.observe(state, viewer))

        def encode_state() -> None:
            for state, _, _ in positions:
                codec.encode(state)

        def lines() -> None:
            for event in events:
                ruleset.line(event)

        return {
            "decisions": decisions,
            "legal moves": legal_moves,
            "apply with events": apply,
            "check": check,
            "observe, every seat and the public": observe,
            "observe and encode": observe_and_encode,
            "encode state": encode_state,
            "log lines": lines,
        }


def timed(work: Callable[[], None], rounds: int) -> list[float]:
    """Seconds of processor time of each round, after a warm-up."""
    until = time.perf_counter() + WARM_S
    work()
    while time.perf_counter() < until:
        work()
    seconds = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return seconds


def rate(amount: int, seconds: list[float]) -> dict[str, float]:
    """``amount`` a second: median, lowest, highest round."""
    rates = [amount / each for each in seconds]
    return {
        "median": round(median(rates), 1),
        "low": round(min(rates), 1),
        "high": round(max(rates), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the rules of a game.")
    parser.add_argument("game", nargs="?", default="corruption", choices=sorted(GAMES))
    parser.add_argument("--board")
    parser.add_argument("--bot")
    parser.add_argument("--games", type=int, default=60, help="matches in a round")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    bench = Bench(given.game, given.board, given.games, given.bot)

    engine = timed(bench.play_again, given.rounds)
    again = timed(bench.replay, given.rounds)
    games = timed(bench.bot_games, given.rounds)
    decided = bench.decisions
    print(
        json.dumps(
            {
                "game": given.game,
                "board": given.board,
                "bot": bench.bot,
                "python": platform.python_version(),
                "machine": platform.machine(),
                "rounds": given.rounds,
                "matches": given.games,
                "decisions": decided,
                "decisions_a_core_second": rate(decided, engine),
                "replayed_decisions_a_core_second": rate(decided, again),
                "replay_to_engine": round(median(engine) / median(again), 2),
                "replay_of_300_decisions_ms": round(300_000 * median(again) / decided, 2),
                "bot_games_a_core_second": rate(given.games, games),
                "us_a_decision": {
                    name: round(1e6 * median(timed(work, given.rounds)) / decided, 2)
                    for name, work in bench.parts().items()
                },
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
