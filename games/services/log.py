"""Records into the log of a match.

``write`` is the only place that appends to one. Whoever appends names the
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
from msgspec import Struct

from classroom import transactions
from games.models import Match
from games.position import CastVote, Position
from games.services.play import Accepted, NewRecord

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


def _compare(cursor: Any, rows: _Rows, changes: Iterable[Change]) -> None:
    """Votes alone raise no version; but by an old position somebody might vote who is out."""
    for change in changes:
        before = change.before
        if change.after.version == before.version:
            cursor.execute(COMPARE_MATCH, (rows.uuid(before.match), before.version))
            if cursor.fetchone() is None:
                raise LostCompare


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
