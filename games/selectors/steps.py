"""What the next step of a lesson depends on, as it is stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

import msgspec
from django.utils import timezone

from classroom.models import Attendance, Lesson
from games.models import Match
from games.next_steps import LessonSeen, MatchSeen
from games.position import Timing
from games.selectors.teams import called

_timing = msgspec.json.Decoder(Timing)


Seats = Mapping[str, int]  # by id of a match


def lesson_seen(
    lesson: Lesson,
    *,
    split: Collection[str] = (),
    absent: Seats = MappingProxyType({}),
    slow: Seats = MappingProxyType({}),
) -> LessonSeen:
    """A lesson with its matches.

    ``split``: matches with a team that has been split for long; ``absent``: the seat
    that is waited for and of which nobody is there; ``slow``: the one that has been
    deciding for long. All are known where sockets are held, not in the database.
    """
    matches = Match.objects.filter(lesson=lesson).prefetch_related("teams").order_by("number")
    here = Attendance.objects.filter(
        lesson=lesson, kicked_at=None, left_at=None, student__removed_at=None
    )
    ends_in_s = None
    if lesson.ends_at is not None:
        ends_in_s = (lesson.ends_at - timezone.now()).total_seconds()
    return LessonSeen(
        state=lesson.state,
        here=here.count(),
        matches=tuple(_seen(match, split, absent, slow) for match in matches),
        ends_in_s=ends_in_s,
    )


def _seen(match: Match, split: Collection[str], absent: Seats, slow: Seats) -> MatchSeen:
    timing = _timing.decode(match.timing) if match.timing else Timing()
    names = {team.seat: called(team) for team in match.teams.all()}
    seat = absent.get(str(match.pk))
    return MatchSeen(
        match=str(match.pk),
        number=match.number,
        status=match.status,
        why=timing.why,
        why_seat=timing.why_seat,
        why_team=names.get(-1 if timing.why_seat is None else timing.why_seat, ""),
        last_round=timing.last_round is not None,
        split=str(match.pk) in split,
        absent=None if seat is None or seat not in names else (seat, names[seat]),
        slow=names.get(slow.get(str(match.pk), -1), ""),
    )
