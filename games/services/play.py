"""What becomes of a position: moves, votes, time, and who may act.

Plain code without a database, so that a batch of moves can be judged before one
transaction writes them (DESIGN section 5). Every result that carries a record
has the next version; a vote has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from games.bots.bot import bot_move
from games.deciding import Member, Stage, Tally, Vote, tally
from games.engine.chance import Chance
from games.engine.game import Decision, Step
from games.engine.refusals import IllegalMove, NotOffered
from games.engine.text import Text
from games.position import (
    REMEMBERED,
    Answered,
    CastVote,
    Opened,
    Position,
    TeamState,
    Timing,
)
from games.services.codes import Refusal

IDLE_TURNS = 3  # COR-DEC-5
RESTART_GRACE_S = 10

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
    """Raised when the rules fail on a move: the match is to be frozen (QUALITY CF-16)."""


def submit(
    position: Position, submission: Submission, *, seen: Seen, chances: Chances
) -> Accepted | Refused:
    """Judge one answer against a position. Reads and writes nothing.

    Repeating a ``request_id`` returns the first answer. A student's answer is a
    vote unless it is an act that any member may carry out (COR-DEC-1); the vote
    that settles the matter carries the team's move with it.

    Raises:
        RulesBroken: the rules failed on the move.
    """
    earlier = position.answered.get(submission.request_id or "")
    if earlier is not None:
        return repeated(position, submission, earlier)
    seat = submission.seat
    if submission.kind == "move":
        seat = None if submission.student is None else position.seat_of(submission.student)
    if seat is None or (submission.kind == "move" and position.teams[seat].played_by != "people"):
        return Refused.of(Refusal.NOT_ALLOWED)
    if refusal := _not_playing(position):
        return Refused.of(refusal)
    opened = position.opened(seat)
    if opened is None or opened.version != submission.decision:
        ahead = submission.decision > position.version
        return Refused.of(Refusal.BAD_MESSAGE if ahead else Refusal.STALE)
    try:
        move = _move(position, submission, opened, chances)
    except msgspec.ValidationError:
        return Refused.of(Refusal.BAD_MESSAGE)
    except Exception as error:
        raise RulesBroken(f"{type(error).__name__} in {position.game.key}") from error
    if submission.kind != "move" or _tag(move) in position.game.acts:
        return _play(position, submission, opened, move, chances)
    return _vote(position, submission, opened, move, seen=seen, chances=chances)


def repeated(position: Position, submission: Submission, earlier: Answered) -> Accepted | Refused:
    """The first answer again, to a request that was carried out before."""
    move = msgspec.json.decode(earlier.move)
    # The vote that settled a decision may have been for another option than the team took.
    voted = move["type"] not in position.game.acts
    if (
        earlier.student == submission.student
        and earlier.decision == submission.decision
        and (voted or move == submission.move)
    ):
        return Accepted(position=position, version=earlier.version)
    return Refused.of(Refusal.CONFLICT)


def settle(
    position: Position,
    seat: int,
    *,
    at: float,
    seen: Seen,
    chances: Chances,
    bot_delay_s: float = 2,
) -> Accepted | None:
    """Look at a vote again because time has passed or somebody came or went.

    Returns None if that changes nothing.

    Raises:
        RulesBroken: the votes settled it and the rules failed on the move.
    """
    opened = position.opened(seat)
    if opened is None or _not_playing(position) or position.teams[seat].played_by != "people":
        return None
    result = standing_vote(position, opened, seen=seen, at=at)
    if result.choice is not None:
        submission = Submission(decision=opened.version, at=at, seat=seat, bot_delay_s=bot_delay_s)
        played = _play(position, submission, opened, result.choice, chances)
        return played if isinstance(played, Accepted) else None
    if result.open_since_s == position.open_since_s.get(seat):
        return None
    return Accepted(position=_stage_kept(position, seat, result), version=position.version)


def standing_vote(position: Position, opened: Opened, *, seen: Seen, at: float) -> Tally[Any]:
    """What the votes about an open decision come to at a Unix time."""
    seat = opened.decision.seat
    return tally(
        position.ballot(opened),
        voters(position, seat, seen),
        position.votes.get(seat, ()),
        position.play_s(at),
    )


def voters(position: Position, seat: int, seen: Seen) -> tuple[Member, ...]:
    """The members of a team as ``deciding`` wants them."""
    return tuple(
        Member(
            id=member.student,
            seen_s=position.play_s(seen[member.student]) if member.student in seen else None,
            shared=member.shared,
        )
        for member in position.teams[seat].members
    )


def expired(position: Position, at: float, *, started_at: float = 0) -> tuple[Submission, ...]:
    """What is played for those whose time is over. Idempotent: each names its decision.

    What was open before the process began, at ``started_at``, has some grace: the
    browsers have to come back first.
    """
    if position.status != "playing":
        return ()
    due = []
    for opened in position.timing.opened:
        deadline_s = position.deadline_s(opened)
        if deadline_s is None:
            continue
        grace_s = RESTART_GRACE_S if position.unix(opened.at_s) < started_at else 0
        if deadline_s + grace_s <= position.play_s(at):
            seat = opened.decision.seat
            kind = "bot" if position.teams[seat].played_by == "bot" else "timeout"
            due.append(Submission(decision=opened.version, at=at, kind=kind, seat=seat))
    return tuple(due)


def deserted(position: Position) -> int | None:
    """The seat whose team let its last three turns run out (COR-DEC-5)."""
    if position.status != "playing":
        return None
    for team in position.teams:
        missed = position.timing.turns[team.seat] - 1 - position.timing.heard[team.seat]
        if team.played_by == "people" and missed >= IDLE_TURNS:
            return team.seat
    return None


# -- changes that are no moves -------------------------------------------------------------


def started(position: Position, *, at: float, teacher: str | None, chances: Chances) -> Accepted:
    """The set-up of a match in the lobby: record 1, which holds the shuffles."""
    seats, chance = len(position.teams), chances()
    step = position.rules.setup(seats, chance)
    blank = replace(
        position,
        status="playing",
        timing=Timing(turns=(0,) * seats, heard=(0,) * seats),
    )
    after = _after_step(blank, step, mover=None, at=at, bot_delay_s=3)
    return _recorded(
        after,
        kind="setup",
        at=at,
        teacher=teacher,
        data={"seats": seats},
        chance=chance,
        events=step.events,
    )


def changed(
    position: Position,
    *,
    kind: str,
    at: float,
    data: Mapping[str, Any] | None = None,
    seat: int | None = None,
    student: str | None = None,
    teacher: str | None = None,
    status: str | None = None,
    teams: Sequence[TeamState] | None = None,
    timing: Timing | None = None,
) -> Accepted:
    """A record that leaves the state as it is: who may act, and whether time runs."""
    after = replace(
        position,
        status=position.status if status is None else status,
        teams=position.teams if teams is None else tuple(teams),
        timing=position.timing if timing is None else timing,
    )
    return _recorded(
        after, kind=kind, at=at, seat=seat, student=student, teacher=teacher, data=data or {}
    )


def paused(
    position: Position,
    *,
    at: float,
    why: str,
    seat: int | None = None,
    student: str | None = None,
    teacher: str | None = None,
) -> Accepted:
    """Time stands still from now on: the teacher wants it, a team is gone, or needs a word."""
    return changed(
        position,
        kind="pause",
        at=at,
        seat=seat,
        student=student,
        teacher=teacher,
        data={"why": why},
        status="paused",
        timing=replace(position.timing, paused_at=at, why=why, why_seat=seat),
    )


def finishing(position: Position, *, round_of: int, at: float, teacher: str | None) -> Accepted:
    """Play goes on until the turn comes to the seat that began; then the match stands still."""
    return changed(
        position,
        kind="finish",
        at=at,
        teacher=teacher,
        data={"round_of": round_of},
        timing=replace(position.timing, last_round=round_of),
    )


def explained(position: Position, *, student: str, decision: int, at: float) -> Accepted | Refused:
    """A team that does not understand a question stops the clock and calls the teacher.

    Rules: COR-QA-10.
    """
    seat = position.seat_of(student)
    if seat is None:
        return Refused.of(Refusal.NOT_ALLOWED)
    if refusal := _not_playing(position):
        return Refused.of(refusal)
    opened = position.opened(seat)
    if opened is None or opened.version != decision:
        return Refused.of(Refusal.STALE)
    if not opened.decision.knowledge:
        return Refused.of(Refusal.NOT_ALLOWED)
    return paused(position, at=at, why="explain", seat=seat, student=student)


def resumed(position: Position, *, at: float, **by: Any) -> Accepted:
    """Time runs again: after a pause, an error, or an end that came too early."""
    timing = position.timing
    stood_s = 0.0 if timing.paused_at is None else max(0.0, at - timing.paused_at)
    timing = replace(
        timing,
        paused_s=timing.paused_s + stood_s,
        paused_at=None,
        why="",
        why_seat=None,
        last_round=None,
        heard=tuple(max(turns - 1, 0) for turns in timing.turns),
    )
    return changed(position, kind="resume", at=at, status="playing", timing=timing, **by)


def stopped(position: Position, *, kind: str, status: str, at: float, **by: Any) -> Accepted:
    """No more moves: ended early, or frozen by an error."""
    timing = position.timing
    if timing.paused_at is None:
        timing = replace(timing, paused_at=at)
    return changed(position, kind=kind, at=at, status=status, timing=timing, **by)


def rewound(
    position: Position, *, to: int, state: Any, at: float, teacher: str | None, chances: Chances
) -> Accepted:
    """The state of an earlier version again, with what is undrawn in a new order.

    All decisions open anew: an answer on its way names one that is gone.
    """
    chance = chances()
    step: Step[Any, Any] = Step(position.rules.reshuffle(state, chance))
    timing = replace(position.timing, opened=())
    status = "paused" if position.timing.paused_at is not None else "playing"
    after = _after_step(
        replace(position, timing=timing, outcome=None, status=status),
        step,
        mover=None,
        at=at,
        bot_delay_s=3,
    )
    return _recorded(after, kind="rewind", at=at, teacher=teacher, data={"to": to}, chance=chance)


# -- inside -------------------------------------------------------------------------------


def _not_playing(position: Position) -> Refusal | None:
    match position.status:
        case "playing":
            return None
        case "ended":
            return Refusal.ENDED
        case "frozen":
            return Refusal.FROZEN
        case _:
            return Refusal.PAUSED


def _move(position: Position, submission: Submission, opened: Opened, chances: Chances) -> Any:
    if submission.move is not None:
        return position.codec.move_from_plain(submission.move)
    if submission.kind == "move":
        raise msgspec.ValidationError("A student's move is missing.")
    # What is drawn to choose is not part of the record; the chosen move is.
    state, decision = position.state, opened.decision
    if submission.kind != "bot":
        return position.rules.default_move(state, decision, chances())
    name = position.teams[decision.seat].bot
    bot = position.bots.get(name) or next(iter(position.bots.values()))
    return bot_move(position.rules, state, decision, bot, chances())


def _tag(move: Any) -> str:
    return str(move.__struct_config__.tag)


def _vote(
    position: Position,
    submission: Submission,
    opened: Opened,
    move: Any,
    *,
    seen: Seen,
    chances: Chances,
) -> Accepted | Refused:
    assert submission.student is not None
    seat, at = opened.decision.seat, submission.at
    if move not in position.rules.legal_moves(position.state, seat):
        return _why_not(position, seat, move, chances)
    seen = {**seen, submission.student: at}
    before = standing_vote(position, opened, seen=seen, at=at)
    vote = Vote(
        voter=submission.student,
        stage=Stage.OPEN if before.stage is Stage.TAKEN else before.stage,
        move=move,
        at_s=position.play_s(at),
        confirmed=submission.confirmed and before.spokesperson == submission.student,
    )
    votes = position.votes.get(seat, ())
    if not _repeats(votes, vote):
        votes = (*votes, vote)
    position = _stage_kept(replace(position, votes={**position.votes, seat: votes}), seat, before)
    cast = (CastVote(decision=opened.version, seat=seat, vote=vote, at=at),)
    after = standing_vote(position, opened, seen=seen, at=at)
    if after.choice is None:
        return Accepted(
            position=_stage_kept(position, seat, after), version=position.version, votes=cast
        )
    played = _play(position, submission, opened, after.choice, chances)
    return replace(played, votes=cast) if isinstance(played, Accepted) else played


def _why_not(position: Position, seat: int, move: Any, chances: Chances) -> Refused:
    """The game's own sentence about a move that is not offered."""
    try:
        position.rules.apply(position.state, seat, move, chances())
    except IllegalMove as refusal:
        return Refused.by_rules(refusal)
    return Refused.by_rules(NotOffered())


def _repeats(votes: Sequence[Vote[Any]], vote: Vote[Any]) -> bool:
    last = next((earlier for earlier in reversed(votes) if earlier.voter == vote.voter), None)
    return (
        last is not None
        and last.move == vote.move
        and last.stage is vote.stage
        and last.confirmed == vote.confirmed
    )


def _stage_kept(position: Position, seat: int, result: Tally[Any]) -> Position:
    """A stage never returns: what the tally found out about it stays."""
    if result.open_since_s is None or result.open_since_s == position.open_since_s.get(seat):
        return position
    return replace(position, open_since_s={**position.open_since_s, seat: result.open_since_s})


def _play(
    position: Position, submission: Submission, opened: Opened, move: Any, chances: Chances
) -> Accepted | Refused:
    seat = opened.decision.seat
    chance = chances()
    try:
        step = position.rules.apply(position.state, seat, move, chance)
        after = _after_step(
            _heard(position, seat) if submission.kind == "move" else position,
            step,
            mover=seat,
            at=submission.at,
            bot_delay_s=submission.bot_delay_s,
        )
        after = _stopped_after_round(after, step.events, at=submission.at)
    except IllegalMove as refusal:
        return Refused.by_rules(refusal)
    except Exception as error:
        raise RulesBroken(f"{type(error).__name__} in {position.game.key}") from error
    return _recorded(
        after,
        kind=submission.kind,
        at=submission.at,
        seat=seat,
        student=submission.student,
        teacher=submission.teacher,
        decision=opened.version,
        data=move,
        chance=chance,
        events=step.events,
        request_id=submission.request_id,
    )


def _heard(position: Position, seat: int) -> Position:
    timing = position.timing
    if timing.heard[seat] == timing.turns[seat]:
        return position
    heard = _with(timing.heard, seat, timing.turns[seat])
    return replace(position, timing=replace(timing, heard=heard))


def _after_step(
    position: Position, step: Step[Any, Any], *, mover: int | None, at: float, bot_delay_s: float
) -> Position:
    """The position with the new state, its open decisions and their votes."""
    decisions = position.rules.decisions(step.state)
    now_s = position.play_s(at)
    turns = position.timing.turns
    opened = []
    for decision in decisions:
        seat = decision.seat
        kept = position.opened(seat)
        if kept is None or seat == mover or kept.decision != decision:
            if seat != mover:
                turns = _with(turns, seat, turns[seat] + 1)
            kept = Opened(
                version=position.version + 1,
                decision=decision,
                at_s=now_s,
                bot_s=now_s + bot_delay_s,
                turn=turns[seat],
            )
        opened.append(kept)
    over = not decisions
    timing = replace(position.timing, opened=tuple(opened), turns=turns)
    if over and timing.paused_at is None:
        timing = replace(timing, paused_at=at)
    same = {o.decision.seat for o in opened if position.opened(o.decision.seat) == o}
    return replace(
        position,
        state=step.state,
        timing=timing,
        status="ended" if over else position.status,
        outcome=position.rules.outcome(step.state) if over else None,
        votes={seat: votes for seat, votes in position.votes.items() if seat in same},
        open_since_s={seat: s for seat, s in position.open_since_s.items() if seat in same},
    )


def _stopped_after_round(position: Position, events: Iterable[Any], *, at: float) -> Position:
    """The position, standing still if the last round that the teacher allowed is over."""
    timing = position.timing
    if timing.last_round is None or position.status != "playing":
        return position
    if timing.last_round not in map(position.rules.turn_begins, events):
        return position
    timing = replace(timing, paused_at=at, why="round", last_round=None)
    return replace(position, status="paused", timing=timing)


def _recorded(
    after: Position,
    *,
    kind: str,
    at: float,
    data: Any,
    seat: int | None = None,
    student: str | None = None,
    teacher: str | None = None,
    decision: int | None = None,
    chance: Chance | None = None,
    events: Iterable[Any] = (),
    request_id: str | None = None,
) -> Accepted:
    record = NewRecord(
        version=after.version + 1,
        kind=kind,
        at=at,
        seat=seat,
        student=student,
        teacher=teacher,
        decision=decision,
        data=msgspec.json.encode(data).decode(),
        draws=tuple(chance.draws) if chance is not None else (),
        events=tuple(events),
        request_id=request_id,
    )
    answered = after.answered
    if request_id is not None:
        answered = {
            **answered,
            request_id: Answered(record.version, student, decision, record.data),
        }
        if len(answered) > REMEMBERED:
            del answered[next(iter(answered))]
    position = replace(after, version=record.version, answered=answered)
    return Accepted(position=position, version=record.version, record=record)


def _with(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])


def owed(position: Position) -> tuple[Decision, ...]:
    """The decisions that play waits for."""
    return tuple(o.decision for o in position.timing.opened if o.decision.required)
