"""Notices from the teacher: sent, taken back, and gone with the end of the lesson."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, access_lesson
from classroom.errors import DomainError, NotThere, TooFast
from classroom.models import Lesson
from classroom.names import clean
from classroom.throttle import Misses
from games.models import Match, Notice
from games.models.notices import LONGEST_NOTICE

MOST_NOTICES = 20  # of a lesson; older ones go
A_MINUTE = Misses("notices", limit=12)  # of one lesson: more would be noise


class BadNotice(DomainError):
    """Nothing to say, or too much of it."""

    code = "bad_notice"
    message = _("Write one sentence of 140 characters at most.")


class NotOpen(DomainError):
    """A notice without a lesson that is open."""

    code = "not_open"
    message = _("Open the lesson first: nobody would read the notice.")
    status = 409


def send_notice(
    *,
    actor: Actor,
    lesson_id: UUID,
    text: str,
    match_id: UUID | None = None,
    seat: int | None = None,
    on_screen: bool = False,
) -> Notice:
    """Tell the lesson, one match, or one team of it (``seat``) one sentence.

    The newest notice stands on the students' pages; what only one team is to read
    is never shown on the projector.

    Raises:
        NotThere: no lesson of the actor's classes, or no such match or team in it.
        NotOpen: the lesson is planned or closed.
        BadNotice: empty, or longer than 140 characters.
        TooFast: a dozen within a minute.
    """
    lesson = access_lesson(actor, lesson_id)
    if lesson.state != Lesson.State.OPEN:
        raise NotOpen
    match = None
    if match_id is not None:
        match = Match.objects.filter(pk=match_id, lesson=lesson).first()
        if match is None or (seat is not None and not match.teams.filter(seat=seat).exists()):
            raise NotThere
    elif seat is not None:
        raise NotThere
    said = clean(text)
    if not said or len(said) > LONGEST_NOTICE:
        raise BadNotice
    if A_MINUTE.over(str(lesson.pk)):
        raise TooFast
    A_MINUTE.add(str(lesson.pk))
    notice = Notice.objects.create(
        lesson=lesson, match=match, seat=seat, text=said, on_screen=on_screen and seat is None
    )
    kept = lesson.notices.order_by("-pk").values_list("pk", flat=True)[:MOST_NOTICES]
    lesson.notices.exclude(pk__in=list(kept)).delete()
    return notice


def take_back_notice(*, actor: Actor, lesson_id: UUID, notice_id: int) -> None:
    """Let a notice vanish from all pages. Taking it back twice is taking it back once.

    Raises:
        NotThere: no lesson of the actor's classes.
    """
    access_lesson(actor, lesson_id).notices.filter(pk=notice_id).delete()


def forget_notices(lesson: Lesson) -> None:
    """The lesson is over: what was said in it is nobody's to keep. The caller checked access."""
    lesson.notices.all().delete()
