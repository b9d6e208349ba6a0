"""Short notices from the teacher, kept while their lesson is open."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.models import Lesson
from games.models.matches import Match

LONGEST_NOTICE = 140


class Notice(models.Model):
    """One sentence to a whole lesson, to one match, or to one team of it."""

    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="notices")
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="notices")
    seat = models.PositiveSmallIntegerField(null=True)  # one team of the match
    text = models.CharField(max_length=LONGEST_NOTICE)
    on_screen = models.BooleanField(default=False)  # the projector shows it, too
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.text

    def is_for(self, match: str, seat: int | None) -> bool:
        """Whether who looks at this match may read it: a team by its seat, others without one."""
        here = self.match_id is None or str(self.match_id) == match
        return here and (self.seat is None or self.seat == seat)
