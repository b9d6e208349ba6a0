from __future__ import annotations

import pytest

from classroom.access import TeacherActor
from classroom.errors import NotThere
from classroom.models import Attendance, Teacher
from games.models import Match
from games.selectors.lineups import drafted, teams_of
from games.services import preparing
from tests.games.services.preparing.classes import new_lesson, sizes, students

pytestmark = pytest.mark.django_db


def test_teams_are_made_from_who_is_here(lesson, teacher):
    students(lesson, 12)
    students(lesson, 9, here=False)

    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)

    assert sizes(lesson) == [[3, 3], [3, 3]]


def test_before_anybody_is_here_teams_are_made_from_the_roster(lesson, teacher):
    students(lesson, 4, here=False)

    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)

    assert sizes(lesson) == [[2, 2]]


def test_more_matches_than_students_can_fill_are_not_made(lesson, teacher):
    students(lesson, 5)

    preparing.make_teams(actor=teacher, lesson_id=lesson.pk, number=40)

    assert sizes(lesson) == [[2, 1], [1, 1]]


def test_teams_without_students_are_refused_with_a_sentence(lesson, teacher):
    with pytest.raises(preparing.NobodyHere):
        preparing.make_teams(actor=teacher, lesson_id=lesson.pk)


def test_mixing_again_replaces_the_drafts(lesson, teacher):
    students(lesson, 6)

    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)

    assert [match.number for match in drafted(lesson)] == [1]


def test_two_students_kept_apart_never_share_a_team(lesson, teacher):
    one, other, *_rest = students(lesson, 6)
    preparing.keep_apart(actor=teacher, lesson_id=lesson.pk, one=one.pk, other=other.pk, apart=True)

    for _n in range(10):
        preparing.make_teams(actor=teacher, lesson_id=lesson.pk)

        together = [
            team
            for match in teams_of(drafted(lesson))
            for team in match
            if {str(one.pk), str(other.pk)} <= set(team)
        ]
        assert together == []


def test_a_student_is_moved_from_team_to_team(lesson, teacher):
    student, *_rest = students(lesson, 4)
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)

    for seat in (0, 1):
        preparing.place_student(
            actor=teacher, lesson_id=lesson.pk, student_id=student.pk, number=1, seat=seat
        )

        assert str(student.pk) in teams_of(drafted(lesson))[0][seat]
        assert sum(map(sum, sizes(lesson))) == 4


def test_a_name_dropped_outside_makes_a_further_match(lesson, teacher):
    student, *_rest = students(lesson, 4)
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)

    preparing.place_student(
        actor=teacher, lesson_id=lesson.pk, student_id=student.pk, number=2, seat=0
    )

    assert sizes(lesson)[1] == [1, 0]


def test_a_student_of_another_class_is_not_there(lesson, teacher):
    students(lesson, 4)
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)
    (stranger,) = students(new_lesson(teacher, "8a"), 1)

    with pytest.raises(NotThere):
        preparing.place_student(
            actor=teacher, lesson_id=lesson.pk, student_id=stranger.pk, number=1
        )


def test_teams_of_last_time_come_back_and_newcomers_join_the_smallest(lesson, teacher):
    known = students(lesson, 4)
    preparing.start_matches(actor=teacher, lesson_id=lesson.pk)
    last = teams_of(Match.objects.prefetch_related("teams__members"))
    again = new_lesson(teacher, "7c")
    Attendance.objects.bulk_create(Attendance(lesson=again, student=s) for s in known[:3])
    (newcomer,) = students(again, 1)

    preparing.repeat_teams(actor=teacher, lesson_id=again.pk)

    gone = str(known[3].pk)
    (match,) = teams_of(drafted(again))
    assert [[s for s in team if s != str(newcomer.pk)] for team in match] == [
        [s for s in team if s != gone] for team in last[0]
    ]
    assert [len(team) for team in match] == [2, 2]


def test_there_are_no_teams_of_last_time_before_the_first(lesson, teacher):
    students(lesson, 4)

    with pytest.raises(preparing.NoLastTeams):
        preparing.repeat_teams(actor=teacher, lesson_id=lesson.pk)


def test_another_teachers_lesson_is_not_there(lesson):
    stranger = TeacherActor(Teacher.objects.create_user("u@school.example", name="U"))

    with pytest.raises(NotThere):
        preparing.make_teams(actor=stranger, lesson_id=lesson.pk)


def test_practice_lasts_until_teams_are_mixed_for_each_other_again(lesson, teacher):
    students(lesson, 6)
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk, practice=True)

    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)

    lesson.refresh_from_db()
    assert preparing.setup_of(lesson).practice is False
    assert sizes(lesson) == [[3, 3]]


def test_the_whole_class_may_be_one_team_against_the_computer(lesson, teacher):
    students(lesson, 7)

    preparing.make_teams(actor=teacher, lesson_id=lesson.pk, number=1, practice=True)

    assert sizes(lesson) == [[7, 0]]
