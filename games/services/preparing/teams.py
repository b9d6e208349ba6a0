"""Who plays with whom: teams by chance, those of last time, or by hand."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, access_lesson
from classroom.errors import DomainError, NotThere
from classroom.transactions import whole
from games.lineups import Lineup, arrange, filled, narrowed, possible_matches, recommended_matches
from games.models import Member
from games.selectors.lineups import available, drafted, holders, last_teams, students_of
from games.services.chances import live
from games.services.preparing.drafts import draft_for, draft_match
from games.services.preparing.setups import Devices, game_in, setup_of


class NobodyHere(DomainError):
    """Raised when teams or matches are asked for without students."""

    code = "nobody_here"
    message = _("Nobody is here yet. Show the code, or add names to the class first.")


class NoLastTeams(DomainError):
    """Raised when the class has not played before, or nobody of then is here."""

    code = "no_last_teams"
    message = _("There are no teams from last time for the students who are here.")


def make_teams(
    *, actor: Actor, lesson_id: UUID, number: int | None = None, practice: bool = False
) -> Lineup:
    """Draft teams anew, evenly and by chance, from who is here, else from the roster.

    ``number`` of matches: as many as are recommended if not given, and never so
    many that a team would be empty. ``practice``: one team a match, the computer
    plays the others.

    Raises:
        NotThere: no lesson of the actor's classes.
        NobodyHere: neither students here nor names on the roster.
    """
    lesson = access_lesson(actor, lesson_id)
    students = [str(student.pk) for student in available(lesson)]
    if not students:
        raise NobodyHere
    seats = 1 if practice else game_in(lesson).seats.start
    wanted = number if number is not None else recommended_matches(len(students), seats)
    count = min(max(wanted, 1), possible_matches(len(students), seats)[-1])
    setup = setup_of(lesson)
    lineup = arrange(
        students,
        matches=count,
        chance=live(),
        seats=seats,
        apart=setup.apart,
        first=() if setup.devices is Devices.OWN else holders(lesson),
    )
    draft_for(practice, actor, lesson, lineup.matches)
    return lineup


def repeat_teams(*, actor: Actor, lesson_id: UUID) -> None:
    """Draft the teams of the class's last lesson of this game; newcomers join the smallest.

    Raises:
        NotThere: no lesson of the actor's classes.
        NoLastTeams: nobody of then is here.
    """
    lesson = access_lesson(actor, lesson_id)
    students = [str(student.pk) for student in available(lesson)]
    last = last_teams(lesson)
    known = narrowed(last, students)
    if not known:
        raise NoLastTeams
    practice = all(sum(map(bool, match)) == 1 for match in last)
    draft_for(practice, actor, lesson, filled(known, students, practice=practice))


@whole
def place_student(
    *, actor: Actor, lesson_id: UUID, student_id: UUID, number: int | None, seat: int = 0
) -> None:
    """Put a student into a drafted team; ``number`` None takes the student out of all.

    A ``number`` that no match has yet makes a further match.

    Raises:
        NotThere: a lesson, student, match or seat that is not there.
    """
    lesson = access_lesson(actor, lesson_id)
    (student,) = students_of(lesson, [student_id])
    Member.objects.filter(team__match__in=drafted(lesson), student=student).delete()
    if number is not None:
        match = drafted(lesson).filter(number=number).first()
        if match is None:
            match = draft_match(actor, lesson, [()] * game_in(lesson).seats.start)
        team = match.teams.filter(seat=seat).first()
        if team is None:
            raise NotThere
        Member.objects.create(team=team, student=student)
    drafted(lesson).exclude(teams__members__isnull=False).delete()
