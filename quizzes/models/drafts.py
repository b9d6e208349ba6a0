"""What somebody has typed and not saved yet."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils import timezone

from classroom.models import Teacher
from quizzes.models.questions import Question
from quizzes.models.sets import QuestionSet


class Draft(models.Model):
    """The open form of one teacher: for a question that is there, or for a new one of a set."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    teacher = models.ForeignKey(Teacher, models.CASCADE, related_name="question_drafts")
    set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="drafts")
    question = models.ForeignKey(
        Question, models.CASCADE, null=True, blank=True, related_name="drafts"
    )
    kind = models.CharField(max_length=12, choices=Question.Kind.choices)
    base = models.PositiveIntegerField(default=0)  # version that was open; 0 for a new question
    fields = models.JSONField(default=dict)  # as typed
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["teacher", "question"], name="one_draft_of_a_question")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.saved_at:%Y-%m-%d}"
