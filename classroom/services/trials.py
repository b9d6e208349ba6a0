"""Test students, with whom a teacher tries a lesson alone, and the device that holds them.

It is no browser's (``classroom.access.test_device``): whichever window of the teacher asks, it is
them. So nobody could tap their name again where other students have to, and they come back here.
"""

from __future__ import annotations

from django.utils import timezone

from classroom.access import test_device
from classroom.models import Attendance, Device, Lesson


def hold(row: Attendance) -> None:
    """Let the test student of this row be in the lesson."""
    row.devices.get_or_create(
        key=test_device(row.student),
        defaults={"state": Device.State.IN, "how": Device.How.TEACHER},
    )


def come_back(lesson: Lesson) -> None:
    """Let the test students of a lesson in again when it opens; who was sent out stays out."""
    rows = Attendance.objects.select_related("student").filter(
        lesson=lesson, student__test=True, student__removed_at=None, kicked_at=None
    )
    for row in rows:
        row.left_at, row.last_seen_at = None, timezone.now()
        row.save(update_fields=["left_at", "last_seen_at"])
        hold(row)
