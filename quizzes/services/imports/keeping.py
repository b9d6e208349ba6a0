"""Files wait for a while: where their bytes lie, and when they are forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from classroom.models import Teacher
from quizzes.models import ImportDraft

WAITING_MAX = 60  # files of one teacher in previews
IMPORTS_KEPT = timedelta(days=7)


def path_of(draft_id: UUID) -> Path:
    """Where the bytes of a draft lie."""
    folder = Path(settings.MEDIA_ROOT) / "imports"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / str(draft_id)


def forget_imports(*, dry: bool = False) -> int:
    """Forget previews that are a week old, and files without one."""
    old = ImportDraft.objects.filter(created_at__lt=timezone.now() - IMPORTS_KEPT)
    count = old.count()
    if not dry:
        old.delete()
        known = {str(pk) for pk in ImportDraft.objects.values_list("pk", flat=True)}
        oldest = (timezone.now() - IMPORTS_KEPT).timestamp()
        for path in path_of(uuid4()).parent.iterdir():
            if path.name not in known and path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)
    return count


def forget_oldest(teacher: Teacher) -> None:
    """Keep the newest previews of a teacher, so that nobody fills the disk."""
    newest = ImportDraft.objects.filter(owner=teacher).order_by("-created_at", "-position")
    gone = list(newest.values_list("pk", flat=True)[WAITING_MAX:])
    if gone:
        ImportDraft.objects.filter(pk__in=gone).delete()
        forget_files(gone)


def forget_files(draft_ids: Sequence[UUID]) -> None:
    for draft_id in draft_ids:
        path_of(draft_id).unlink(missing_ok=True)


def unchanged(draft: ImportDraft) -> QuerySet[ImportDraft]:
    """The row of the draft, unless it was changed since it was read."""
    return ImportDraft.objects.filter(pk=draft.pk, change=draft.change)
