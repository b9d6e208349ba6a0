"""An import between the file and the bank, and what came from which file."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.models import Teacher
from quizzes.models.questions import Question
from quizzes.models.sets import QuestionSet


class ImportDraft(models.Model):
    """One file or paste that waits in the preview. Its bytes lie below MEDIA_ROOT/imports."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")  # not read yet
        READ = "read", _("read")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    owner = models.ForeignKey(Teacher, models.CASCADE, related_name="import_drafts")
    batch = models.UUIDField(default=uuid4, db_index=True, editable=False)  # sent together
    position = models.PositiveSmallIntegerField(default=0)  # in the batch
    set = models.ForeignKey(
        QuestionSet, models.SET_NULL, null=True, blank=True, related_name="import_drafts"
    )
    file_name = models.CharField(max_length=200, blank=True)  # shown only; "" for a paste
    sha256 = models.CharField(max_length=64, db_index=True)
    format = models.CharField(max_length=12, blank=True)  # key of formats.catalog.FORMATS
    encoding = models.CharField(max_length=16, blank=True)  # key of formats.encodings.CODECS
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    rows = models.JSONField(default=list)  # quizzes.import_rows.Row
    notes = models.JSONField(default=list)  # problems of the whole file
    change = models.PositiveIntegerField(default=0)  # counts changes of rows: two windows mend
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["position", "created_at"]

    def __str__(self) -> str:
        return f"{self.file_name} {self.created_at:%Y-%m-%d}"


class ImportedFile(models.Model):
    """A file whose questions went into a set: the same file again asks before it doubles them."""

    set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="imported_files")
    sha256 = models.CharField(max_length=64)
    file_name = models.CharField(max_length=200, blank=True)
    draft = models.UUIDField(null=True, blank=True)  # what is left of that import may follow
    questions = models.ManyToManyField(Question, related_name="+")
    by = models.ForeignKey(Teacher, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["set", "sha256"], name="one_import_of_a_file_a_set")
        ]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.set_id})"
