"""What logs and attempts tell about students: a projection, never written on the move path."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from classroom.models.lessons import Lesson
from classroom.models.students import Student


class Fact(models.Model):
    """One fact about one student. Replaced as a whole for each source (a match, an attempt)."""

    class Kind(models.TextChoices):
        KNOWLEDGE = "knowledge", _("knowledge")
        CHOICE = "choice", _("choice in a role")
        PARTICIPATION = "participation", _("participation")

    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="facts")
    student = models.ForeignKey(Student, models.CASCADE, related_name="facts")
    source = models.CharField(max_length=60)  # "match:<id>"
    activity = models.CharField(max_length=40)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    what = models.CharField(max_length=40)
    about = models.CharField(max_length=60, blank=True)
    topic = models.CharField(max_length=60, blank=True)
    value = models.CharField(max_length=60)
    version = models.PositiveIntegerField()  # of the log record that it was read from

    class Meta:
        indexes = [
            models.Index(fields=["student", "kind"]),
            models.Index(fields=["source"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.what} {self.value}"
