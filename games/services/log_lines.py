"""The log of a match in words, for pages that show it whole or in part."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from msgspec import Struct

from games.engine.game import Viewer, Watcher
from games.models import MoveRecord
from games.position import Position
from games.selectors.wording import words
from games.services import frames


class Line(Struct, frozen=True, kw_only=True):
    """One event that the viewer may know, as a sentence in the active language."""

    version: int
    seat: int | None  # whose turn it belongs to
    text: str
    rule: str
    by: str = ""  # bot, teacher or timeout, where one of them played for the team


def newest_lines(
    position: Position, number: int, viewer: Viewer = Watcher.TEACHER
) -> list[list[Line]]:
    """What the viewer may know of the last ``number`` records with events, newest line first."""
    records = MoveRecord.objects.filter(match_id=UUID(position.match)).exclude(events="[]")
    lines: list[list[Line]] = []
    for record in records.order_by("-version")[:number]:
        told = [
            position.rules.tell(event, viewer) for event in position.codec.events(record.events)
        ]
        of_record = [_line(position, record, event) for event in told if event is not None]
        lines.append(of_record[::-1])
    return [of_record for of_record in lines if of_record]


def _line(position: Position, record: MoveRecord, event: Any) -> Line:
    return Line(
        version=record.version,
        seat=record.seat,
        text=words(position.rules.line(event)),
        rule=event.rule,
        by=frames.stand_in(record.kind, record.seat, event) or "",
    )
