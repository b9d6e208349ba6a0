"""Who could play, who is drafted into which team, and who played together last time."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from classroom.errors import NotThere
from classroom.models import Attendance, Device, Lesson, Student
from games.lineups import Drafts
from games.models import Match, Member


def drafted(lesson: Lesson) -> QuerySet[Match]:
    """Matches of the lesson that have not started, in order, teams and members preloaded."""
    return (
        Match.objects.filter(lesson=lesson, status=Match.Status.LOBBY)
        .prefetch_related("teams__members__student")
        .order_by("number")
    )


def started(lesson: Lesson) -> QuerySet[Match]:
    """Matches of the lesson that have a log, in order, teams and members preloaded."""
    return (
        Match.objects.filter(lesson=lesson)
        .exclude(status=Match.Status.LOBBY)
        .prefetch_related("teams__members__student")
        .order_by("number")
    )


def unfinished(lesson: Lesson) -> QuerySet[Match]:
    """Started matches that are not over: while there are any, nothing new is offered."""
    return started(lesson).exclude(status=Match.Status.ENDED)


def next_number(lesson: Lesson) -> int:
    """The number that a further match of the lesson would get."""
    last = Match.objects.filter(lesson=lesson).order_by("-number").first()
    return last.number + 1 if last else 1


def here(lesson: Lesson) -> QuerySet[Student]:
    """Students and guests who joined the lesson (or were ticked present) and play nowhere yet."""
    joined = Attendance.objects.filter(
        student=OuterRef("pk"), lesson=lesson, kicked_at=None, left_at=None
    )
    return _free(lesson).filter(Exists(joined))


def holders(lesson: Lesson) -> set[str]:
    """Ids of students whose name a device holds in the lesson."""
    held = Device.objects.filter(attendance__lesson=lesson, state=Device.State.IN)
    return {str(pk) for pk in held.values_list("attendance__student_id", flat=True)}


def kicked(lesson_id: UUID) -> QuerySet[Student]:
    """Who was sent out of the lesson and may be let in again."""
    return Student.objects.filter(
        attendance__lesson_id=lesson_id, attendance__kicked_at__isnull=False, removed_at=None
    ).order_by("name")


def on_the_roster(lesson: Lesson) -> QuerySet[Student]:
    """All names of the class that play nowhere in this lesson yet; guests left out."""
    return _free(lesson).filter(guest_of=None)


def present_ids(lesson: Lesson) -> set[UUID]:
    """Students who joined the lesson, were not sent out and are no test students."""
    return set(
        Attendance.objects.filter(
            lesson=lesson,
            kicked_at=None,
            left_at=None,
            student__removed_at=None,
            student__test=False,
        ).values_list("student_id", flat=True)
    )


def expected(lesson: Lesson) -> QuerySet[Student]:
    """The roster and the guests of the lesson, by name: whom the projector's lobby shows."""
    return Student.objects.filter(
        Q(guest_of=None) | Q(guest_of=lesson),
        classroom=lesson.classroom_id,
        removed_at=None,
        test=False,
    ).order_by("name", "created_at")


def available(lesson: Lesson) -> list[Student]:
    """Who can be drafted: those here if there are any, else the roster."""
    return list(here(lesson)) or list(on_the_roster(lesson))


def last_teams(lesson: Lesson) -> Drafts:
    """Teams of the class's last other lesson of the same game in which a match was started."""
    last = (
        Match.objects.filter(lesson__classroom=lesson.classroom_id, game=lesson.activity)
        .exclude(lesson=lesson)
        .exclude(status=Match.Status.LOBBY)
        .order_by("-started_at")
        .first()
    )
    if last is None:
        return []
    return teams_of(started(last.lesson))


def teams_of(matches: QuerySet[Match]) -> Drafts:
    """Student ids by match and team, without those who left."""
    return [
        [
            [str(m.student_id) for m in team.members.all() if m.left_version is None]
            for team in match.teams.all()
        ]
        for match in matches
    ]


def students_of(lesson: Lesson, ids: Sequence[UUID]) -> list[Student]:
    """These students of the lesson's class, in the order asked for.

    Raises:
        NotThere: one of them is not on its list.
    """
    found = Student.objects.filter(
        classroom=lesson.classroom_id, removed_at=None, pk__in=ids
    ).in_bulk()
    if len(found) < len(set(ids)):
        raise NotThere
    return [found[pk] for pk in ids]


def _free(lesson: Lesson) -> QuerySet[Student]:
    playing = Member.objects.filter(
        student=OuterRef("pk"), team__match__lesson=lesson, left_version=None
    ).exclude(team__match__status__in=(Match.Status.LOBBY, Match.Status.ENDED))
    return Student.objects.filter(
        ~Exists(playing), classroom=lesson.classroom_id, removed_at=None
    ).order_by("name", "created_at")
