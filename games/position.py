"""One match as the live part holds it: whole, frozen, made of plain values.

A position is loaded from the database (``selectors.positions``) or comes out of
``services.play``; nobody changes one in place, so threads share them freely.

Two clocks: ``…at`` is a Unix time; ``…_s`` is the match's own clock, which
stands still while the match is paused. ``play_s`` goes from one to the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from games.bots.bot import Bot
from games.deciding import Ballot, DecisionRule, SilentFirst, Vote, starts_silent
from games.engine.codec import Codec
from games.engine.game import Decision, Game, Ruleset


class MemberState(Struct, frozen=True, kw_only=True):
    """A student in a team."""

    student: str  # id
    name: str
    shared: bool = False


class TeamState(Struct, frozen=True, kw_only=True):
    """A seat and who plays it; members in the team's lasting order."""

    seat: int
    name: str
    played_by: str  # people, bot, teacher
    bot: str = ""
    members: tuple[MemberState, ...] = ()


class Opened(Struct, frozen=True, kw_only=True):
    """A decision that is open, and since when."""

    version: int  # at which it opened: its name on the wire
    decision: Decision
    at_s: float
    bot_s: float  # when a bot answers it
    turn: int = 0
    decider: str | None = None  # "this student decides"
    more_time_s: float | None = None


class Timing(Struct, frozen=True, kw_only=True):
    """What the records say about time; stored beside the state, rebuilt by a replay."""

    opened: tuple[Opened, ...] = ()  # at most one a seat
    turns: tuple[int, ...] = ()  # that each seat had so far
    heard: tuple[int, ...] = ()  # turn in which each seat last answered by itself
    paused_s: float = 0.0  # length of all pauses that are over
    paused_at: float | None = None
    why: str = ""  # of the pause: teacher, deserted, explain, round
    why_seat: int | None = None  # the team that it is about
    last_round: int | None = None  # the match stops when the turn comes to this seat


REMEMBERED = 32  # requests that a position holds; older ones are asked of the database


class Answered(Struct, frozen=True):
    """A request that was carried out: its version, and what it asked for."""

    version: int
    student: str | None
    decision: int | None
    move: str  # JSON as it was stored


class CastVote(Struct, frozen=True, kw_only=True):
    """A vote as it is stored."""

    decision: int
    seat: int
    vote: Vote[Any]
    at: float


class Happened(NamedTuple):
    """The events of one record, untold: nobody may be sent them as they are."""

    version: int
    seat: int | None
    events: tuple[Any, ...]
    kind: str = "move"  # of the record: who played it at the time


class Position(Struct, frozen=True, kw_only=True):
    """One match between two records."""

    match: str
    lesson: str
    classroom: str
    number: int
    game: Game
    rules: Ruleset[Any, Any, Any]
    codec: Codec
    bots: Mapping[str, Bot]  # those that can play this game, the usual one first
    language: str
    decision_rule: DecisionRule
    silent_first: SilentFirst
    decision_limit_s: int | None
    status: str
    version: int
    state: Any  # None before the start
    timing: Timing
    teams: tuple[TeamState, ...]
    answered: Mapping[str, Answered]  # the last ones, by request_id
    outcome: Any = None
    votes: Mapping[int, tuple[Vote[Any], ...]] = {}  # by seat, for the decision open there
    open_since_s: Mapping[int, float] = {}  # by seat: when its silent stage ended

    def opened(self, seat: int) -> Opened | None:
        """The decision open for the seat."""
        for opened in self.timing.opened:
            if opened.decision.seat == seat:
                return opened
        return None

    def seat_of(self, student: str) -> int | None:
        """The seat in whose team the student is."""
        for team in self.teams:
            for member in team.members:
                if member.student == student:
                    return team.seat
        return None

    def play_s(self, at: float) -> float:
        """A Unix time on the match's own clock."""
        if self.timing.paused_at is not None:
            at = min(at, self.timing.paused_at)
        return at - self.timing.paused_s

    def unix(self, play_s: float) -> float:
        """A time of the match's own clock as Unix time, if there is no further pause."""
        return play_s + self.timing.paused_s

    def ballot(self, opened: Opened) -> Ballot:
        """The vote about an open decision, as ``deciding`` wants it."""
        return Ballot(
            rule=self.decision_rule,
            silent=starts_silent(self.silent_first, knowledge=opened.decision.knowledge),
            opened_s=opened.at_s,
            turn=opened.turn,
            open_since_s=self.open_since_s.get(opened.decision.seat),
            decider=opened.decider,
            more_time_s=opened.more_time_s,
        )

    def deadline_s(self, opened: Opened) -> float | None:
        """When the decision is answered without its team: rule window, limit, bot's turn."""
        team = self.teams[opened.decision.seat]
        dues = []
        window_s = self.rules.window_s(self.state, opened.decision)
        if window_s is not None:
            dues.append(opened.at_s + window_s)
        elif self.decision_limit_s and opened.decision.required and team.played_by == "people":
            start_s = max(opened.at_s, opened.more_time_s or opened.at_s)
            dues.append(start_s + self.decision_limit_s)
        if team.played_by == "bot":
            dues.append(opened.bot_s)
        return min(dues, default=None)

    def due_at(self) -> float | None:
        """The earliest moment at which something happens by itself, as Unix time."""
        if self.status != "playing":
            return None
        dues = [self.deadline_s(opened) for opened in self.timing.opened]
        due_s = min((due for due in dues if due is not None), default=None)
        return None if due_s is None else self.unix(due_s)
