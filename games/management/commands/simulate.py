"""Bots play whole matches of one game; prints what they add up to.

    python manage.py simulate corruption --games 1000 --seed 7 --board one-lesson --json

The figures of docs/rules/corruption-balance.md are made with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec import Struct

from games.bots.roster import NoBot, bot, bots_for
from games.bots.simulation import LONGEST, MoveMeter, Result, simulate
from games.catalog import GAMES
from games.decks.starters import NoStarter, starter, starter_content
from games.engine.game import Game
from games.engine.options import option_fields


class Command(BaseCommand):
    help = "Let bots play whole matches of a game and print the figures."
    requires_system_checks = []  # neither database nor addresses are used

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", choices=sorted(GAMES))
        parser.add_argument("--games", type=int, default=100, help="how many matches")
        parser.add_argument("--seed", type=int, default=1, help="the same seed, the same figures")
        parser.add_argument("--board", help="a starter board; the usual one if left out")
        parser.add_argument("--bots", help="one for each seat: balanced,greedy")
        parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
        parser.add_argument("--longest", type=int, default=LONGEST, help="turns, then broken off")
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def handle(self, *args: Any, **given: Any) -> None:
        game = GAMES[given["game"]]
        if given["games"] < 1:
            raise CommandError("--games must be at least 1.")
        try:
            board = starter(game.key, given["board"])
            content = starter_content(game.key, board.key)
            names = bot_names(game, given["bots"], content)
            bots = [bot(game, name, content) for name in names]
        except (NoStarter, NoBot) as missing:
            raise CommandError(str(missing)) from missing
        options = chosen_options(game, given["option"])
        began = time.perf_counter()
        result = simulate(
            game.ruleset(options, content),
            bots,
            games=given["games"],
            seed=given["seed"],
            meter=game.meter(options, content) or MoveMeter(),
            longest=given["longest"],
            progress=self._progress(given["games"]),
        )
        seconds = time.perf_counter() - began
        report = {"game": game.key, "board": board.key, "bots": names} | as_report(
            result, options, seconds
        )
        if given["json"]:
            self.stdout.write(msgspec.json.encode(report).decode())
        else:
            self.stdout.write(msgspec.json.format(msgspec.json.encode(report)).decode())

    def _progress(self, games: int) -> Callable[[int], None]:
        """A line on stderr, at most once a second and at the end."""
        last = [time.monotonic()]

        def tell(done: int) -> None:
            now = time.monotonic()
            if done == games or now - last[0] >= 1:
                last[0] = now
                self.stderr.write(f"{done} of {games} games", ending="\n")

        return tell


def bot_names(game: Game, given: str | None, content: dict[str, Any]) -> list[str]:
    """One bot a seat: as given, or the game's usual one everywhere."""
    seats = game.seats[0]
    if given is None:
        return [next(iter(bots_for(game, content)))] * seats
    names = [name.strip() for name in given.split(",")]
    if len(names) not in game.seats:
        raise CommandError(f"--bots needs {seats} names, one for each seat.")
    return names


def chosen_options(game: Game, given: list[str]) -> Struct:
    """The options of the game with these changed.

    Raises:
        CommandError: an unknown option or value; the sentence lists what there is.
    """
    fields = {field.name: field for field in option_fields(game.options_type)}
    chosen = {}
    for pair in given:
        name, _, value = pair.partition("=")
        if name not in fields:
            raise CommandError(f"No option {name}. There are: {', '.join(fields)}.")
        values = {str(each).lower(): each for each in fields[name].values}
        if value.lower() not in values:
            raise CommandError(f"{name} can be: {', '.join(values)}.")
        chosen[name] = values[value.lower()]
    return game.options_type(**chosen)


def as_report(result: Result, options: Struct, seconds: float) -> dict[str, Any]:
    """The result with its speed, ready for JSON."""
    return {
        "games": result.games,
        "ended": result.ended,
        "seed": result.seed,
        "options": msgspec.to_builtins(options),
        "turns": msgspec.to_builtins(result.turns),
        "decisions": msgspec.to_builtins(result.decisions),
        "wins": list(result.wins),
        "figures": dict(result.figures),
        "seconds": round(seconds, 2),
        "games_per_s": round(result.games / seconds, 1),
        "turns_per_s": round(result.all_turns / seconds),
        "decisions_per_s": round(result.all_decisions / seconds),
    }
