"""What the harness asks the site's own database: ``manage.py shell -c "…"``.

Every function prints one JSON object on a line of its own.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from django.conf import settings
from django.db import connection

from classroom.codes import new_class_code
from classroom.models import Student
from games.engine.game import Watcher
from games.models import Match
from games.selectors.rulesets import rules_of
from games.services import frames, log
from games.services.decks import load_starters, starter_versions
from tests.faults.players import digest, shown
from tests.games.world import arrive, make_world
from tests.rules.corruption.subject import SUBJECT

VIEWERS = {"0": 0, "1": 1, "teacher": Watcher.TEACHER}
MATCHES_A_CLASS = 15


def begin(matches: int) -> None:
    """So many matches of Corruption!, each of two teams of one student."""
    load_starters()
    versions = {kind: v.pk for kind, v in starter_versions("corruption", "one-lesson").items()}
    begun = []
    for number in range(matches):
        if number % MATCHES_A_CLASS == 0:
            world = make_world(0)
            world.versions = versions
        students = [
            Student.objects.create(
                classroom=world.lesson.classroom, name=f"Student {number} {seat}"
            )
            for seat in (0, 1)
        ]
        for student in students:
            arrive(world, student)
        match = world.started(*([student] for student in students), game="corruption")
        begun.append(
            {
                "match": str(match.pk),
                "cookie": settings.SESSION_COOKIE_NAME,
                "sessions": [world.student_session(student) for student in students],
                "teacher": world.teacher_session(),
            }
        )
    print(json.dumps({"matches": begun}))


def lessons(students: int, a_class: int) -> None:
    """Open lessons for so many students, none of whom has come yet; their codes and names."""
    opened = []
    for start in range(0, students, a_class):
        world = make_world(0)
        classroom = world.lesson.classroom
        classroom.code = new_class_code()
        classroom.save()
        world.lesson.activity = "corruption"
        world.lesson.save()
        names = [f"Student {n}" for n in range(start, min(start + a_class, students))]
        coming = [Student.objects.create(classroom=classroom, name=name) for name in names]
        opened.append({"code": classroom.code, "students": [str(one.pk) for one in coming]})
    print(json.dumps({"lessons": opened}))


def tell(*matches: str) -> None:
    """Log, replay and views of these matches, and whether the database is whole."""
    print(json.dumps({"whole": _whole(), "matches": {match: _match(match) for match in matches}}))


def drop_unique() -> None:
    """Negative control: take the constraints away that make a version unique."""
    with connection.cursor() as cursor:
        for name in ("one_record_a_version", "one_record_a_request"):
            cursor.execute(f"ALTER TABLE games_moverecord DROP CONSTRAINT {name}")
    print(json.dumps({"dropped": True}))


def _match(match_id: str) -> dict[str, Any]:
    match = Match.objects.get(pk=match_id)
    rules = rules_of(match)
    position = log.load(match_id)
    records = list(match.records.order_by("version").values_list("version", "request_id", "kind"))
    found: dict[str, Any] = {"version": match.version, "records": records, "broken": ""}
    try:
        states = log.replayed(match)
    except Exception as error:
        return found | {"broken": f"{type(error).__name__}: {error}", "views": {}, "last": {}}
    values = {SUBJECT.value(rules.ruleset, state) for state in states}
    return found | {
        "same_state": states[-1] == position.state,
        "conserved": len(values) == 1,
        "views": {
            name: [digest(_plain(rules.ruleset.observe(state, viewer))) for state in states]
            for name, viewer in VIEWERS.items()
        },
        "last": {
            name: digest(shown(json.loads(frames.observation(position, viewer, "en", [], 0))))
            for name, viewer in VIEWERS.items()
        },
    }


def _plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def _whole() -> str:
    """``ok``, or what SQLite finds wrong with its file."""
    if connection.vendor != "sqlite":
        return "ok"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        return str(cursor.fetchone()[0])
