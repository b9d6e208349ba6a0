"""Which records of a log still hold: a rewind takes records back and deletes none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from games.models import MoveRecord


def went_on_from(records: Iterable[MoveRecord]) -> dict[int, int]:
    """Of the version of each record, the version whose state it went on from; 0 is the lobby."""
    return {
        record.version: int(msgspec.json.decode(record.data)["to"])
        if record.kind == MoveRecord.Kind.REWIND
        else record.version - 1
        for record in records
    }


def kept_versions(before: Mapping[int, int]) -> set[int]:
    """The versions that were not taken back, by what each ``went_on_from``."""
    kept = set()
    version = max(before, default=0)
    while version:
        kept.add(version)
        version = before[version]
    return kept
