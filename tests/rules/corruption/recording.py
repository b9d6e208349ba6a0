"""Playthroughs as text that a person can read beside the rule page.

A playthrough names its options, then each answer with its draws, below it what
happened and the position after it. ``python -m tests.rules.corruption.recording``
plays and writes them anew; read the difference before it is committed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from games.bots.bot import bot_move
from games.bots.roster import bot
from games.decks.starters import starter_content
from games.engine.chance import Chance, recorded, seeded
from games.engine.codec import Codec
from games.engine.game import Event, Step
from games.rules.corruption.game import Corruption
from games.rules.corruption.options import Options
from games.rules.corruption.ruleset import CorruptionRuleset
from games.rules.corruption.state import State, TeamState

FOLDER = Path(__file__).parent / "playthroughs"
GAME = Corruption()
CODEC = Codec(GAME)
SEATS = ("red", "blue")
WANTED: dict[str, tuple[int, dict[str, Any]]] = {  # file: seed, options that are no default
    "default": (9, {}),
    "quick-pockets": (
        31,
        {
            "first_team": "blue",
            "start_landing": "end_turn",
            "fish_collection": "auto",
            "debt_repayment": "full_only",
            "bank_tax_timing": "after_landing",
            "wipe_funding": "may_sell",
            "voluntary_sale": True,
        },
    ),
    "strict-records": (
        24,
        {
            "sale_price_basis": "original",
            "recompletion_reward": "once",
            "chance_target": "next_ahead",
            "joker_reward": False,
            "qa_chain_limit": 1,
            "inspector_direction": "forward",
            "finished_fine": "waive",
            "finished_inspector_move": "each_turn_if_affordable",
            "both_finished_move": "finisher_only",
        },
    ),
}
ANSWER = re.compile(r"(red|blue) (\{.*\}) (\[.*\])")


def rules(options: dict[str, Any]) -> CorruptionRuleset:
    return GAME.ruleset(Options(**options), starter_content("corruption"))


def retold(text: str) -> list[str]:
    """The lines of a playthrough as the rules tell them now, from its answers and draws."""
    options, draws, *answers = _given(text)
    ruleset = rules(options)
    step = ruleset.setup(2, recorded(draws))
    lines = [*_opening(options, draws), *_told(ruleset, step)]
    for seat, move, drawn in answers:
        step = ruleset.apply(step.state, seat, move, recorded(drawn))
        lines += [_answer(seat, move, drawn), *_told(ruleset, step)]
    return lines


def played(seed: int, options: dict[str, Any]) -> list[str]:
    """The lines of a match between two bots."""
    ruleset = rules(options)
    chance, choices = seeded(seed), seeded(seed + 1)
    bots = [
        bot(Corruption(), name, starter_content("corruption")) for name in ("balanced", "greedy")
    ]
    logged = Chance(chance.below)
    step = ruleset.setup(2, logged)
    lines = [*_opening(options, logged.draws), *_told(ruleset, step)]
    while decisions := ruleset.decisions(step.state):
        (decision,) = decisions
        move = bot_move(ruleset, step.state, decision, bots[decision.seat], choices)
        logged = Chance(chance.below)
        step = ruleset.apply(step.state, decision.seat, move, logged)
        lines += [_answer(decision.seat, move, logged.draws), *_told(ruleset, step)]
    return lines


def _given(text: str) -> Iterator[Any]:
    """Options, draws of the setup, then seat, move and draws of each answer."""
    lines = iter(text.splitlines())
    yield msgspec.json.decode(next(lines).removeprefix("options "))
    yield msgspec.json.decode(next(lines).removeprefix("setup "))
    for line in lines:
        if found := ANSWER.fullmatch(line):
            seat, move, draws = found.groups()
            yield SEATS.index(seat), CODEC.move(move), msgspec.json.decode(draws)


def _opening(options: dict[str, Any], draws: list[int]) -> list[str]:
    return [f"options {_json(options)}", f"setup {_json(draws)}"]


def _answer(seat: int, move: Any, draws: list[int]) -> str:
    return f"{SEATS[seat]} {_json(move)} {_json(draws)}"


def _told(ruleset: CorruptionRuleset, step: Step[State, Any]) -> list[str]:
    return [*("    " + _event(event) for event in step.events), *_position(ruleset, step.state)]


def _event(event: Event) -> str:
    """Rule, seat, tag and fields of an event."""
    fields = msgspec.to_builtins(event)
    tag, seat = fields.pop("type"), fields.pop("seat")
    words = [f"{name}={_json(value)}" for name, value in fields.items()]
    return " ".join([event.rule, "-" if seat is None else SEATS[seat], tag, *words])


def _position(ruleset: CorruptionRuleset, state: State) -> Iterator[str]:
    teams = " | ".join(
        f"{name} {_team(ruleset, team)}" for name, team in zip(SEATS, state.teams, strict=True)
    )
    yield f"  = river {state.river} bank {state.bank} | {teams}"
    if state.winner is not None:
        yield f"  = {SEATS[state.winner]} wins"


def _team(ruleset: CorruptionRuleset, team: TeamState) -> str:
    built = [
        f"{name}:{paid}"
        for name, paid in zip(ruleset.rules.properties, team.paid, strict=True)
        if paid is not None
    ]
    words = [f"at {team.position} fish {team.possession}"]
    for name in ("insurance", "tokens", "debt", "missed"):
        if number := getattr(team, name):
            words.append(f"{name} {number}")
    if team.sentence is not None:
        words.append(f"jailed {team.sentence.rounds}{' wipe' if team.sentence.wipe else ''}")
    return " ".join([*words, *team.donations, *built])


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    for file, (seed, options) in WANTED.items():
        lines = played(seed, options)
        (FOLDER / f"{file}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
