"""An import between the file and the bank: what was read, mended and not saved yet."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils import timezone

from classroom.models import Teacher
from quizzes.models.sets import QuestionSet


class ImportDraft(models.Model):
    """One file or paste that waits in the preview."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    owner = models.ForeignKey(Teacher, models.CASCADE, related_name="import_drafts")
    set = models.ForeignKey(
        QuestionSet, models.SET_NULL, null=True, blank=True, related_name="import_drafts"
    )
    file_name = models.CharField(max_length=200, blank=True)
    sha256 = models.CharField(max_length=64, db_index=True)
    format = models.CharField(max_length=12, blank=True)  # key of formats.catalog.FORMATS
    encoding = models.CharField(max_length=16, blank=True)  # key of formats.encodings.CODECS
    rows = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.file_name} {self.created_at:%Y-%m-%d}"
