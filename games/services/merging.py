"""A guest who turns out to be a student of the roster: what was done becomes the student's.

Only between lessons (the classroom sees to it), so no open position holds the guest.
The log names students by their numbers alone; those are changed, nothing else.
"""

from __future__ import annotations

from classroom.models import Student
from games.models import Member, MoveRecord, Vote
from games.selectors.players import matches_of


def merge(game: str, guest: Student, student: Student) -> None:
    """Change guest into student in all matches of a game. Inside the caller's transaction."""
    there = list(matches_of(game, guest))
    Vote.objects.filter(match__in=there, student=guest).update(student=student)
    for record in MoveRecord.objects.filter(match__in=there, student=guest):
        record.student = student
        record.data = record.data.replace(str(guest.pk), str(student.pk))
        record.save(update_fields=["student", "data"])
    Member.objects.filter(team__match__in=there, student=guest).update(student=student)
