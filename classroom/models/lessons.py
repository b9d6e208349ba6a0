"""A lesson: the time in which a class plays and takes checks."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.models.classrooms import Classroom
from classroom.models.students import Student


class Lesson(models.Model):
    """Planned, open (students may join) or closed (may be opened again next week)."""

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    classroom = models.ForeignKey(Classroom, models.CASCADE, related_name="lessons")
    title = models.CharField(_("title"), max_length=120, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.PLANNED)
    activity = models.CharField(max_length=40)  # key of the registered activity: "corruption"
    settings = models.JSONField(default=dict, blank=True)  # the activity's own, validated
    ends_at = models.DateTimeField(null=True, blank=True)  # announced end of the lesson
    joining_locked = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("lesson")
        verbose_name_plural = _("lessons")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.title or f"{self.classroom} {self.created_at:%Y-%m-%d}"


class Attendance(models.Model):
    """A student who joined a lesson, and when it was seen.

    Here now: neither left nor kicked. Here without a device (ticked by the
    teacher): no ``Device`` row.
    """

    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="attendance")
    student = models.ForeignKey(Student, models.CASCADE, related_name="attendance")
    first_seen_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True, blank=True)  # gave the name back, or lesson closed
    kicked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["lesson", "student"], name="one_attendance_a_lesson")
        ]

    def __str__(self) -> str:
        return f"{self.student} ({self.lesson})"


class Device(models.Model):
    """A browser that holds a name in a lesson, or waits for the teacher's nod to do so.

    ``key`` is the hash of a random value in that browser's session. The first tap
    ties the name to its browser; a second one needs the personal code or the
    teacher (docs/architecture.md). Closing the lesson frees all names. A browser whose
    student was sent out is remembered, so that it cannot come back under another name.
    """

    class State(models.TextChoices):
        IN = "in", _("joined")
        WAITING = "waiting", _("waits for the teacher")
        OUT = "out", _("sent out")

    class How(models.TextChoices):
        FIRST = "first", _("tapped the name first")
        CODE = "code", _("gave the personal code")
        TEACHER = "teacher", _("let in by the teacher")

    attendance = models.ForeignKey(Attendance, models.CASCADE, related_name="devices")
    key = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=State.choices)
    how = models.CharField(max_length=8, choices=How.choices)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attendance", "key"], name="one_row_a_device"),
            models.UniqueConstraint(
                fields=["attendance"],
                condition=models.Q(how="first"),
                name="one_first_tap_a_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.state} {self.how}"
