"""Questions in immutable versions.

What a question says is a value of ``quizzes.formats.question``, stored as JSON in
its versions. The row of the question repeats of the newest version what lists,
search and filters need.
"""

from __future__ import annotations

from uuid import uuid4

import msgspec
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.models import Teacher
from quizzes.formats import question as values
from quizzes.models.pictures import Picture
from quizzes.models.sets import QuestionSet


class Question(models.Model):
    """A question of one set."""

    class Kind(models.TextChoices):
        SINGLE = "single", _("one right answer")
        SEVERAL = "several", _("several right answers")
        TRUE_FALSE = "true-false", _("true or false")
        SHORT = "short", _("short answer")
        NUMERIC = "numeric", _("number")
        MATCHING = "matching", _("matching")
        ORDERING = "ordering", _("putting in order")

    class Difficulty(models.IntegerChoices):
        EASY = 1, _("easy")
        MEDIUM = 2, _("medium")
        HARD = 3, _("hard")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="questions")
    position = models.PositiveIntegerField()  # in the set; ties by created_at
    number = models.PositiveIntegerField(default=1)  # of the newest version
    kind = models.CharField(max_length=12, choices=Kind.choices)
    stem = models.TextField()
    search_text = models.TextField()  # quizzes.folding
    fingerprint = models.CharField(max_length=64, db_index=True)  # quizzes.folding
    difficulty = models.PositiveSmallIntegerField(choices=Difficulty.choices)
    language = models.CharField(max_length=40, blank=True)
    choices = models.PositiveSmallIntegerField(default=0)  # answers to choose from
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        ordering = ["position", "created_at", "pk"]
        indexes = [models.Index(fields=["set", "position"], name="questions_in_order")]

    def __str__(self) -> str:
        return self.stem


class QuestionVersion(models.Model):
    """What was saved once and never changes."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    content = models.JSONField()
    picture = models.ForeignKey(  # the one that the content names, so that it is kept
        Picture, models.PROTECT, null=True, blank=True, related_name="versions"
    )
    saved_by = models.ForeignKey(Teacher, models.SET_NULL, null=True, blank=True)
    saved_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "number"], name="one_question_version_a_number"
            )
        ]

    def __str__(self) -> str:
        return f"{self.question_id} {self.number}"

    @property
    def value(self) -> values.Question:
        """The question as a value."""
        value: values.Question = msgspec.convert(self.content, values.Question)
        return value


class QuestionTopic(models.Model):
    """A topic of the newest version of a question."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="topics")
    name = models.CharField(max_length=60)
    key = models.CharField(max_length=120, db_index=True)  # folded: "Élections" and "elections"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "name"], name="one_row_a_topic")]

    def __str__(self) -> str:
        return self.name
