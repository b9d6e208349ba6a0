"""A class: the boundary of all rights."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.models.teachers import Teacher


class Classroom(models.Model):
    """A class with one owner. Its code lasts but admits only while a lesson is open."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(_("name"), max_length=80)
    owner = models.ForeignKey(Teacher, models.PROTECT, related_name="classrooms")
    co_teachers = models.ManyToManyField(
        Teacher, through="classroom.CoTeacher", related_name="shared_classrooms"
    )
    code = models.CharField(max_length=12, unique=True)
    code_rotated_at = models.DateTimeField(default=timezone.now)
    personal_codes = models.BooleanField(_("students need their personal code"), default=False)
    guests_allowed = models.BooleanField(_("guests may join"), default=False)
    language = models.CharField(_("language"), max_length=8, blank=True)
    keep_days = models.PositiveIntegerField(_("keep results for (days)"), default=365)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")
        ordering = ["name", "created_at"]

    def __str__(self) -> str:
        return self.name


class CoTeacher(models.Model):
    """A colleague who runs lessons, roster, reports and exports of a class."""

    classroom = models.ForeignKey(Classroom, models.CASCADE, related_name="co_teacher_rows")
    teacher = models.ForeignKey(Teacher, models.CASCADE, related_name="co_teacher_rows")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["classroom", "teacher"], name="one_row_a_co_teacher")
        ]

    def __str__(self) -> str:
        return f"{self.teacher} ({self.classroom})"
