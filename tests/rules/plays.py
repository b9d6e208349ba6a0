"""Plays by chance, for every game alike."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct

from games.engine.chance import Chance, seeded
from games.engine.facts import LoggedStep, LoggedVote, Play as PlayOfMatch
from games.engine.game import Decision, Ruleset, Step, Viewer, Watcher
from games.engine.options import option_fields
from games.engine.replay import Record
from tests.rules.subject import Subject, Turn

TIMEOUT_ONE_IN = 8  # answers that are the default move


class Play(Struct, frozen=True, kw_only=True, dict=True):
    """A play with its log and the step of each record."""

    subject: Subject
    ruleset: Ruleset[Any, Any, Any]
    seats: int
    records: tuple[Record, ...]
    steps: tuple[Step[Any, Any], ...]
    opened: tuple[dict[Decision, int], ...]  # by version: when each open decision opened

    @cached_property
    def states(self) -> tuple[Any, ...]:
        return tuple(step.state for step in self.steps)

    @cached_property
    def events(self) -> tuple[Any, ...]:
        return tuple(event for step in self.steps for event in step.events)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(
            Turn(
                before=self.states[record.version - 2],
                seat=record.seat,
                move=record.move,
                after=self.states[record.version - 1],
            )
            for record in self.records
            if record.seat is not None
        )

    @property
    def is_over(self) -> bool:
        return not self.ruleset.decisions(self.states[-1])

    def viewers(self) -> tuple[Viewer, ...]:
        return (*range(self.seats), *Watcher)

    def as_match(self) -> PlayOfMatch:
        """The play as facts are read from it: one student a seat, who votes alone first."""
        answers = [record for record in self.records if record.seat is not None]
        return PlayOfMatch(
            steps=tuple(
                LoggedStep(
                    version=record.version,
                    kind=record.kind,
                    seat=record.seat,
                    decision=self._decision(record),
                    student=student(record.seat) if record.kind == "move" else None,
                    move=record.move,
                    events=step.events,
                )
                for record, step in zip(self.records, self.steps, strict=True)
            ),
            votes=tuple(
                LoggedVote(
                    decision=self._decision(record) or 0,
                    student=student(record.seat),
                    seat=record.seat or 0,
                    stage="silent",
                    move=record.move,
                )
                for record in answers
                if record.kind == "move"
            ),
        )

    def _decision(self, record: Record) -> int | None:
        if record.seat is None:
            return None
        before = self.opened[record.version - 2]
        return next(version for decision, version in before.items() if decision.seat == record.seat)


def student(seat: int | None) -> str:
    return f"student-{seat}"


def by_chance(
    subject: Subject,
    ruleset: Ruleset[Any, Any, Any],
    seats: int,
    chance: Chance,
) -> Play:
    """A play whose every answer is drawn, to its end, but no longer than ``longest``."""
    setup_chance = Chance(chance.below)
    steps = [ruleset.setup(seats, setup_chance)]
    records = [Record(version=1, kind="setup", seats=seats, draws=tuple(setup_chance.draws))]
    opened = [dict.fromkeys(ruleset.decisions(steps[0].state), 1)]
    while opened[-1] and len(records) <= subject.longest:
        record, step = answer(subject, ruleset, steps[-1].state, len(records) + 1, chance)
        records.append(record)
        steps.append(step)
        opened.append(
            {
                decision: opened[-1].get(decision, record.version)
                if decision.seat != record.seat
                else record.version
                for decision in ruleset.decisions(step.state)
            }
        )
    return Play(
        subject=subject,
        ruleset=ruleset,
        seats=seats,
        records=tuple(records),
        steps=tuple(steps),
        opened=tuple(opened),
    )


def answer(
    subject: Subject,
    ruleset: Ruleset[Any, Any, Any],
    state: Any,
    version: int,
    chance: Chance,
) -> tuple[Record, Step[Any, Any]]:
    """The record and step of one drawn answer to one of the open decisions."""
    decision = chance.choice(ruleset.decisions(state))
    late = chance.below(TIMEOUT_ONE_IN) == 0
    if late:
        move = ruleset.default_move(state, decision, chance)
    else:
        move = subject.choose(ruleset, state, decision, chance)
    logged = Chance(chance.below)
    step = ruleset.apply(state, decision.seat, move, logged)
    return (
        Record(
            version=version,
            kind="timeout" if late else "move",
            seat=decision.seat,
            move=move,
            draws=tuple(logged.draws),
        ),
        step,
    )


@lru_cache(maxsize=8)
def seeded_play(subject: Subject, seed: int) -> Play:
    """The play of a seed: an even seed with the default options, an odd one with drawn ones."""
    chance = seeded(seed)
    options = subject.game.options_type()
    if seed % 2:
        options = subject.game.options_type(
            **{
                field.name: chance.choice(field.values)
                for field in option_fields(subject.game.options_type)
            }
        )
    ruleset = subject.game.ruleset(options, subject.content())
    return by_chance(subject, ruleset, chance.choice(subject.game.seats), chance)
