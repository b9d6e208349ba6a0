"""What is forgotten in time: guests, old results, links, jobs and their files.

Idempotent: a second run finds nothing to do. Small transactions, so that play
goes on meanwhile (docs/architecture.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet
from django.utils import timezone

from classroom.models import Attendance, Classroom, Invitation, Job, Lesson, Student
from classroom.services import jobs
from classroom.services.personal_data import forget
from classroom.transactions import patient

GUESTS_KEPT = timedelta(hours=24)  # after the lesson, or after the guest was last seen
LINKS_KEPT = timedelta(days=30)  # used or expired, for "who invited whom"
JOBS_KEPT = timedelta(days=7)
PIECE = 50  # rows in one transaction


class Forget(Protocol):
    """Forgets what is due of one kind and says how many; with ``dry`` only counts."""

    def __call__(self, *, dry: bool) -> int: ...


_others: dict[str, Forget] = {}


def register(what: str, forget: Forget) -> None:
    """Let an app forget something of its own. Call it in its ``tasks`` module."""
    _others[what] = forget


@dataclass(frozen=True)
class Done:
    """What one run has done, by count."""

    guests: int
    results: int  # old lessons deleted, leavers made anonymous
    links: int
    jobs: int
    sessions: int
    others: dict[str, int] = field(default_factory=dict)  # of other apps, where not zero


def housekeep(*, dry: bool = False) -> Done:
    """Forget what is due; with ``dry`` only count it."""
    now = timezone.now()
    return Done(
        guests=_guests(now, dry=dry),
        results=_results(now, dry=dry),
        links=_delete(_old_links(now), dry=dry),
        jobs=_jobs(now, dry=dry),
        sessions=_delete(Session.objects.filter(expire_date__lt=now), dry=dry),
        others={what: n for what, forget in _others.items() if (n := forget(dry=dry))},
    )


def _guests(now: datetime, *, dry: bool) -> int:
    """Guests and test students a day after their lesson was closed, or left by everybody."""
    due = Student.objects.exclude(guest_of=None).exclude(name="").filter(
        Q(guest_of__state=Lesson.State.CLOSED, guest_of__closed_at__lt=now - GUESTS_KEPT)
        | ~Q(guest_of__attendance__last_seen_at__gte=now - GUESTS_KEPT),
        created_at__lt=now - GUESTS_KEPT,
    )  # fmt: skip
    return _forget_each(list(due.distinct()), dry=dry)


def _results(now: datetime, *, dry: bool) -> int:
    """Delete lessons that are older than their class keeps results, and forget leavers.

    Students who still come keep their names.
    """
    count = 0
    for classroom in list(Classroom.objects.all()):
        oldest = now - timedelta(days=classroom.keep_days)
        lessons = classroom.lessons.filter(created_at__lt=oldest).exclude(state=Lesson.State.OPEN)
        old = lessons.filter(Q(closed_at=None) | Q(closed_at__lt=oldest))
        leavers = classroom.students.exclude(name="").filter(removed_at__lt=oldest)
        count += _forget_each(list(leavers), dry=dry)
        count += old.count()
        if not dry:
            for lesson_id in list(old.values_list("pk", flat=True)):
                _let_go(lesson_id)
    return count


@patient
def _let_go(lesson_id: UUID) -> None:
    Attendance.objects.filter(lesson_id=lesson_id).delete()
    Lesson.objects.filter(pk=lesson_id).delete()


def _forget_each(students: list[Student], *, dry: bool) -> int:
    if not dry:
        for start in range(0, len(students), PIECE):
            _forget_piece(students[start : start + PIECE])
    return len(students)


@patient
def _forget_piece(students: Sequence[Student]) -> None:
    for student in students:
        forget(student)


def _old_links(now: datetime) -> QuerySet[Invitation]:
    return Invitation.objects.filter(
        Q(used_at__lt=now - LINKS_KEPT) | Q(expires_at__lt=now - LINKS_KEPT)
    )


def _jobs(now: datetime, *, dry: bool) -> int:
    """Jobs a week old with their files, and files that no job knows."""
    old = Job.objects.filter(created_at__lt=now - JOBS_KEPT)
    count = old.count()
    if not dry:
        old.delete()
        known = set(Job.objects.exclude(result="").values_list("result", flat=True))
        for path in jobs.folder().iterdir():
            if path.is_file() and path.name not in known and _is_old(path, now):
                path.unlink()
    return count


def _is_old(path: Path, now: datetime) -> bool:
    return now.timestamp() - path.stat().st_mtime > JOBS_KEPT.total_seconds()


def _delete(rows: QuerySet[Any], *, dry: bool) -> int:
    return rows.count() if dry else rows.delete()[0]
