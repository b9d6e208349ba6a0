"""Positions from the database and records into it.

``write`` is the only place that appends to a log. Whoever appends names the
version before; if somebody else was faster, nothing is written (DESIGN section 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import IntegrityError
from msgspec import Struct

from games.deciding import DecisionRule, SilentFirst, Stage, Vote as CountedVote
from games.engine.replay import PLAYED, Record, replay
from games.models import Match, Member, MoveRecord, Team, Vote
from games.position import (
    Answered,
    CastVote,
    MemberState,
    Position,
    TeamState,
    Timing,
)
from games.selectors.rulesets import Rules, rules_of
from games.services.play import Accepted, NewRecord

_timing = msgspec.json.Decoder(Timing)
_draws = msgspec.json.Decoder(tuple[int, ...])
_json = msgspec.json.Encoder()


class LostCompare(Exception):
    """Raised when a match was at another version: nothing was written."""


class Change(Struct, frozen=True, kw_only=True):
    """What is to be written for one match: what happened, in order, since ``before``."""

    before: Position
    happened: tuple[Accepted, ...]

    @property
    def after(self) -> Position:
        return self.happened[-1].position


def load(match_id: UUID | str) -> Position:
    """The position of a match as it is stored.

    Raises:
        Match.DoesNotExist: no such match.
    """
    match = Match.objects.select_related("lesson").get(pk=match_id)
    rules = rules_of(match)
    timing = _timing.decode(match.timing) if match.timing else Timing()
    return Position(
        match=str(match.pk),
        lesson=str(match.lesson_id),
        classroom=str(match.lesson.classroom_id),
        number=match.number,
        game=rules.game,
        rules=rules.ruleset,
        codec=rules.codec,
        bots=rules.bots,
        language=match.language,
        decision_rule=DecisionRule(match.decision_rule),
        silent_first=SilentFirst(match.silent_first),
        decision_limit_s=match.decision_limit_s,
        status=match.status,
        version=match.version,
        state=rules.codec.state(match.state) if match.state else None,
        timing=timing,
        teams=_teams(match),
        answered=_answered(match),
        outcome=rules.ruleset.outcome(rules.codec.state(match.state))
        if match.status == Match.Status.ENDED and match.state
        else None,
        votes=_votes(match, rules, timing),
    )


def write(changes: Sequence[Change]) -> None:
    """Append the records of all changes and bring the matches up to date.

    To be called inside ``atomic()``; everything or nothing.

    Raises:
        LostCompare: a match is no longer at the version the change starts from.
    """
    records = [
        _row(change.before, accepted.record)
        for change in changes
        for accepted in change.happened
        if accepted.record is not None
    ]
    try:
        MoveRecord.objects.bulk_create(records)
    except IntegrityError as error:
        raise LostCompare from error
    for change in changes:
        if change.after.version != change.before.version:
            _move_on(change)
    votes = [
        _vote_row(change.before, cast)
        for change in changes
        for accepted in change.happened
        for cast in accepted.votes
    ]
    for vote in votes:  # one by one: a voter may have changed twice in one batch
        Vote.objects.bulk_create(
            [vote],
            update_conflicts=True,
            unique_fields=["match", "decision", "student", "stage"],
            update_fields=["move", "at", "at_s", "confirmed"],
        )


def steps(match: Match, rules: Rules) -> Iterator[Record]:
    """The log of a match as ``engine.replay`` reads it."""
    for record in match.records.order_by("version"):
        data = msgspec.json.decode(record.data) if record.data else {}
        played = record.kind in PLAYED
        yield Record(
            version=record.version,
            kind=record.kind,
            seats=data.get("seats") if record.kind == "setup" else None,
            seat=record.seat,
            move=rules.codec.move(record.data) if played else None,
            to=data.get("to") if record.kind == "rewind" else None,
            draws=_draws.decode(record.draws),
        )


def replayed(match: Match) -> list[Any]:
    """The state after each record, from the log alone; place 0 is version 1."""
    rules = rules_of(match)
    return [step.state for step in replay(rules.ruleset, steps(match, rules))]


def happened_since(position: Position, version: int) -> list[tuple[int, int | None, Any]]:
    """(version, seat, events) of each record after ``version``, untold."""
    rows = (
        MoveRecord.objects.filter(match_id=position.match, version__gt=version)
        .exclude(events="[]")
        .order_by("version")
        .values_list("version", "seat", "events")
    )
    return [(at, seat, position.codec.events(events)) for at, seat, events in rows]


# -- inside -----------------------------------------------------------------------------------


def _teams(match: Match) -> tuple[TeamState, ...]:
    members: dict[int, list[MemberState]] = {}
    rows = (
        Member.objects.filter(team__match=match, left_version=None, student__removed_at=None)
        .order_by("pk")
        .values_list("team_id", "student_id", "student__name", "shared")
    )
    for team_id, student_id, name, shared in rows:
        member = MemberState(student=str(student_id), name=name, shared=shared)
        members.setdefault(team_id, []).append(member)
    return tuple(
        TeamState(
            seat=team.seat,
            name=team.name,
            played_by=team.played_by,
            bot=team.bot,
            members=tuple(members.get(team.pk, ())),
        )
        for team in Team.objects.filter(match=match).order_by("seat")
    )


def _answered(match: Match) -> dict[str, Answered]:
    rows = (
        MoveRecord.objects.filter(match=match)
        .exclude(request_id=None)
        .values_list("request_id", "version", "student_id", "decision", "data")
    )
    return {
        str(request_id): Answered(version, str(student_id) if student_id else None, decision, data)
        for request_id, version, student_id, decision, data in rows
    }


def _votes(match: Match, rules: Rules, timing: Timing) -> dict[int, tuple[CountedVote[Any], ...]]:
    if not timing.opened:
        return {}
    votes: dict[int, list[CountedVote[Any]]] = {}
    opened = {(o.version, o.decision.seat) for o in timing.opened}
    decisions = {version for version, _seat in opened}
    for row in Vote.objects.filter(match=match, decision__in=decisions).order_by("at_s", "pk"):
        if (row.decision, row.seat) in opened:
            vote = CountedVote(
                voter=str(row.student_id),
                stage=Stage(row.stage),
                move=rules.codec.move(row.move),
                at_s=row.at_s,
                confirmed=row.confirmed,
            )
            votes.setdefault(row.seat, []).append(vote)
    return {seat: tuple(cast) for seat, cast in votes.items()}


def _row(before: Position, record: NewRecord) -> MoveRecord:
    return MoveRecord(
        match_id=before.match,
        version=record.version,
        kind=record.kind,
        seat=record.seat,
        student_id=record.student,
        teacher_id=record.teacher,
        decision=record.decision,
        data=record.data,
        draws=_json.encode(record.draws).decode(),
        events=_json.encode(record.events).decode(),
        request_id=record.request_id,
        at=moment(record.at),
    )


def _vote_row(before: Position, cast: CastVote) -> Vote:
    return Vote(
        match_id=before.match,
        decision=cast.decision,
        student_id=cast.vote.voter,
        seat=cast.seat,
        stage=cast.vote.stage.value,
        move=_json.encode(cast.vote.move).decode(),
        confirmed=cast.vote.confirmed,
        at_s=cast.vote.at_s,
        at=moment(cast.at),
    )


def _move_on(change: Change) -> None:
    before, after = change.before, change.after
    due_at = after.due_at()
    fields: dict[str, Any] = {
        "version": after.version,
        "timing": _json.encode(after.timing).decode(),
        "due_at": None if due_at is None else moment(due_at),
    }
    if after.state is not before.state:
        fields["state"] = after.codec.encode(after.state).decode()
    if after.status != before.status:
        now = moment(_last(change).at)
        fields["status"] = after.status
        fields["ended_at"] = now if after.status == Match.Status.ENDED else None
        fields["outcome"] = _outcome(after)
        if before.status == Match.Status.LOBBY:
            fields["started_at"] = now
    moved = Match.objects.filter(pk=before.match, version=before.version).update(**fields)
    if moved != 1:
        raise LostCompare


def _last(change: Change) -> NewRecord:
    return next(a.record for a in reversed(change.happened) if a.record is not None)


def _outcome(position: Position) -> Any:
    if position.outcome is None:
        return None
    return msgspec.to_builtins(position.outcome)


def moment(at: float) -> datetime:
    """A Unix time as the database keeps it."""
    return datetime.fromtimestamp(at, tz=UTC)
