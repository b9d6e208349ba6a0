"""The report of a lesson: all its matches that ended, on one page of the classroom."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from classroom.models import Fact
from games.models import Match
from games.selectors.results import source
from games.services.matches import end_match
from games.services.preparing import make_teams, start_matches
from tests.games.looking_back import seen_by
from tests.games.world import World

pytestmark = pytest.mark.django_db


def played(world: World) -> Match:
    """One more match of the lesson, ended, with a right answer of Ana's."""
    make_teams(actor=world.teacher, lesson_id=world.lesson.pk, number=1)
    start_matches(actor=world.teacher, lesson_id=world.lesson.pk)
    match = Match.objects.order_by("-number")[0]
    end_match(match_id=match.pk, actor=world.teacher)
    Fact.objects.create(
        lesson=world.lesson,
        student=world.students[0],
        source=source(match.pk),
        activity="corruption",
        kind="knowledge",
        what="qa_alone",
        value="right",
        version=1,
    )
    return match


def report(world: World):
    return seen_by(world.teacher_session()).get(f"/lessons/{world.lesson.pk}/report/")


def test_report_without_an_ended_match_says_what_to_do(drafted_world):
    assert "Nothing to report yet" in report(drafted_world).content.decode()


def test_report_tells_what_every_match_told_about_students(drafted_world):
    world = drafted_world
    played(world), played(world)

    answer = report(world)

    (section,) = answer.context["sections"]
    knowledge = next(t for t in section.context["tables"] if t.kind == "knowledge")
    rows = [(p.match, p.name, cells[0].value) for p, cells in knowledge.rows if p.name == "Ana"]
    assert rows == [(1, "Ana", "1 × right"), (2, "Ana", "1 × right")]
    told = answer.content.decode()
    assert "4 students were there." in told
    assert "not a mark" in told


def test_report_names_the_teams_that_the_computer_played_for(drafted_world):
    world = drafted_world
    alone, other = played(world), played(world)
    first = alone.records.get(version=1)
    for seat in (0, 1):
        alone.records.create(version=90 + seat, kind="bot", seat=seat, at=first.at)

    answer = report(world)

    (section,) = answer.context["sections"]
    told = {row["match"].pk: row["computer"] for row in section.context["rows"]}
    assert told == {alone.pk: "The computer played for Red, Blue.", other.pk: ""}
    assert "The computer played for Red, Blue." in answer.content.decode()


def test_report_asks_no_more_of_the_database_for_more_students(drafted_world):
    world = drafted_world
    played(world)
    report(world)  # the rules of a match are computed once a process
    with CaptureQueriesContext(
        connection,
    ) as few:
        report(world)
    Fact.objects.bulk_create(
        Fact(
            lesson=world.lesson,
            student=student,
            source=source(world.lesson.matches.get().pk),
            activity="corruption",
            kind="participation",
            what="acts",
            value="1",
            version=1,
        )
        for student in world.students
        for _fact in range(50)
    )

    with CaptureQueriesContext(connection) as many:
        report(world)

    assert len(many) == len(few)
