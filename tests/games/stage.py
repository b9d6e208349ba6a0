"""Sets a stage on a running site: ``manage.py shell -c "from tests.games.stage import …"``.

Prints one JSON object; what stands in it is all that a browser would know.
"""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.conf import settings

from classroom.access import TeacherActor
from classroom.models import Student, Teacher
from classroom.services import attendance
from games.models import Match
from games.services import matches
from games.services.decks import load_starters, starter_versions
from tests.games.world import make_world


def begin(classes: int, **how: Any) -> None:
    """So many classes with a match of Corruption! of two students; prints what browsers know."""
    load_starters()
    _print(classes=[_class(**how) for _place in range(classes)])


def _class(**how: Any) -> dict[str, Any]:
    world = make_world(2)
    versions = {kind: v.pk for kind, v in starter_versions("corruption", "one-lesson").items()}
    match = world.started(
        *([student] for student in world.students), game="corruption", versions=versions, **how
    )
    return {
        "match": str(match.pk),
        "students": [str(student.pk) for student in world.students],
        "sessions": [world.student_session(student) for student in world.students],
        "cookie": settings.SESSION_COOKIE_NAME,
    }


def kick(student_id: str) -> None:
    """The teacher of the class throws a student out."""
    student = Student.objects.select_related("classroom__owner").get(pk=student_id)
    lesson = student.attendance.get().lesson_id
    actor = TeacherActor(student.classroom.owner)
    attendance.kick_student(lesson_id=lesson, actor=actor, student_id=UUID(student_id))


def pause(match_id: str) -> None:
    """The teacher pauses a match."""
    match = Match.objects.get(pk=match_id)
    owner = Teacher.objects.get(classrooms__lessons=match.lesson_id)
    matches.pause_match(match_id=match.pk, actor=TeacherActor(owner))


def log_of(match_id: str) -> None:
    """Prints versions and request ids of a match's log."""
    records = Match.objects.get(pk=match_id).records.order_by("version")
    _print(records=list(records.values_list("version", "request_id")))


def answers_of(match_id: str) -> None:
    """Prints kind, seat and decision of each record that answered a decision."""
    records = Match.objects.get(pk=match_id).records.exclude(decision=None).order_by("version")
    _print(answers=list(records.values_list("kind", "seat", "decision")))


def _print(**said: Any) -> None:
    print(json.dumps(said))
