"""Content of games: boards and decks, in immutable versions."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.models import Teacher
from quizzes.models import Picture


class Deck(models.Model):
    """A board or deck of one game and kind in one language. Without an owner it is built in."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    game = models.CharField(max_length=40)
    kind = models.CharField(max_length=40)  # ContentKind.key
    key = models.CharField(max_length=60, blank=True)  # of a built-in one: "one-lesson"
    title = models.CharField(_("title"), max_length=120)
    language = models.CharField(_("language"), max_length=8)
    owner = models.ForeignKey(Teacher, models.CASCADE, null=True, blank=True, related_name="decks")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("deck")
        verbose_name_plural = _("decks")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "kind", "key", "language"],
                condition=models.Q(owner=None),
                name="one_built_in_deck",
            )
        ]

    def __str__(self) -> str:
        return self.title


class DeckVersion(models.Model):
    """What was saved once and never changes; matches point here."""

    deck = models.ForeignKey(Deck, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    content = models.JSONField()
    saved_by = models.ForeignKey(Teacher, models.SET_NULL, null=True, blank=True)
    saved_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deck", "number"], name="one_version_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.deck} {self.number}"


class DeckPicture(models.Model):
    """A picture that cards of a version show: while the version is there, so is the picture."""

    version = models.ForeignKey(DeckVersion, models.CASCADE, related_name="pictures")
    picture = models.ForeignKey(Picture, models.PROTECT, related_name="deck_pictures")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "picture"], name="one_row_a_deck_picture")
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.picture_id}"
