"""A match from its log alone.

The stored state of a match is only a cache of what ``replay`` computes from its
records.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from games.engine.chance import Chance, recorded
from games.engine.game import Ruleset, Step

PLAYED = frozenset({"move", "timeout", "bot", "teacher"})  # kinds of records that carry a move


class Record(Struct, frozen=True, kw_only=True):
    """One line of a log, as far as the rules need it.

    ``version`` counts from 1 without a gap. ``kind`` is ``setup`` (``seats``
    set), one of ``PLAYED`` (``seat`` and ``move`` set), ``rewind`` (``to`` set)
    or anything else, which leaves the state as it is. ``draws`` are those of the
    step alone, not those by which somebody chose the move.
    """

    version: int
    kind: str
    seats: int | None = None
    seat: int | None = None
    move: Any = None
    to: int | None = None
    draws: tuple[int, ...] = ()


class BrokenLog(ValueError):
    """Raised when records cannot be the log of a match: a gap, no setup, draws left."""


def replay(ruleset: Ruleset[Any, Any, Any], records: Iterable[Record]) -> list[Step[Any, Any]]:
    """The step of each record, in order; ``steps[version - 1].state`` is that version.

    Raises:
        BrokenLog: versions with a gap, setup elsewhere than first, a rewind forward, a record
            that does not say what was done or holds more draws than its step needs.
        ChanceExhausted: a record that holds fewer draws than its step needs.
        IllegalMove: a move that the rules refuse.
    """
    steps: list[Step[Any, Any]] = []
    for record in records:
        if record.version != len(steps) + 1:
            raise BrokenLog(f"Version {record.version} follows version {len(steps)}.")
        chance = recorded(record.draws)
        steps.append(_step(ruleset, record, steps, chance))
        if len(chance.draws) != len(record.draws):
            raise BrokenLog(f"Version {record.version} has draws left.")
    return steps


def _step(
    ruleset: Ruleset[Any, Any, Any],
    record: Record,
    steps: list[Step[Any, Any]],
    chance: Chance,
) -> Step[Any, Any]:
    if (record.kind == "setup") == bool(steps):
        raise BrokenLog(f"Version {record.version} is {record.kind}: setup comes first, and once.")
    match record:
        case Record(kind="setup", seats=int(seats)):
            return ruleset.setup(seats, chance)
        case Record(kind="rewind", to=int(to)) if 1 <= to < record.version:
            return Step(ruleset.reshuffle(steps[to - 1].state, chance))
        case Record(kind=kind, seat=int(seat)) if kind in PLAYED:
            return ruleset.apply(steps[-1].state, seat, record.move, chance)
        case Record(kind=kind) if kind in PLAYED or kind in {"setup", "rewind"}:
            raise BrokenLog(f"Version {record.version} does not say what was done.")
        case _:
            return Step(steps[-1].state)
