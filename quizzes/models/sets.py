"""Sets of questions: who may use them is settled here, for all questions in a set."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.models import Teacher


class QuestionSet(models.Model):
    """Questions that belong together. Without an owner the set is built in and read only."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    owner = models.ForeignKey(
        Teacher, models.PROTECT, null=True, blank=True, related_name="question_sets"
    )
    key = models.CharField(max_length=60, blank=True)  # of a built-in one
    title = models.CharField(_("title"), max_length=120)
    note = models.CharField(_("note"), max_length=500, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True)
    site_wide = models.BooleanField(_("every teacher of this site may use it"), default=False)
    credit = models.CharField(_("credit"), max_length=120, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(null=True, blank=True)
    shared_with = models.ManyToManyField(
        Teacher, through="quizzes.SetShare", related_name="shared_question_sets"
    )

    class Meta:
        verbose_name = _("question set")
        verbose_name_plural = _("question sets")
        ordering = ["title", "created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["key", "language"],
                condition=models.Q(owner=None),
                name="one_built_in_question_set",
            )
        ]

    def __str__(self) -> str:
        return self.title


class SetShare(models.Model):
    """A colleague who may look at and copy a set, or change it too."""

    class Right(models.TextChoices):
        VIEW = "view", _("may look and copy")
        EDIT = "edit", _("may change")

    set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="shares")
    teacher = models.ForeignKey(Teacher, models.CASCADE, related_name="set_shares")
    right = models.CharField(max_length=4, choices=Right.choices, default=Right.VIEW)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["set", "teacher"], name="one_share_a_colleague")
        ]

    def __str__(self) -> str:
        return f"{self.teacher} ({self.set})"
