from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from classroom.access import TeacherActor
from classroom.errors import NotThere
from classroom.models import Attendance, Classroom, Device, Lesson, Student, Teacher
from classroom.services import attendance
from games.decks.starters import starter
from games.models import Match, MoveRecord, Team
from games.selectors.lineups import drafted, teams_of
from games.services import matches, preparing
from games.services.preparing import Devices, Setup

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def starters():
    call_command("load_starters")


@pytest.fixture
def teacher() -> TeacherActor:
    return TeacherActor(Teacher.objects.create_user("t@school.example", name="T"))


@pytest.fixture
def lesson(teacher) -> Lesson:
    return new_lesson(teacher, "7c")


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


def test_settings_go_over_to_drafted_matches(lesson, teacher):
    students(lesson, 4)
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)
    before = teams_of(drafted(lesson))
    setup = Setup(
        board="one-lesson",
        options={"first_team": "blue"},
        decision_rule=Match.DecisionRule.UNANIMOUS,
        decision_limit_s=45,
    )

    preparing.save_setup(actor=teacher, lesson_id=lesson.pk, setup=setup)

    (match,) = drafted(lesson)
    assert match.options["first_team"] == "blue"
    assert match.decision_rule == "unanimous"
    assert match.decision_limit_s == 45
    assert (
        match.contents.get(kind="board").version.deck.title
        == starter("corruption", "one-lesson").title
    )
    assert teams_of(drafted(lesson)) == before


@pytest.mark.parametrize(
    "setup",
    [
        Setup(board="no such board"),
        Setup(board="two-villages", options={"first_team": "green"}),
        Setup(board="two-villages", options={"cheating": True}),
        Setup(board="two-villages", decision_limit_s=9),
        Setup(board="two-villages", apart=(("a", "a"),)),
    ],
)
def test_impossible_settings_are_refused_and_nothing_is_stored(lesson, teacher, setup):
    with pytest.raises(preparing.BadSetup):
        preparing.save_setup(actor=teacher, lesson_id=lesson.pk, setup=setup)

    lesson.refresh_from_db()
    assert lesson.settings == {}


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


def test_after_the_end_the_same_students_play_again(lesson, teacher):
    students(lesson, 4)
    (first,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)
    matches.end_match(match_id=first.pk, actor=teacher)

    (second,) = preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    assert second.number == 2
    assert sum(team.members.count() for team in second.teams.all()) == 4


def test_there_are_no_teams_of_last_time_before_the_first(lesson, teacher):
    students(lesson, 4)

    with pytest.raises(preparing.NoLastTeams):
        preparing.repeat_teams(actor=teacher, lesson_id=lesson.pk)


def test_another_teachers_lesson_is_not_there(lesson):
    stranger = TeacherActor(Teacher.objects.create_user("u@school.example", name="U"))

    with pytest.raises(NotThere):
        preparing.make_teams(actor=stranger, lesson_id=lesson.pk)


@pytest.mark.parametrize(
    ("of_class", "active", "expected"),
    [("ar", "fr", "ar"), ("", "fr", "fr"), ("", "de", "en")],
)
def test_match_is_played_in_the_language_of_the_class_or_else_of_the_page(
    lesson, teacher, of_class, active, expected
):
    lesson.classroom.language = of_class
    lesson.classroom.save()
    students(lesson, 4)

    with translation.override(active):
        preparing.make_teams(actor=teacher, lesson_id=lesson.pk)

    (match,) = drafted(lesson)
    assert match.language == expected
    assert {c.version.deck.language for c in match.contents.all()} == {expected}


# -- devices and computer players -----------------------------------------------------------------


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


def test_with_one_device_a_team_every_team_gets_one_that_speaks_for_it(lesson, teacher):
    everybody = students(lesson, 20)
    holds_a_device(lesson, *everybody[:4])
    preparing.save_setup(
        actor=teacher,
        lesson_id=lesson.pk,
        setup=Setup(board=starter("corruption").key, devices=Devices.SHARED),
    )

    preparing.make_teams(actor=teacher, lesson_id=lesson.pk, number=2)
    preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    held = {str(student.pk) for student in everybody[:4]}
    speaking = speakers(lesson)
    assert [len(team) for team in speaking] == [1, 1, 1, 1]
    assert {student for team in speaking for student in team} == held


@pytest.mark.parametrize("devices", [Devices.OWN, Devices.MIXED])
def test_a_device_speaks_for_others_where_some_have_none(lesson, teacher, devices):
    (with_device, other, alone, friend) = students(lesson, 4)
    holds_a_device(lesson, with_device, alone, friend)
    preparing.save_setup(
        actor=teacher,
        lesson_id=lesson.pk,
        setup=Setup(board=starter("corruption").key, devices=devices),
    )
    for student, seat in ((with_device, 0), (other, 0), (alone, 1), (friend, 1)):
        number = drafted(lesson).first().number if drafted(lesson) else 1
        preparing.place_student(
            actor=teacher, lesson_id=lesson.pk, student_id=student.pk, number=number, seat=seat
        )

    preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    shared = [str(with_device.pk)] if devices is Devices.MIXED else []
    assert speakers(lesson) == [shared, []]


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


def test_a_computer_player_that_the_game_does_not_have_is_refused(lesson, teacher):
    wrong = Setup(board=starter("corruption").key, bot="grandmaster")

    with pytest.raises(preparing.BadSetup):
        preparing.save_setup(actor=teacher, lesson_id=lesson.pk, setup=wrong)
