"""Matches of a lesson, and who may reach them."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from classroom.access import Actor, StudentActor, access_lesson
from classroom.errors import NotThere
from classroom.models import Lesson
from games.models import Match, Member

MatchRight = Literal["run", "play", "watch"]

UNFINISHED = (Match.Status.LOBBY, Match.Status.PLAYING, Match.Status.PAUSED, Match.Status.FROZEN)


def access_match(actor: Actor, match_id: UUID | str, *, to: MatchRight = "run") -> Match:
    """The match, lesson and classroom preloaded.

    ``run``: teachers of the class. ``play``: a student in one of its teams.
    ``watch``: teachers, the public screen, and students in one of its teams.

    Raises:
        NotThere: absent, or not theirs.
    """
    match = Match.objects.select_related("lesson__classroom").filter(pk=match_id).first()
    if match is None:
        raise NotThere
    if isinstance(actor, StudentActor) and to != "run":
        access_lesson(actor, match.lesson_id, to="play")
        if not playing(match, str(actor.student.pk)):
            raise NotThere
        return match
    if to == "play":
        raise NotThere
    access_lesson(actor, match.lesson_id, to=to)
    return match


def playing(match: Match, student_id: str) -> bool:
    """Whether the student is in one of the teams now."""
    return Member.objects.filter(
        team__match=match, student_id=student_id, left_version=None
    ).exists()


def match_of_student(lesson: Lesson, student_id: UUID | str) -> Match | None:
    """The newest unfinished match of the lesson that the student plays in, else the newest."""
    mine = Match.objects.filter(
        lesson=lesson, teams__members__student_id=student_id, teams__members__left_version=None
    ).order_by("-number")
    return mine.filter(status__in=UNFINISHED).first() or mine.first()
