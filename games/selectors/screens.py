"""The read-only link to a lesson's boards and projector: whoever has it may look."""

from __future__ import annotations

from django.core import signing

from classroom.models import Lesson

SALT = "games.screen"


def screen_token(lesson: Lesson) -> str:
    """The secret part of the link, for ``?screen=``; it shows what everybody may know."""
    return signing.dumps(str(lesson.pk), salt=SALT)


def lesson_of_screen(token: str) -> Lesson | None:
    """The lesson that a token shows, classroom preloaded; None for anything else."""
    try:
        lesson_id = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return Lesson.objects.select_related("classroom").filter(pk=lesson_id).first()
