"""Matches of a lesson, and who may reach them."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from django.db.models import Case, QuerySet, When

from classroom.access import Actor, StudentActor, check_lesson
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
    check_match(actor, match, to=to)
    return match


def check_match(actor: Actor, match: Match, *, to: MatchRight) -> int | None:
    """Refuse as ``access_match`` does, for who has just read match, lesson and classroom.

    The seat of a student who plays; None for all others.
    """
    if isinstance(actor, StudentActor) and to != "run":
        check_lesson(actor, match.lesson, to="play")
        seat = _seat(match, str(actor.student.pk))
        if seat is None:
            raise NotThere
        return seat
    if to == "play":
        raise NotThere
    check_lesson(actor, match.lesson, to=to)
    return None


def _seat(match: Match, student_id: str) -> int | None:
    """The seat in whose team the student is now."""
    seats = Member.objects.filter(team__match=match, student_id=student_id, left_version=None)
    return seats.values_list("team__seat", flat=True).first()


def lesson_of_member(actor: Actor, match_id: UUID | str) -> UUID:
    """The lesson of a match for a student in one of its teams, whether or not it is open.

    Raises:
        NotThere: absent, or the actor is in none of its teams.
    """
    if isinstance(actor, StudentActor):
        match = Match.objects.filter(pk=match_id).first()
        if match is not None and _seat(match, str(actor.student.pk)) is not None:
            return match.lesson_id
    raise NotThere


def matches_of_student(lesson: Lesson, student_id: UUID | str) -> QuerySet[Match]:
    """Matches of the lesson that the student plays in: unfinished ones first, then the newest."""
    over = Case(When(status__in=UNFINISHED, then=0), default=1)
    return Match.objects.filter(
        lesson=lesson, teams__members__student_id=student_id, teams__members__left_version=None
    ).order_by(over, "-number")
