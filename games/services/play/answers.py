"""Answers to open decisions: moves, and the votes that come to one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from games.bots.bot import bot_move
from games.deciding import Member, Stage, Tally, Vote, tally
from games.engine.refusals import IllegalMove, NotOffered
from games.position import Answered, CastVote, Opened, Position
from games.services.codes import Refusal
from games.services.play.results import Accepted, Chances, Refused, RulesBroken, Seen, Submission
from games.services.play.steps import after_step, not_playing, recorded, with_value


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
    if refusal := not_playing(position):
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
    if opened is None or not_playing(position) or position.teams[seat].played_by != "people":
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
        after = after_step(
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
    return recorded(
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
    heard = with_value(timing.heard, seat, timing.turns[seat])
    return replace(position, timing=replace(timing, heard=heard))


def _stopped_after_round(position: Position, events: Iterable[Any], *, at: float) -> Position:
    """The position, standing still if the last round that the teacher allowed is over."""
    timing = position.timing
    if timing.last_round is None or position.status != "playing":
        return position
    if timing.last_round not in map(position.rules.turn_begins, events):
        return position
    timing = replace(timing, paused_at=at, why="round", last_round=None)
    return replace(position, status="paused", timing=timing)
