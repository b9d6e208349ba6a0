"""What was read is looked at and mended before it is saved, or given up."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.db.models import F
from msgspec.structs import replace

from classroom.access import Actor
from classroom.errors import NotThere
from quizzes.access import access_import, access_import_file
from quizzes.import_rows import Row, from_json, mended, to_json
from quizzes.models import ImportDraft
from quizzes.services.imports.keeping import forget_files, unchanged
from quizzes.services.imports.refusals import ImportChanged


def mend_row(*, actor: Actor, draft_id: UUID, number: int, block: str) -> Row:
    """Read one row again, as the teacher has mended it: a question, or what is still wrong.

    Raises:
        NotThere: no such row of an import of the actor's.
    """
    row = _row(access_import_file(actor, draft_id), number)
    new = mended(row, block)
    return _put(draft_id, number, lambda _old: new)


def leave_row(*, actor: Actor, draft_id: UUID, number: int, out: bool) -> Row:
    """Leave a row out of the import, or take it in again.

    Raises:
        NotThere: no such row of an import of the actor's.
    """
    _row(access_import_file(actor, draft_id), number)
    return _put(draft_id, number, lambda old: replace(old, left_out=out))


def give_up(*, actor: Actor, batch: UUID) -> None:
    """Forget an import; the bank is as it was.

    Raises:
        NotThere: no such import of the actor's.
    """
    drafts = access_import(actor, batch)
    ImportDraft.objects.filter(pk__in=[draft.pk for draft in drafts]).delete()
    forget_files([draft.pk for draft in drafts])


def _row(draft: ImportDraft, number: int) -> Row:
    found = next((row for row in from_json(draft.rows) if row.number == number), None)
    if found is None:
        raise NotThere
    return found


def _put(draft_id: UUID, number: int, change: Callable[[Row], Row]) -> Row:
    """Change one row; two windows that mend different rows do not undo each other."""
    while True:
        draft = ImportDraft.objects.filter(pk=draft_id).first()
        if draft is None:
            raise ImportChanged
        new = change(_row(draft, number))
        rows = to_json(new if row.number == number else row for row in from_json(draft.rows))
        if unchanged(draft).update(rows=rows, change=F("change") + 1):
            return new
