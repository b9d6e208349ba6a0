"""How the members of a team decide together. Rules: COR-DEC-1 to COR-DEC-6.

Pure values: who is there, who voted what and when, and the seconds on one clock
of the caller. That clock may start anywhere, never runs backwards and stands
still while the match is paused. The caller asks ``tally`` again after every vote
and change of presence, and when ``Tally.due_in_s`` have passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from games.engine.text import Text, gettext_noop as _, say

M = TypeVar("M")

SILENT_S = 20  # each answers alone no longer than this
PRESENT_S = 20  # a member not seen for so long does not count
SPLIT_TEAM_S = 30  # without a change, then the team is told that it is split
SPLIT_DESK_S = 60  # without a change, then the teacher's desk is told


class DecisionRule(Enum):
    """What makes a choice the team's choice."""

    MAJORITY = "majority"  # more than half of the connected members
    UNANIMOUS = "unanimous"  # all connected members
    SPOKESPERSON = "spokesperson"  # one device confirms for all


class SilentFirst(Enum):
    """Which decisions begin with each member answering alone."""

    QUESTIONS = "questions"  # those that ask what the team knows
    ALWAYS = "always"
    NEVER = "never"


class Stage(Enum):
    """Where a decision of a team stands."""

    SILENT = "silent"  # each answers alone
    OPEN = "open"  # votes are shown inside the team and can be changed
    TAKEN = "taken"  # final


class Attention(Enum):
    """Who needs to hear that a team makes no progress."""

    NOBODY = "nobody"
    TEAM = "team"
    DESK = "desk"  # the team and the teacher's desk


class Member(Struct, frozen=True, kw_only=True):
    """One who may vote: a student, or the device that several students share.

    Students without a device of their own are no members here; they speak
    through the shared one.
    """

    id: str
    seen_s: float | None  # when last heard of; None: not in this match
    shared: bool = False  # a device that speaks for several students


class Vote(Struct, Generic[M], frozen=True, kw_only=True):
    """One vote as it was stored. Votes are given to ``tally`` in the order of ``at_s``."""

    voter: str  # Member.id
    stage: Stage  # Tally.stage when the vote came: SILENT or OPEN
    move: M
    at_s: float
    confirmed: bool = False  # the spokesperson's answer to "have we all agreed?"


class Ballot(Struct, frozen=True, kw_only=True):
    """One open decision of a team, as far as voting is concerned.

    The caller keeps it as long as the decision is open and writes
    ``Tally.open_since_s`` back into it, so that a stage never returns.
    """

    rule: DecisionRule
    silent: bool  # see starts_silent
    opened_s: float  # when the decision opened
    turn: int = 0  # turns the team has had before; moves the spokesperson on
    open_since_s: float | None = None
    decider: str | None = None  # the teacher said "this student decides": Member.id
    more_time_s: float | None = None  # when the teacher last gave more time


class Option(Struct, Generic[M], frozen=True, kw_only=True):
    """One option with the connected members behind it, in the team's order."""

    move: M
    voters: tuple[str, ...]


class Tally(Struct, Generic[M], frozen=True, kw_only=True):
    """What the votes come to now.

    ``choice`` is set exactly when ``stage`` is TAKEN; the caller then writes the
    last vote and the team's move in one transaction. ``options`` is for the
    server: what one member may see of it is told by ``show``.
    """

    stage: Stage
    choice: M | None
    options: tuple[Option[M], ...]  # most voters first, then in order of first vote
    waiting: tuple[str, ...]  # connected members whose answer is still needed
    split: tuple[int, ...]  # voters behind each option, most first; () while not split
    attention: Attention
    spokesperson: str | None  # whose confirmed vote settles it; None: votes are counted
    open_since_s: float | None  # to be kept in the Ballot
    due_in_s: float | None  # when to ask again at the latest; None: only after news


class Shown(Struct, Generic[M], frozen=True, kw_only=True):
    """What one member, or the teacher's desk, may see of a running vote."""

    stage: Stage
    members: int  # connected
    voted: tuple[str, ...]  # who has voted in this stage
    own: M | None  # the viewer's vote
    options: tuple[Option[M], ...]  # empty while each answers alone


def starts_silent(silent_first: SilentFirst, *, knowledge: bool) -> bool:
    """Whether a decision begins with the silent stage; ``knowledge`` as in ``Decision``."""
    match silent_first:
        case SilentFirst.ALWAYS:
            return True
        case SilentFirst.NEVER:
            return False
        case SilentFirst.QUESTIONS:
            return knowledge


def connected(members: Iterable[Member], now_s: float) -> tuple[Member, ...]:
    """The members seen in the last ``PRESENT_S`` seconds, in the team's order."""
    return tuple(m for m in members if m.seen_s is not None and now_s - m.seen_s < PRESENT_S)


def spokesperson(members: Sequence[Member], turn: int, now_s: float) -> str | None:
    """The member who confirms for the team: the shared device, else one a turn.

    An absent member passes it on to the next in the team's order. None while
    nobody is connected.
    """
    here = {m.id for m in connected(members, now_s)}
    for member in members:
        if member.shared and member.id in here:
            return member.id
    for place in range(len(members)):
        member = members[(turn + place) % len(members)]
        if member.id in here:
            return member.id
    return None


class Holder(Protocol):
    """Whoever holds a device of a team: a ``Member``, or what a match keeps of one."""

    @property
    def shared(self) -> bool: ...


def decides_alone(members: Sequence[Holder]) -> bool:
    """Whether a team is one student, who has nobody to speak for (COR-DEC-2)."""
    return len(members) == 1 and not members[0].shared


def tally(
    ballot: Ballot, members: Sequence[Member], votes: Sequence[Vote[M]], now_s: float
) -> Tally[M]:
    """What the votes of a team come to at ``now_s``.

    ``members`` in the team's lasting order, absent ones too; ``votes`` all stored
    ones of this decision, oldest first. Each member's last vote counts, in the
    open stage also the one of the silent stage until it is changed. Votes of
    absent or former members do not count. While nobody is connected nothing is
    taken.

    Rules: COR-DEC-2, COR-DEC-3.
    """
    here = connected(members, now_s)
    open_since_s = _open_since_s(ballot, here, votes, now_s)
    stage = Stage.SILENT if open_since_s is None else Stage.OPEN
    standing = _standing(here, votes)
    options = _options(here, standing)
    speaker = _speaker(ballot, members, here, now_s)
    choice: Option[M] | None = None
    if stage is Stage.OPEN:
        choice = _confirmed(speaker, votes) if speaker else _counted(ballot.rule, here, options)
    if choice is not None:
        return Tally(
            stage=Stage.TAKEN,
            choice=choice.move,
            options=options,
            waiting=(),
            split=(),
            attention=Attention.NOBODY,
            spokesperson=speaker,
            open_since_s=open_since_s,
            due_in_s=None,
        )
    split: tuple[int, ...] = ()
    attention = Attention.NOBODY
    due_s = [m.seen_s + PRESENT_S for m in here if m.seen_s is not None]
    if open_since_s is None:
        due_s.append(ballot.opened_s + SILENT_S)
    elif options:
        split = tuple(len(o.voters) for o in options) if len(options) > 1 else ()
        quiet_from_s = _last_change_s(ballot, here, votes, open_since_s)
        attention = _attention(now_s - quiet_from_s)
        due_s += [quiet_from_s + SPLIT_TEAM_S, quiet_from_s + SPLIT_DESK_S]
    return Tally(
        stage=stage,
        choice=None,
        options=options,
        waiting=_waiting(stage, here, standing, speaker),
        split=split,
        attention=attention,
        spokesperson=speaker,
        open_since_s=open_since_s,
        due_in_s=min((due - now_s for due in due_s if due > now_s), default=None),
    )


def show(result: Tally[M], members: Sequence[Member], viewer: str | None, now_s: float) -> Shown[M]:
    """What ``viewer`` may see: a member of this team, or None for the teacher's desk.

    In the silent stage everybody sees who has voted and only their own vote.
    Other teams, classmates and the projector see nothing of a vote.
    """
    voted = {voter for option in result.options for voter in option.voters}
    own = next((option.move for option in result.options if viewer in option.voters), None)
    here = connected(members, now_s)
    return Shown(
        stage=result.stage,
        members=len(here),
        voted=tuple(m.id for m in here if m.id in voted),
        own=own,
        options=() if result.stage is Stage.SILENT else result.options,
    )


def backing_needed(rule: DecisionRule, here: int) -> int:
    """How many of ``here`` connected members make a choice the team's, where votes are counted."""
    return here if rule is DecisionRule.UNANIMOUS else here // 2 + 1


def split_line(result: Tally[M]) -> Text:
    """What a split team reads; ``result.split`` is not empty."""
    return say(
        _("You are split %(sides)s. Each side gives one reason, then vote again."),
        sides="–".join(str(voters) for voters in result.split),
    )


def _open_since_s(
    ballot: Ballot, here: Sequence[Member], votes: Sequence[Vote[M]], now_s: float
) -> float | None:
    """When each had answered alone; None while that lasts.

    The shared device speaks for several, so it is not waited for.
    """
    if ballot.open_since_s is not None:
        return ballot.open_since_s
    if not ballot.silent:
        return ballot.opened_s
    opened = [vote.at_s for vote in votes if vote.stage is Stage.OPEN]
    if opened:
        return min(opened)
    if now_s >= ballot.opened_s + SILENT_S:
        return ballot.opened_s + SILENT_S
    voted = {vote.voter for vote in votes}
    alone = [m.id for m in here if not m.shared]
    if here and voted.issuperset(alone):
        return now_s
    return None


def _standing(here: Sequence[Member], votes: Iterable[Vote[M]]) -> dict[str, M]:
    """The last vote of each connected member, in the order of the first ones."""
    ids = {m.id for m in here}
    return {vote.voter: vote.move for vote in votes if vote.voter in ids}


def _options(here: Sequence[Member], standing: dict[str, M]) -> tuple[Option[M], ...]:
    moves: list[M] = []
    for move in standing.values():
        if move not in moves:
            moves.append(move)
    options = [
        Option(
            move=move,
            voters=tuple(m.id for m in here if m.id in standing and standing[m.id] == move),
        )
        for move in moves
    ]
    return tuple(sorted(options, key=lambda option: -len(option.voters)))


def _speaker(
    ballot: Ballot, members: Sequence[Member], here: Sequence[Member], now_s: float
) -> str | None:
    """Whose confirmation settles it: the teacher's choice, the rule's, a shared device alone."""
    if decides_alone(members):
        return None
    if ballot.decider is not None and any(m.id == ballot.decider for m in here):
        return ballot.decider
    if ballot.rule is DecisionRule.SPOKESPERSON:
        return spokesperson(members, ballot.turn, now_s)
    if len(here) == 1 and here[0].shared:
        return here[0].id  # one device for all: it asks whether they have all agreed
    return None


def _confirmed(speaker: str, votes: Sequence[Vote[M]]) -> Option[M] | None:
    last = next((vote for vote in reversed(votes) if vote.voter == speaker), None)
    if last is None or not last.confirmed or last.stage is not Stage.OPEN:
        return None
    return Option(move=last.move, voters=(speaker,))


def _counted(
    rule: DecisionRule, here: Sequence[Member], options: tuple[Option[M], ...]
) -> Option[M] | None:
    needed = backing_needed(rule, len(here))
    if options and len(options[0].voters) >= needed:
        return options[0]
    return None


def _waiting(
    stage: Stage, here: Sequence[Member], standing: dict[str, M], speaker: str | None
) -> tuple[str, ...]:
    if stage is Stage.OPEN and speaker is not None:
        return (speaker,)
    return tuple(
        m.id for m in here if m.id not in standing and not (m.shared and stage is Stage.SILENT)
    )


def _last_change_s(
    ballot: Ballot, here: Sequence[Member], votes: Iterable[Vote[M]], open_since_s: float
) -> float:
    """When the picture last changed: a repeated vote for the same is no change."""
    changed_s = open_since_s
    ids = {m.id for m in here}
    standing: dict[str, M] = {}
    for vote in votes:
        if vote.voter in ids and (vote.voter not in standing or standing[vote.voter] != vote.move):
            changed_s = max(changed_s, vote.at_s)
            standing[vote.voter] = vote.move
    return changed_s if ballot.more_time_s is None else max(changed_s, ballot.more_time_s)


def _attention(quiet_s: float) -> Attention:
    if quiet_s >= SPLIT_DESK_S:
        return Attention.DESK
    return Attention.TEAM if quiet_s >= SPLIT_TEAM_S else Attention.NOBODY
