"""What is asked of a position, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from games.engine.chance import Chance
from games.engine.refusals import IllegalMove
from games.engine.text import Text
from games.position import CastVote, Position
from games.services.codes import Refusal

Seen = Mapping[str, float]  # student id: Unix time when last heard of
Chances = Callable[[], Chance]  # a fresh source, without draws


class Submission(Struct, frozen=True, kw_only=True):
    """Somebody's or something's answer to an open decision.

    ``kind`` as in ``MoveRecord.Kind``: ``move`` (a student's, whose seat is
    looked up), ``teacher``, ``bot`` or ``timeout``. Without a ``move`` the
    rules' default is played.
    """

    decision: int  # version at which the answered decision opened
    at: float
    kind: str = "move"
    move: Any = None  # plain values, as parsed from JSON
    seat: int | None = None
    student: str | None = None
    teacher: str | None = None
    request_id: str | None = None
    confirmed: bool = False  # "we have all agreed": counts of who speaks for the team
    bot_delay_s: float = 2.0  # how long a bot would take over what this opens


class NewRecord(Struct, frozen=True, kw_only=True):
    """A record that is to be written."""

    version: int
    kind: str
    at: float
    seat: int | None = None
    student: str | None = None
    teacher: str | None = None
    decision: int | None = None
    data: str = ""
    draws: tuple[int, ...] = ()
    events: tuple[Any, ...] = ()
    request_id: str | None = None


class Accepted(Struct, frozen=True, kw_only=True):
    """The position after something happened. Nothing is written yet."""

    position: Position
    version: int  # that the asker is told
    record: NewRecord | None = None
    votes: tuple[CastVote, ...] = ()


class Refused(Struct, frozen=True, kw_only=True):
    """Nothing happened; why, for the asker alone."""

    code: str
    text: Text
    rule: str | None = None

    @classmethod
    def of(cls, refusal: Refusal) -> Refused:
        """A refusal of the platform."""
        return cls(code=refusal.value, text=refusal.text)

    @classmethod
    def by_rules(cls, refusal: IllegalMove) -> Refused:
        """A refusal of the game."""
        return cls(code=refusal.code, text=refusal.text, rule=refusal.rule)


class RulesBroken(Exception):
    """Raised when the rules fail on a move: the match is to be frozen (case CF-16)."""
