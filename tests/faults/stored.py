"""What the harness asks the site's own database: ``manage.py shell -c "…"``.

Every function prints one JSON object on a line of its own.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from typing import Any

import msgspec
from django.conf import settings
from django.db import connection

from classroom.access import TeacherActor
from classroom.codes import new_class_code
from classroom.errors import DomainError
from classroom.models import Lesson, Student
from games.engine.game import Watcher
from games.models import Match, Vote
from games.position import Position
from games.selectors import positions
from games.selectors.rulesets import rules_of
from games.services import frames, matches, steady
from games.services.decks import load_starters, starter_versions
from games.services.matches import TeamPlan
from games.services.play import Submission
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
                "lesson": str(world.lesson.pk),
                "cookie": settings.SESSION_COOKIE_NAME,
                "sessions": [world.student_session(student) for student in students],
                "teacher": world.teacher_session(),
            }
        )
    print(json.dumps({"matches": begun}))


def lessons(students: int, a_class: int) -> None:
    """Open lessons for so many students, none of whom has come yet; their codes, names, teacher."""
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
        opened.append(
            {
                "lesson": str(world.lesson.pk),
                "code": classroom.code,
                "students": [str(one.pk) for one in coming],
                "cookie": settings.SESSION_COOKIE_NAME,
                "teacher": world.teacher_session(),
            }
        )
    print(json.dumps({"lessons": opened}))


def start_lessons(classes: list[list[str]], a_match: int) -> None:
    """Start matches of two teams with the students of each lesson, so many in a match."""
    started = 0
    for teams in _tables(classes, a_match):
        halves = [tuple(teams[0::2]), tuple(teams[1::2])]
        _begun(halves[0][0], [TeamPlan(students=half) for half in halves])
        started += 1
    print(json.dumps({"matches": started}))


def ask_everybody(classes: list[list[str]], a_match: int) -> None:
    """Matches in which all students are one team that has something to vote about."""
    asked = {}
    for students in _tables(classes, a_match):
        plans = [TeamPlan(students=tuple(students)), TeamPlan(played_by="bot", bot="greedy")]
        match, actor = _begun(students[0], plans, decision_rule="unanimous", silent_first="always")
        while not _votes_now(position := positions.load(match.pk)):
            for opened in position.timing.opened:
                due = Submission(
                    decision=opened.version,
                    at=steady.now(),
                    kind="timeout",
                    seat=opened.decision.seat,
                )
                with suppress(DomainError):  # the site plays the bot as well
                    matches.submit_now(match_id=match.pk, actor=actor, submission=due)
        asked[str(match.pk)] = students
    print(json.dumps({"matches": asked}))


def votes(names: list[str]) -> None:
    """How many votes of each student about the first thing that was voted in these matches."""
    rows = Vote.objects.filter(match__in=names).values_list("match", "decision", "student")
    first: dict[str, int] = {}
    for match, decision, _student in rows:
        first[match] = min(decision, first.get(match, decision))
    found = Counter(str(who) for match, decision, who in rows if decision == first[match])
    print(json.dumps({"votes": found}))


def _tables(classes: list[list[str]], a_match: int) -> list[list[str]]:
    """The students of each class, so many together; what is left over makes the last one larger."""
    found = []
    for students in classes:
        many = max(1, len(students) // a_match)
        found += [students[place::many] for place in range(many) if len(students) > 1]
    return found


def _begun(student: str, plans: list[TeamPlan], **how: Any) -> tuple[Match, TeacherActor]:
    load_starters()
    lesson = Lesson.objects.select_related("classroom__owner").get(attendance__student=student)
    teacher = TeacherActor(lesson.classroom.owner)
    versions = {kind: v.pk for kind, v in starter_versions("corruption", "one-lesson").items()}
    match = matches.create_match(
        lesson_id=lesson.pk,
        actor=teacher,
        game="corruption",
        versions=versions,
        teams=plans,
        **how,
    )
    matches.start_match(match_id=match.pk, actor=teacher)
    return match, teacher


def _votes_now(position: Position) -> bool:
    """Whether the first team has something to vote about."""
    opened = position.opened(0)
    if opened is None or not opened.decision.required:
        return False
    offered = position.rules.legal_moves(position.state, 0)
    return not any(
        move.__struct_config__.tag in position.game.acts for move in getattr(offered, "moves", ())
    )


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
    position = positions.load(match_id)
    records = list(match.records.order_by("version").values_list("version", "request_id", "kind"))
    found: dict[str, Any] = {"version": match.version, "records": records, "broken": ""}
    try:
        states = positions.replayed(match)
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
