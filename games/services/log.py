"""Positions from the database and records into it.

``write`` is the only place that appends to a log. Whoever appends names the
version before; if somebody else was faster, nothing is written (docs/architecture.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import QuerySet
from msgspec import Struct
from msgspec.structs import replace

from classroom import transactions
from games.deciding import DecisionRule, SilentFirst, Stage, Vote as CountedVote
from games.engine.codec import Codec
from games.engine.replay import PLAYED, Record, replay
from games.models import Match, Member, MoveRecord, Team, Vote
from games.position import (
    REMEMBERED,
    Answered,
    CastVote,
    Happened,
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

# The statements of the move path are written out: built anew for every move,
# they cost more than the moves themselves (docs/reference/figures.md).
INSERT_RECORD = """
    INSERT INTO "games_moverecord" (
        "match_id", "version", "kind", "seat", "student_id", "teacher_id", "decision",
        "data", "draws", "events", "request_id", "at"
    ) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
UPDATE_MATCH = """
    UPDATE "games_match" SET "version" = %s, "state" = %s, "timing" = %s, "due_at" = %s
    WHERE "id" = %s AND "version" = %s
"""
COMPARE_MATCH = """
    SELECT 1 FROM "games_match" WHERE "id" = %s AND "version" = %s
"""
UPSERT_VOTE = """
    INSERT INTO "games_vote" (
        "match_id", "decision", "student_id", "seat", "stage", "move", "confirmed", "at_s", "at"
    ) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT ("match_id", "decision", "student_id", "stage") DO UPDATE SET
        "seat" = excluded."seat", "move" = excluded."move", "confirmed" = excluded."confirmed",
        "at_s" = excluded."at_s", "at" = excluded."at"
"""


class LostCompare(Exception):
    """Raised when somebody else was faster, or in the way: nothing was written."""


@contextmanager
def attempt() -> Iterator[None]:
    """One try to write, as a transaction; whoever catches what it raises may try again.

    Raises:
        LostCompare: somebody else was faster, or in the way (case CC-11).
        OperationalError: the same where this is a part of a transaction, which is what then has
            to be done again: ``classroom.transactions.whole``.
    """
    part = connection.in_atomic_block
    try:
        with transaction.atomic():
            yield
    except OperationalError as error:
        if part or not transactions.is_conflict(error):
            raise
        transactions.step_aside()
        raise LostCompare from error


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
    position = shown(match)
    return replace(
        position,
        answered=_answered(match),
        votes=_votes(match, position.codec, position.timing),
    )


def shown(match: Match) -> Position:
    """The position in the row of a match as pages show it: without votes and past requests.

    To judge a move by it would be wrong; that needs ``load``.
    """
    rules = rules_of(match)
    state = rules.codec.state(match.state) if match.state else None
    ended = match.status == Match.Status.ENDED and state is not None
    return replace(
        unplayed(match, rules),
        bots=rules.bots,
        decision_limit_s=match.decision_limit_s,
        status=match.status,
        version=match.version,
        state=state,
        timing=_timing.decode(match.timing) if match.timing else Timing(),
        teams=_teams(match),
        outcome=rules.ruleset.outcome(state) if ended else None,
    )


def unplayed(match: Match, rules: Rules) -> Position:
    """What the row of a match says before anything is played; without teams, bots and limits."""
    return Position(
        match=str(match.pk),
        lesson=str(match.lesson_id),
        classroom=str(match.lesson.classroom_id),
        number=match.number,
        game=rules.game,
        rules=rules.ruleset,
        codec=rules.codec,
        bots={},
        language=match.language,
        decision_rule=DecisionRule(match.decision_rule),
        silent_first=SilentFirst(match.silent_first),
        decision_limit_s=None,
        status=Match.Status.LOBBY.value,
        version=0,
        state=None,
        timing=Timing(),
        teams=(),
        answered={},
    )


def write(changes: Sequence[Change]) -> None:
    """Append the records of all changes and bring the matches up to date.

    To be called inside ``atomic()``; everything or nothing.

    Raises:
        LostCompare: a match is no longer at the version the change starts from.
    """
    # All lock in the same order (case CC-11): no two processes wait for each other.
    changes = sorted(changes, key=lambda change: change.before.match)
    rows = _Rows()
    records = [
        rows.record(change.before, accepted.record)
        for change in changes
        for accepted in change.happened
        if accepted.record is not None
    ]
    moved = [change for change in changes if change.after.version != change.before.version]
    votes = [
        rows.vote(change.before, cast)
        for change in changes
        for accepted in change.happened
        for cast in accepted.votes
    ]
    with connection.cursor() as cursor:
        if records:
            try:
                cursor.executemany(INSERT_RECORD, records)
            except IntegrityError as error:
                raise LostCompare from error
            cursor.executemany(UPDATE_MATCH, [rows.match(change) for change in moved])
            if cursor.rowcount != len(moved):
                raise LostCompare
        if votes:
            _compare(cursor, rows, changes)
            cursor.executemany(UPSERT_VOTE, votes)
    for change in moved:
        if change.after.status != change.before.status:
            _change_status(change)


def answer_to(match_id: UUID | str, request_id: str) -> Answered | None:
    """What became of a request, however long ago; None if it was not carried out."""
    row = _requests(match_id).filter(request_id=request_id).first()
    return None if row is None else _answer(*row[1:])


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


def happened_since(position: Position, version: int) -> list[Happened]:
    """What happened in each record after ``version``, oldest first."""
    rows = (
        MoveRecord.objects.filter(match_id=position.match, version__gt=version)
        .exclude(events="[]")
        .order_by("version")
        .values_list("version", "seat", "events", "kind")
    )
    return [
        Happened(at, seat, position.codec.events(events), kind) for at, seat, events, kind in rows
    ]


# -- inside -----------------------------------------------------------------------------------


def _compare(cursor: Any, rows: _Rows, changes: Iterable[Change]) -> None:
    """Votes alone raise no version; but by an old position somebody might vote who is out."""
    for change in changes:
        before = change.before
        if change.after.version == before.version:
            cursor.execute(COMPARE_MATCH, (rows.uuid(before.match), before.version))
            if cursor.fetchone() is None:
                raise LostCompare


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
    """The last requests that were carried out, oldest first."""
    rows = _requests(match.pk).exclude(request_id=None).order_by("-version")[:REMEMBERED]
    return {request_id: _answer(*row) for request_id, *row in reversed(rows)}


def _requests(match_id: UUID | str) -> QuerySet[MoveRecord, tuple[Any, ...]]:
    return MoveRecord.objects.filter(match_id=match_id).values_list(
        "request_id", "version", "student_id", "decision", "data"
    )


def _answer(version: int, student_id: UUID | None, decision: int | None, data: str) -> Answered:
    return Answered(version, str(student_id) if student_id else None, decision, data)


def _votes(match: Match, codec: Codec, timing: Timing) -> dict[int, tuple[CountedVote[Any], ...]]:
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
                move=codec.move(row.move),
                at_s=row.at_s,
                confirmed=row.confirmed,
            )
            votes.setdefault(row.seat, []).append(vote)
    return {seat: tuple(cast) for seat, cast in votes.items()}


class _Rows:
    """Rows as the database keeps them; what it wants of ids and times is asked once a batch."""

    def __init__(self) -> None:
        self._native_uuid = connection.features.has_native_uuid_field
        self._adapt_time = connection.ops.adapt_datetimefield_value
        self._times: dict[float, Any] = {}  # an act has one time in several rows

    def record(self, before: Position, record: NewRecord) -> tuple[Any, ...]:
        return (
            self.uuid(before.match),
            record.version,
            record.kind,
            record.seat,
            self.uuid(record.student),
            self.uuid(record.teacher),
            record.decision,
            record.data,
            _json.encode(record.draws).decode() if record.draws else "[]",
            _json.encode(record.events).decode(),
            record.request_id,
            self._time(record.at),
        )

    def match(self, change: Change) -> tuple[Any, ...]:
        before, after = change.before, change.after
        return (
            after.version,
            after.codec.encode(after.state).decode(),
            _json.encode(after.timing).decode(),
            self._time(after.due_at()),
            self.uuid(before.match),
            before.version,
        )

    def vote(self, before: Position, cast: CastVote) -> tuple[Any, ...]:
        return (
            self.uuid(before.match),
            cast.decision,
            self.uuid(cast.vote.voter),
            cast.seat,
            cast.vote.stage.value,
            _json.encode(cast.vote.move).decode(),
            cast.vote.confirmed,
            cast.vote.at_s,
            self._time(cast.at),
        )

    def uuid(self, value: str | None) -> UUID | str | None:
        if value is None:
            return None
        return UUID(value) if self._native_uuid else value.replace("-", "")

    def _time(self, at: float | None) -> Any:
        if at is None:
            return None
        if at not in self._times:
            self._times[at] = self._adapt_time(moment(at))
        return self._times[at]


def _change_status(change: Change) -> None:
    before, after = change.before, change.after
    now = moment(_last(change).at)
    fields: dict[str, Any] = {
        "status": after.status,
        "ended_at": now if after.status == Match.Status.ENDED else None,
        "outcome": _outcome(after),
    }
    if before.status == Match.Status.LOBBY:
        fields["started_at"] = now
    Match.objects.filter(pk=before.match).update(**fields)


def _last(change: Change) -> NewRecord:
    return next(a.record for a in reversed(change.happened) if a.record is not None)


def _outcome(position: Position) -> Any:
    if position.outcome is None:
        return None
    return msgspec.to_builtins(position.outcome)


def moment(at: float) -> datetime:
    """A Unix time as the database keeps it."""
    return datetime.fromtimestamp(at, tz=UTC)
