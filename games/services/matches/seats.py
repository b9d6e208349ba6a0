"""Who plays a seat, and which students are in which team."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from msgspec.structs import replace

from classroom.access import Actor, StudentActor, access_lesson, access_student
from classroom.models import Lesson, Student
from games.models import Match, Member, Team
from games.position import MemberState, Position, TeamState
from games.selectors.lineups import holders
from games.selectors.matches import UNFINISHED, access_match
from games.services import chances, play, steady
from games.services.matches.acts import append, change, needs, teacher_of
from games.services.matches.refusals import NotNow, TeamsFull, WrongSetUp
from games.services.matches.running import resume_match
from games.services.play import Accepted

LARGEST_TEAM = 12  # more could not sit around one table


def step_in(*, match_id: UUID, actor: Actor, seat: int, played_by: str, bot: str = "") -> Position:
    """Let students, the computer or the teacher play a seat from now on.

    A match that stood still because the seat was deserted goes on when somebody else plays it.

    Raises:
        NotNow: no such seat, player or bot.
    """

    def make(position: Position) -> Accepted | None:
        if seat not in range(len(position.teams)) or played_by not in Team.PlayedBy.values:
            raise NotNow
        if bot and bot not in position.bots:
            raise NotNow
        team = replace(position.teams[seat], played_by=played_by, bot=bot)
        if team == position.teams[seat]:
            return None
        now_s = position.play_s(steady.now())
        delay_s = chances.bot_delay_s()
        timing = replace(
            position.timing,
            opened=tuple(
                replace(o, bot_s=now_s + delay_s) if o.decision.seat == seat else o
                for o in position.timing.opened
            ),
        )
        return play.changed(
            position,
            kind="seat",
            at=steady.now(),
            seat=seat,
            teacher=teacher_of(actor),
            data={"played_by": played_by, "bot": bot},
            teams=_with_team(position, team),
            timing=timing,
        )

    def rows(match: Match, position: Position) -> None:
        Team.objects.filter(match=match, seat=seat).update(played_by=played_by, bot=bot)

    position = change(match_id, actor, make, rows)
    awaited = position.timing.why == "deserted" and position.timing.why_seat == seat
    if awaited and played_by != Team.PlayedBy.PEOPLE:
        position = resume_match(match_id=match_id, actor=actor)
    return position


def join_match(
    *,
    match_id: UUID,
    actor: Actor,
    student_id: UUID | str,
    seat: int | None = None,
    shared: bool = False,
) -> Position:
    """Put a student into a team, or move one to another; the teacher's act.

    Without a ``seat`` the student goes to the smaller team, or stays.

    Raises:
        TeamsFull: no place left.
        NotThere: the student is not in this class.
    """
    match = access_match(actor, match_id, to="run")
    student = access_student(actor, UUID(str(student_id)), to="run")
    if student.classroom_id != match.lesson.classroom_id:
        raise WrongSetUp
    return _join(match_id, student, seat, shared=shared, teacher=teacher_of(actor))


def join_lesson(*, lesson_id: UUID, actor: StudentActor) -> Match | None:
    """The match of a student who comes to the lesson, placed in the smallest team if in none.

    None while no match of the lesson takes anybody.
    """
    lesson = access_lesson(actor, lesson_id, to="play")
    return _join_late(_taking(lesson), actor.student, teacher=None)


def place_late(*, students: Iterable[Student], lesson: Lesson, actor: Actor) -> None:
    """The same for students without a device, whom the teacher noted as present.

    Teams in which somebody has a device come first. The caller checked access.
    """
    matches, beside = _taking(lesson), holders(lesson)
    for student in students:
        _join_late(matches, student, teacher=teacher_of(actor), beside=beside)


def _taking(lesson: Lesson) -> list[Match]:
    """The matches that a student may be in, the newest first."""
    return list(Match.objects.filter(lesson=lesson, status__in=UNFINISHED).order_by("-number"))


def _join_late(
    matches: Sequence[Match],
    student: Student,
    *,
    teacher: str | None,
    beside: Collection[str] | None = None,
) -> Match | None:
    """``beside``: students whose teams come first; None: the smallest team will do."""
    playing = Member.objects.filter(team__match__in=matches, student=student, left_version=None)
    mine = set(playing.values_list("team__match", flat=True))
    if mine:
        return next(match for match in matches if match.pk in mine)
    places = []
    for team in _open_teams(matches):
        ids = {str(member.student_id) for member in team.members.all()}
        alone = beside is not None and ids.isdisjoint(beside)
        places.append((alone, len(ids), team.match.number, team.seat, team.match))
    for _alone, _size, _number, seat, match in sorted(places, key=lambda place: place[:4]):
        wished = None if beside is None else seat
        try:
            _join(match.pk, student, wished, shared=False, teacher=teacher)
        except TeamsFull:
            continue
        return match
    return None


def _open_teams(matches: Sequence[Match]) -> QuerySet[Team]:
    """Teams that a student can still come into, their matches and present members preloaded."""
    running = [match for match in matches if match.status != Match.Status.FROZEN]
    there = Member.objects.filter(left_version=None)
    return (
        Team.objects.filter(match__in=running, played_by=Team.PlayedBy.PEOPLE)
        .select_related("match")
        .prefetch_related(Prefetch("members", there))
    )


def take_out(*, student_id: UUID, lesson_id: UUID | None, actor: Actor) -> None:
    """Out of all teams that still play, in one lesson or in all; the caller checked access."""
    places = Member.objects.filter(
        student=student_id, left_version=None, team__match__status__in=UNFINISHED
    )
    if lesson_id is not None:
        places = places.filter(team__match__lesson=lesson_id)
    for match_id in places.values_list("team__match", flat=True).order_by("team__match__number"):
        _leave(match_id, str(student_id), teacher=teacher_of(actor))


def put_back(*, student: Student, lesson_id: UUID, actor: Actor) -> None:
    """Into the seats that the student left in what still plays; the caller checked access."""
    for match in Match.objects.filter(lesson_id=lesson_id, status__in=UNFINISHED):
        last = (
            Member.objects.filter(team__match=match, student=student)
            .exclude(left_version=None)
            .select_related("team")
            .order_by("-pk")
            .first()
        )
        if last is not None:
            _join(match.pk, student, last.team.seat, shared=last.shared, teacher=teacher_of(actor))


def _join(
    match_id: UUID,
    student: Student,
    seat: int | None,
    *,
    shared: bool,
    teacher: str | None,
) -> Position:
    student_id = str(student.pk)
    to_seat: list[int] = []

    def make(position: Position) -> Accepted | None:
        needs(position, "lobby", "playing", "paused")
        now = position.seat_of(student_id)
        to = _place(position, seat) if seat is not None or now is None else now
        to_seat[:] = [to]
        if to == now:
            return None
        member = MemberState(student=student_id, name=student.name, shared=shared)
        teams = [_without(team, student_id) for team in position.teams]
        teams[to] = replace(teams[to], members=(*teams[to].members, member))
        came = {"student": student_id, "from": now, "shared": shared}
        return _reseated(position, teams, kind="join", seat=to, teacher=teacher, data=came)

    def rows(match: Match, position: Position) -> None:
        _take_out(match, student_id, position.version)
        Member.objects.create(
            team=Team.objects.get(match=match, seat=to_seat[0]),
            student=student,
            shared=shared,
            joined_version=position.version,
        )

    return append(match_id, make, rows)


def _reseated(
    position: Position,
    teams: list[TeamState],
    *,
    kind: str,
    seat: int,
    teacher: str | None,
    data: dict[str, Any],
) -> Accepted:
    """The match with a student (``data["student"]``) elsewhere; in the lobby there is no log."""
    if position.status == "lobby":
        return Accepted(position=replace(position, teams=tuple(teams)), version=0)
    return play.changed(
        position,
        kind=kind,
        at=steady.now(),
        seat=seat,
        student=data["student"],
        teacher=teacher,
        data=data,
        teams=teams,
    )


def _leave(match_id: UUID, student_id: str, *, teacher: str | None) -> Position:
    def make(position: Position) -> Accepted | None:
        seat = position.seat_of(student_id)
        if seat is None:
            return None
        teams = [_without(team, student_id) for team in position.teams]
        went = {"student": student_id}
        return _reseated(position, teams, kind="leave", seat=seat, teacher=teacher, data=went)

    def rows(match: Match, position: Position) -> None:
        _take_out(match, student_id, position.version)

    return append(match_id, make, rows)


def _take_out(match: Match, student_id: str, version: int) -> None:
    here = Member.objects.filter(team__match=match, student_id=student_id, left_version=None)
    if match.status == Match.Status.LOBBY:
        here.delete()
    else:
        here.update(left_version=version)


def _place(position: Position, seat: int | None) -> int:
    """The seat that takes one more: the wished one, else the smallest team of people."""
    if seat is not None:
        if seat not in range(len(position.teams)):
            raise NotNow
        places = [position.teams[seat]]
    else:
        places = [team for team in position.teams if team.played_by == "people"]
    free = [team for team in places if len(team.members) < LARGEST_TEAM]
    if not free:
        raise TeamsFull
    return min(free, key=lambda team: len(team.members)).seat


def _without(team: TeamState, student: str) -> TeamState:
    return replace(team, members=tuple(m for m in team.members if m.student != student))


def _with_team(position: Position, team: TeamState) -> list[TeamState]:
    return [team if old.seat == team.seat else old for old in position.teams]
