"""A match from its log alone.

The stored state of a match is only a cache of what ``replay`` computes from its
records (QUALITY C3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from games.engine.chance import recorded
from games.engine.game import Ruleset, Step

PLAYED = frozenset({"move", "timeout", "bot", "teacher"})  # kinds of records that carry a move


class Record(Struct, frozen=True, kw_only=True):
    """One line of a log, as far as the rules need it.

    ``version`` counts from 1 without a gap. ``kind`` is ``setup`` (``seats``
    set), one of ``PLAYED`` (``seat`` and ``move`` set), ``rewind`` (``to`` set)
    or anything else, which leaves the state as it is.
    """

    version: int
    kind: str
    seats: int | None = None
    seat: int | None = None
    move: Any = None
    to: int | None = None
    draws: tuple[int, ...] = ()


class BrokenLog(ValueError):
    """Raised when records cannot be the log of a match: a gap, or no setup first."""


def replay(ruleset: Ruleset[Any, Any, Any], records: Iterable[Record]) -> list[Step[Any, Any]]:
    """The step of each record, in order; ``steps[version - 1].state`` is that version.

    Raises:
        BrokenLog: versions with a gap, a first record other than setup, a rewind forward.
        ChanceExhausted: a record that holds fewer draws than its step needs.
        IllegalMove: a move that the rules refuse.
    """
    steps: list[Step[Any, Any]] = []
    for record in records:
        if record.version != len(steps) + 1:
            raise BrokenLog(f"Version {record.version} follows version {len(steps)}.")
        steps.append(_step(ruleset, record, steps))
    return steps


def _step(
    ruleset: Ruleset[Any, Any, Any], record: Record, steps: list[Step[Any, Any]]
) -> Step[Any, Any]:
    chance = recorded(record.draws)
    if record.kind == "setup" and record.seats is not None and not steps:
        return ruleset.setup(record.seats, chance)
    if not steps:
        raise BrokenLog("The first record is no setup.")
    state = steps[-1].state
    if record.kind in PLAYED and record.seat is not None:
        return ruleset.apply(state, record.seat, record.move, chance)
    if record.kind == "rewind" and record.to is not None:
        if not 1 <= record.to < record.version:
            raise BrokenLog(f"Version {record.version} rewinds to {record.to}.")
        return Step(ruleset.reshuffle(steps[record.to - 1].state, chance))
    return Step(state)
