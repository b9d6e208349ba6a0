"""What happens to matches when people come late, are sent out, put together or exported."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test import Client

from classroom import activities
from classroom.models import Attendance, Device, Lesson, Student
from classroom.services import attendance, classrooms, lessons, personal_data, rosters
from games.activity import GameActivity
from games.models import Match, Member, MoveRecord, Vote
from games.selectors import positions
from games.selectors.players import matches_of
from games.services import matches, steady
from games.services.play import Submission
from tests.games.world import World, arrive
from tests.permissions.world import logged_in
from tests.rules.lanterns.game import LANTERNS


@pytest.fixture(autouse=True)
def _lessons_of_lanterns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(activities._registered, "lanterns", GameActivity(LANTERNS))


def people_of(match: Match) -> list[list[str]]:
    """Names by team, as the match's position holds them."""
    return [[member.name for member in team.members] for team in positions.load(match.pk).teams]


def browser(world: World, student: Student) -> Client:
    client = Client()
    client.cookies["sessionid"] = world.student_session(student)
    return client


def newcomer(world: World, name: str = "Zoe") -> Student:
    student = Student.objects.create(classroom=world.lesson.classroom, name=name)
    arrive(world, student)
    return student


def test_who_comes_late_is_led_to_the_smallest_team(world: World) -> None:
    match = world.started(world.students[:2], world.students[2:3])
    late = newcomer(world)

    answer = browser(world, late).post(f"/lessons/{world.lesson.pk}/here/")

    assert answer.headers["HX-Redirect"] == f"/matches/{match.pk}/play/"
    assert people_of(match) == [["Ana", "Ben"], ["Caro", "Zoe"]]


def test_who_waits_before_the_start_is_in_no_team(world: World) -> None:
    match = world.match(world.students[:2], world.students[2:3])
    early = newcomer(world)

    answer = browser(world, early).post(f"/lessons/{world.lesson.pk}/here/")

    assert answer.status_code == 200
    assert not Member.objects.filter(team__match=match, student=early).exists()


def test_match_waits_while_its_lesson_is_closed(world: World) -> None:
    match = world.started()

    lessons.close_lesson(actor=world.teacher, lesson_id=world.lesson.pk)

    match.refresh_from_db()
    assert (match.status, match.due_at) == (Match.Status.PAUSED, None)
    lessons.open_lesson(actor=world.teacher, lesson_id=world.lesson.pk)
    matches.resume_match(match_id=match.pk, actor=world.teacher)


def test_reading_the_waiting_page_takes_no_seat(world: World) -> None:
    match = world.started(world.students[:2], world.students[2:3])
    late = newcomer(world)

    browser(world, late).get(f"/lessons/{world.lesson.pk}/play/")

    assert people_of(match) == [["Ana", "Ben"], ["Caro"]]


@pytest.mark.case("AZ-18")
@pytest.mark.parametrize("act", ["kick", "remove", "erase"])
def test_who_is_sent_out_on_a_page_of_the_class_is_out_of_the_match(world: World, act: str) -> None:
    match = world.started()
    ana = world.students[0]
    teacher = logged_in(world.teacher.teacher)
    page = {
        "kick": f"/lessons/{world.lesson.pk}/students/{ana.pk}/",
        "remove": f"/students/{ana.pk}/remove/",
        "erase": f"/students/{ana.pk}/erase/",
    }[act]

    teacher.post(page, {"act": act})

    assert people_of(match) == [["Caro"], ["Ben", "Dia"]]
    last = MoveRecord.objects.filter(match=match).last()
    assert last is not None
    assert (last.kind, last.student) == ("leave", ana)


def test_who_is_let_back_in_has_the_old_seat(world: World) -> None:
    match = world.started()
    ana = world.students[0]
    of = {"actor": world.teacher, "lesson_id": world.lesson.pk, "student_id": ana.pk}

    attendance.kick_student(**of)
    attendance.readmit_student(**of)

    assert [sorted(team) for team in people_of(match)] == [["Ana", "Caro"], ["Ben", "Dia"]]


def test_merged_guest_leaves_seat_and_log_to_the_student(world: World) -> None:
    guest = Student.objects.create(
        classroom=world.lesson.classroom, name="Visitor", guest_of=world.lesson
    )
    arrive(world, guest)
    absent = Student.objects.create(classroom=world.lesson.classroom, name="Zoe")
    match = world.started(world.students[:2], world.students[2:3])
    matches.join_match(match_id=match.pk, actor=world.teacher, student_id=guest.pk)
    Lesson.objects.update(state="closed")

    rosters.merge_guest(actor=world.teacher, guest_id=guest.pk, student_id=absent.pk)

    assert people_of(match) == [["Ana", "Ben"], ["Caro", "Zoe"]]
    everything = "".join(record.data for record in MoveRecord.objects.filter(match=match))
    assert str(guest.pk) not in everything
    assert str(absent.pk) in everything
    positions.load(match.pk)


@pytest.mark.case("PV-03")
def test_export_of_a_student_holds_own_seats_and_no_classmate(world: World) -> None:
    match = world.started()
    late = newcomer(world)
    matches.join_match(match_id=match.pk, actor=world.teacher, student_id=late.pk)

    export = personal_data.export_student(actor=world.teacher, student_id=late.pk)
    data = export["activities"]["lanterns"]

    assert [seat["match"] for seat in data["seats"]] == [str(match.pk)]
    assert [move["kind"] for move in data["moves"]] == ["join"]
    text = json.dumps(data)
    for other in world.students:
        assert other.name not in text
        assert str(other.pk) not in text
    assert Attendance.objects.count() == Device.objects.count() == 5


def test_class_that_is_deleted_leaves_no_record_and_no_vote(world: World) -> None:
    """Students are not looked for there (docs/decisions/0017): all goes with the match."""
    match = world.started(world.students[:1], world.students[1:2])
    voted(world, match)
    matches.join_match(match_id=match.pk, actor=world.teacher, student_id=newcomer(world).pk)

    classrooms.delete_classroom(
        actor=world.teacher, classroom_id=world.lesson.classroom_id, typed_name="7b"
    )

    assert not MoveRecord.objects.exists()
    assert not Vote.objects.exists()


def test_votes_and_records_of_a_student_are_in_matches_with_a_seat(world: World) -> None:
    """Also of who was sent out of the match: that is where export and merging look."""
    match = world.started(world.students[:1], world.students[1:2])
    voted(world, match)
    ana = world.students[0]
    attendance.kick_student(actor=world.teacher, lesson_id=world.lesson.pk, student_id=ana.pk)

    assert list(matches_of("lanterns", ana)) == [match]
    export = personal_data.export_student(actor=world.teacher, student_id=ana.pk)
    data = export["activities"]["lanterns"]
    assert [move["kind"] for move in data["moves"]] == ["move", "leave"]
    assert len(data["votes"]) == 1


@pytest.mark.django_db
def test_a_move_is_written_into_few_indexes() -> None:
    """Each costs a page of the disk for every move (docs/decisions/0017)."""
    with connection.cursor() as cursor:
        found = {
            table: {
                tuple(told["columns"])
                for told in connection.introspection.get_constraints(cursor, table).values()
                if (told["index"] or told["unique"]) and not told["primary_key"]
            }
            for table in ("games_moverecord", "games_vote")
        }

    assert found == {
        "games_moverecord": {
            ("match_id", "version"),
            ("match_id", "request_id"),
            ("teacher_id",),  # of those that have one
        },
        "games_vote": {("match_id", "decision", "student_id", "stage")},
    }


def voted(world: World, match: Match) -> None:
    """Whose turn it is votes, alone in the team, and so moves."""
    position = positions.load(match.pk)
    opened = next(opened for opened in position.timing.opened if opened.decision.seat == 0)
    student = world.students[0]
    matches.submit_now(
        match_id=match.pk,
        actor=world.actor(student),
        submission=Submission(
            decision=opened.version,
            at=steady.now(),
            move={"type": "lay", "card": position.state.hands[0][0]},
            student=str(student.pk),
        ),
    )
