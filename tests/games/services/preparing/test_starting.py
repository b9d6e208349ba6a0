from __future__ import annotations

import pytest

from classroom.models import Attendance
from games.decks.starters import starter
from games.models import Match, MoveRecord, Team
from games.selectors.lineups import drafted, teams_of
from games.services import matches, preparing
from games.services.preparing import Setup
from tests.games.services.preparing.classes import sizes, students

pytestmark = pytest.mark.django_db


def test_starting_leaves_out_who_is_absent_and_takes_in_who_came(lesson, teacher):
    _absent, *came = students(lesson, 6, here=False)
    Attendance.objects.bulk_create(Attendance(lesson=lesson, student=s) for s in came)
    late = students(lesson, 1, here=False)[0]
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)
    Attendance.objects.create(lesson=lesson, student=late)

    (match,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    playing = {m.student for team in match.teams.all() for m in team.members.all()}
    assert playing == {*came, late}
    assert Match.objects.get().status == "playing"
    assert MoveRecord.objects.filter(kind="setup", version=1).count() == 1


def test_when_most_are_away_the_few_play_each_other(lesson, teacher):
    came = students(lesson, 30, here=False)[:4]
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)
    Attendance.objects.bulk_create(Attendance(lesson=lesson, student=s) for s in came)

    (match,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    assert [team.members.count() for team in match.teams.all()] == [2, 2]


def test_even_teams_that_absence_made_uneven_are_mixed_anew(lesson, teacher):
    students(lesson, 6, here=False)
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)
    red, blue = teams_of(drafted(lesson))[0]
    Attendance.objects.bulk_create(Attendance(lesson=lesson, student_id=s) for s in (*red, blue[0]))

    (match,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    assert [team.members.count() for team in match.teams.all()] == [2, 2]


def test_uneven_teams_that_the_teacher_wanted_stay(lesson, teacher):
    weak, *_others = students(lesson, 4)
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)
    seat = next(n for n, team in enumerate(teams_of(drafted(lesson))[0]) if str(weak.pk) in team)
    preparing.place_student(
        actor=teacher, lesson_id=lesson.pk, student_id=weak.pk, number=1, seat=1 - seat
    )

    (match,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    assert sorted(team.members.count() for team in match.teams.all()) == [1, 3]


def test_one_student_alone_plays_against_the_computer(lesson, teacher):
    students(lesson, 1)

    preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    played_by = Team.objects.order_by("seat").values_list("played_by", flat=True)
    assert sorted(played_by) == ["bot", "people"]


@pytest.mark.case("CC-04")
def test_starting_twice_starts_nothing_twice(lesson, teacher):
    students(lesson, 4)
    preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    again = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    assert again == []
    assert Match.objects.count() == 1


def test_starting_without_anybody_is_refused_with_a_sentence(lesson, teacher):
    students(lesson, 4, here=False)

    with pytest.raises(preparing.NobodyHere):
        preparing.start_matches(actor=teacher, lesson_id=lesson.pk)


def test_after_the_end_the_same_students_play_again(lesson, teacher):
    students(lesson, 4)
    (first,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)
    matches.end_match(match_id=first.pk, actor=teacher)

    (second,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    assert second.number == 2
    assert sum(team.members.count() for team in second.teams.all()) == 4


def test_in_practice_every_team_plays_against_the_chosen_computer(lesson, teacher):
    everybody = students(lesson, 6)
    preparing.save_setup(
        actor=teacher,
        lesson_id=lesson.pk,
        setup=Setup(board=starter("corruption").key, bot="greedy"),
    )
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk, number=2, practice=True)
    assert sizes(lesson) == [[3, 0], [3, 0]]
    students(lesson, 1)

    preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    teams = Team.objects.filter(match__lesson=lesson).order_by("match__number", "seat")
    assert list(teams.values_list("played_by", "bot")) == [("people", ""), ("bot", "greedy")] * 2
    assert sorted(len(team.members.all()) for team in teams) == [0, 0, 3, 4]
    assert len(everybody) == 6
