"""A guest who turns out to be a student of the roster: what was done becomes the student's.

Only between lessons (the classroom sees to it), so no open position holds the guest.
The log names students by their numbers alone; those are changed, nothing else.
"""

from __future__ import annotations

from classroom.models import Student
from games.models import Member, MoveRecord, Vote
from games.selectors.players import matches_of

ROWS = 200  # in one statement


def merge(game: str, guest: Student, student: Student) -> None:
    """Change guest into student in all matches of a game. Inside the caller's transaction."""
    there = list(matches_of(game, guest))
    Vote.objects.filter(match__in=there, student=guest).update(student=student)
    records = list(MoveRecord.objects.filter(match__in=there, student=guest))
    for record in records:
        record.student = student
        record.data = record.data.replace(str(guest.pk), str(student.pk))
    MoveRecord.objects.bulk_update(records, ["student", "data"], batch_size=ROWS)
    Member.objects.filter(team__match__in=there, student=guest).update(student=student)
