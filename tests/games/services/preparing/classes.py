"""Classes with a lesson of Corruption! that is being set up."""

from __future__ import annotations

from uuid import uuid4

from classroom.access import TeacherActor
from classroom.models import Attendance, Classroom, Device, Lesson, Student
from games.models import Match
from games.selectors.lineups import drafted, teams_of


def new_lesson(teacher: TeacherActor, name: str) -> Lesson:
    classroom, _made = Classroom.objects.get_or_create(
        owner=teacher.teacher, name=name, defaults={"code": f"CODE{name}"}
    )
    return Lesson.objects.create(classroom=classroom, activity="corruption", state="open")


def students(lesson: Lesson, number: int, *, here: bool = True) -> list[Student]:
    made = [
        Student.objects.create(classroom=lesson.classroom, name=f"Student {uuid4()}")
        for _n in range(number)
    ]
    if here:
        Attendance.objects.bulk_create(Attendance(lesson=lesson, student=s) for s in made)
    return made


def sizes(lesson: Lesson) -> list[list[int]]:
    return [[len(team) for team in match] for match in teams_of(drafted(lesson))]


def holds_a_device(lesson: Lesson, *who: Student) -> None:
    for student in who:
        row = Attendance.objects.get(lesson=lesson, student=student)
        row.devices.create(key=student.pk.hex, state=Device.State.IN, how=Device.How.FIRST)


def speakers(lesson: Lesson) -> list[list[str]]:
    """Ids of the shared devices of each team."""
    return [
        [str(m.student_id) for m in team.members.all() if m.shared]
        for match in Match.objects.filter(lesson=lesson).order_by("number")
        for team in match.teams.all()
    ]
