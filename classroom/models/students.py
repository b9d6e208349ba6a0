"""Students: a name in one class, no account, no e-mail, no password."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from classroom.models.classrooms import Classroom

LONGEST_NAME = 60


class Student(models.Model):
    """A place in the roster, or a guest of one lesson (``guest_of``).

    Names live in this table alone: erasing a student empties ``name`` and leaves
    results under a pseudonym. ``proof`` is part of every device's session proof;
    a new value puts out all devices of the student.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    classroom = models.ForeignKey(Classroom, models.CASCADE, related_name="students")
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    note = models.CharField(_("note for teachers"), max_length=200, blank=True)
    code_hash = models.CharField(max_length=64, blank=True)
    code_misses = models.PositiveSmallIntegerField(default=0)
    proof = models.UUIDField(default=uuid4, editable=False)
    guest_of = models.ForeignKey(
        "classroom.Lesson", models.CASCADE, null=True, blank=True, related_name="guests"
    )
    test = models.BooleanField(default=False)  # a teacher trying a lesson alone; a guest of it
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("student")
        verbose_name_plural = _("students")
        ordering = ["name", "created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["classroom", "name"],
                condition=models.Q(removed_at=None, guest_of=None),
                name="one_name_in_a_roster",
                violation_error_message=_("This name is already in the class."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown(self) -> str:
        """The name, or the pseudonym of a student who was erased."""
        return self.name or gettext("Student {number}").format(number=self.pk.hex[:4])

    @property
    def is_guest(self) -> bool:
        return self.guest_of_id is not None
