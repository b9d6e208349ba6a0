"""Planning, opening and closing lessons."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, access_classroom, access_lesson
from classroom.activities import activity
from classroom.errors import DomainError
from classroom.models import Attendance, Classroom, Device, Lesson
from classroom.names import clean
from classroom.services.trials import come_back
from classroom.transactions import whole

LONGEST_TITLE = 120
LESSON_MINUTES = range(1, 24 * 60 + 1)


class ClassroomPutAway(DomainError):
    """Lessons of an archived class stay closed."""

    code = "archived"
    message = _("This class is in the archive. Bring it back first.")
    status = 409


class BadEnd(DomainError):
    """An end that no lesson has."""

    code = "bad_end"
    message = _("Type in how many minutes the lesson ends, from 1 to 1440.")


def create_lesson(
    *,
    actor: Actor,
    classroom_id: UUID,
    activity_key: str,
    title: str = "",
    settings: dict[str, Any] | None = None,
) -> Lesson:
    """A planned lesson.

    Raises:
        NotThere: no such activity.
        ClassroomPutAway: the class is archived.
    """
    classroom = access_classroom(actor, classroom_id)
    if classroom.archived_at is not None:
        raise ClassroomPutAway
    return Lesson.objects.create(
        classroom=classroom,
        activity=activity(activity_key).key,
        title=clean(title)[:LONGEST_TITLE],
        settings=settings or {},
    )


@whole
def open_lesson(*, actor: Actor, lesson_id: UUID) -> Lesson:
    """Let students join, for the first time or again next week. Other open lessons are closed.

    Test students are in again at once: they have no code to type and no name to tap.
    One open lesson a class: the class code leads to it.
    """
    lesson = access_lesson(actor, lesson_id)
    if lesson.classroom.archived_at is not None:
        raise ClassroomPutAway
    if lesson.state == Lesson.State.OPEN:
        return lesson
    others = Lesson.objects.filter(classroom_id=lesson.classroom_id, state=Lesson.State.OPEN)
    for other in others:
        _close(other, actor)
    lesson.state = Lesson.State.OPEN
    lesson.opened_at = timezone.now()
    lesson.closed_at = None
    lesson.save(update_fields=["state", "opened_at", "closed_at"])
    come_back(lesson)
    return lesson


@whole
def close_lesson(*, actor: Actor, lesson_id: UUID) -> Lesson:
    """End joining and playing. Seats stay; names are free for any browser next time."""
    lesson = access_lesson(actor, lesson_id)
    if lesson.state == Lesson.State.OPEN:
        _close(lesson, actor)
    return lesson


@whole
def lock_joining(*, actor: Actor, lesson_id: UUID, locked: bool) -> Lesson:
    """Let nobody new in, or again; who is in stays in."""
    lesson = access_lesson(actor, lesson_id)
    lesson.joining_locked = locked
    lesson.save(update_fields=["joining_locked"])
    return lesson


def rename_lesson(*, actor: Actor, lesson_id: UUID, title: str) -> Lesson:
    """Give the lesson another title; empty for its date."""
    lesson = access_lesson(actor, lesson_id)
    lesson.title = clean(title)[:LONGEST_TITLE]
    lesson.save(update_fields=["title"])
    return lesson


def announce_end(*, actor: Actor, lesson_id: UUID, minutes: int | None) -> Lesson:
    """Say in how many minutes the lesson ends, so that the desk can warn in time; None for never.

    Nothing happens by itself: the teacher closes the lesson.

    Raises:
        NotThere: no lesson of the actor's classes.
        BadEnd: less than one minute, or more than a day.
    """
    lesson = access_lesson(actor, lesson_id)
    if minutes is not None and minutes not in LESSON_MINUTES:
        raise BadEnd
    lesson.ends_at = None if minutes is None else timezone.now() + timedelta(minutes=minutes)
    lesson.save(update_fields=["ends_at"])
    return lesson


@whole
def delete_lesson(*, actor: Actor, lesson_id: UUID) -> None:
    """Delete a lesson with its results; guests of it go too."""
    lesson = access_lesson(actor, lesson_id, to="own")
    lesson.delete()


def close_all(classroom: Classroom, actor: Actor) -> None:
    """Close what is open in a class; the caller checked access."""
    for lesson in classroom.lessons.filter(state=Lesson.State.OPEN):
        _close(lesson, actor)


def _close(lesson: Lesson, actor: Actor) -> None:
    activity(lesson.activity).closed(lesson, actor)
    lesson.state = Lesson.State.CLOSED
    lesson.closed_at = timezone.now()
    lesson.joining_locked = False
    lesson.ends_at = None  # it may go on next week
    lesson.save(update_fields=["state", "closed_at", "joining_locked", "ends_at"])
    Device.objects.filter(attendance__lesson=lesson).delete()
    Attendance.objects.filter(lesson=lesson, left_at=None).update(left_at=lesson.closed_at)
