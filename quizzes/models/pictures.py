"""Pictures of questions. The files lie below MEDIA_ROOT/pictures in two sizes."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils import timezone

from classroom.models import Teacher


class Picture(models.Model):
    """A picture as it was made anew from what somebody sent; it never changes."""

    class Ending(models.TextChoices):
        PNG = "png", "PNG"
        JPG = "jpg", "JPEG"
        WEBP = "webp", "WebP"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    owner = models.ForeignKey(Teacher, models.PROTECT, related_name="pictures")
    ending = models.CharField(max_length=4, choices=Ending.choices)
    sha256 = models.CharField(max_length=64, db_index=True)  # of what was sent
    made_sha256 = models.CharField(max_length=64, db_index=True, blank=True)  # of the larger size
    width = models.PositiveIntegerField()  # pixels of the larger size
    height = models.PositiveIntegerField()
    bytes = models.PositiveIntegerField()  # of both sizes
    alt = models.CharField(max_length=500, blank=True)
    original_name = models.CharField(max_length=200, blank=True)  # shown only, never a path
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.ref

    @property
    def ref(self) -> str:
        """What ``formats.question.Picture.ref`` says: "<uuid>.<ending>"."""
        return f"{self.pk}.{self.ending}"
