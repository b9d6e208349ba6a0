from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from classroom.models import Attendance, Device
from classroom.services import attendance
from games.models import Match
from games.services import matches, preparing
from tests.games.services.preparing.classes import students

pytestmark = pytest.mark.django_db


def test_who_is_ticked_present_after_the_start_goes_to_the_smallest_team(lesson, teacher):
    students(lesson, 3)
    (match,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)
    (late,) = students(lesson, 1, here=False)

    for _tick in range(2):
        attendance.tick_present(actor=teacher, lesson_id=lesson.pk, student_id=late.pk)

    assert [team.members.count() for team in match.teams.order_by("seat")] == [2, 2]
    joined = match.records.get(kind="join")
    assert (joined.student, joined.teacher) == (late, teacher.teacher)


def test_all_who_are_ticked_present_after_the_start_get_a_place(lesson, teacher):
    students(lesson, 2)
    (match,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)
    students(lesson, 4, here=False)

    attendance.tick_others_present(actor=teacher, lesson_id=lesson.pk)

    assert [team.members.count() for team in match.teams.order_by("seat")] == [3, 3]


def test_who_is_ticked_present_late_sits_beside_somebody_with_a_device(lesson, teacher):
    students(lesson, 4)
    (match,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)
    small, large = match.teams.order_by("seat")
    matches.take_out(student_id=small.members.first().student_id, lesson_id=None, actor=teacher)
    holder = large.members.first().student
    Device.objects.create(attendance=Attendance.objects.get(student=holder), state="in", key="a")
    (late,) = students(lesson, 1, here=False)

    attendance.tick_present(actor=teacher, lesson_id=lesson.pk, student_id=late.pk)

    assert {m.student for m in large.members.all()} >= {holder, late}


def test_who_is_ticked_present_before_the_start_is_in_no_match_yet(lesson, teacher):
    (early,) = students(lesson, 1, here=False)

    attendance.tick_present(actor=teacher, lesson_id=lesson.pk, student_id=early.pk)

    assert not Match.objects.exists()


@pytest.mark.parametrize("started", [False, True])
def test_all_who_are_ticked_present_cost_one_look_at_the_matches(lesson, teacher, started):
    students(lesson, 2)
    if started:
        preparing.start_matches(actor=teacher, lesson_id=lesson.pk)
    looks = []
    for late in (1, 3):
        students(lesson, late, here=False)
        with CaptureQueriesContext(connection) as asked:
            attendance.tick_others_present(actor=teacher, lesson_id=lesson.pk)
        wanted = [query["sql"].partition(" WHERE ")[2] for query in asked]
        looks.append(sum('"games_match"."status"' in sql for sql in wanted))

    assert looks[0] == looks[1] == (2 if started else 1)
