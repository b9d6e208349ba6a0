"""PostgreSQL ends one of two that are in each other's way (case CC-11).

Not found by pytest itself, since it needs that database: ``test_conflicts.py`` starts one
and runs this page on it. What teachers do besides play: ``conflicts_of_teachers.py``.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client

from classroom import activities, transactions
from classroom.errors import Busy
from games import catalog
from games.activity import GameActivity
from games.live import writer
from games.live.writer import Expire
from games.models import Match
from games.position import Position
from games.selectors import positions
from games.services import steady
from games.services.matches import acts
from games.services.play import Accepted, Refused, Submission
from tests.faults.processes import Process
from tests.faults.rival import deadlock, deadlock_in_one_statement, held, overtaken
from tests.games.world import BACKEND, World, make_world
from tests.rules.lanterns.game import LANTERNS

DEADLOCK, NO_ORDER = "40P01", "40001"


@pytest.fixture
def world(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    """A lesson of two students."""
    monkeypatch.setitem(catalog.GAMES, "lanterns", LANTERNS)
    monkeypatch.setitem(activities._registered, "lanterns", GameActivity(LANTERNS))
    return make_world(2)


@pytest.fixture
def desk(world: World) -> Client:
    """The teacher's browser."""
    client = Client()
    client.force_login(world.teacher.teacher, backend=BACKEND)
    return client


def _duel(world: World) -> Match:
    return world.started(world.students[:1], world.students[1:])


def _lay(match: Match) -> Submission:
    position: Position = positions.load(match.pk)
    return Submission(
        decision=1,
        at=steady.now(),
        move={"type": "lay", "card": position.state.hands[0][0]},
        student=position.teams[0].members[0].student,
        request_id=f"{match.pk}",
    )


def _waits_for_a_lock() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        return str(cursor.fetchone()[0])


def _kinds(match: Match) -> list[str]:
    return list(match.records.order_by("version").values_list("kind", flat=True))


def _pause(desk: Client, match: Match) -> int:
    answer = desk.post(f"/matches/{match.pk}/desk/pause/")
    assert answer.status_code != 503 or str(Busy.message) in answer.content.decode()
    return answer.status_code


@pytest.mark.case("CC-11")
@pytest.mark.parametrize("tries", [3, 0])
def test_moves_that_end_in_a_deadlock_are_made_again(
    world: World, monkeypatch: pytest.MonkeyPatch, conflicts: list[str], tries: int
) -> None:
    """Without further tries: told to come again, and nothing of either move is there."""
    monkeypatch.setattr(writer, "MORE_TRIES", tries)
    earlier, later = sorted((_duel(world), _duel(world)), key=lambda match: str(match.pk))
    process = Process()
    for match in (earlier, later):
        process.do(match.pk, Expire())

    one, other = ("games_match", later.pk), ("games_match", earlier.pk)
    with deadlock_in_one_statement(one, other):
        answers = process.do_all(
            (earlier.pk, _lay(earlier)),
            (later.pk, _lay(later)),
        )

    assert conflicts == ([DEADLOCK] if tries else [])
    written = ["setup", "move"] if tries else ["setup"]
    assert [_kinds(earlier), _kinds(later)] == [written, written]
    if tries:
        assert all(isinstance(answer, Accepted) for answer in answers)
    else:
        assert [answer.code for answer in answers if isinstance(answer, Refused)] == ["busy"] * 2
        again = process.do(earlier.pk, _lay(earlier))
        assert isinstance(again[0], Accepted)


@pytest.mark.case("CC-11")
def test_move_is_made_again_where_two_transactions_have_no_order(
    world: World, conflicts: list[str]
) -> None:
    match = _duel(world)
    process = Process()

    with overtaken(match):
        (answer,) = process.do(match.pk, _lay(match))

    assert conflicts == [NO_ORDER]
    assert isinstance(answer, Accepted)
    assert _kinds(match) == ["setup", "move"]


@pytest.mark.case("CC-11")
def test_move_that_waits_too_long_for_its_row_is_busy_and_comes_again(world: World) -> None:
    match = _duel(world)
    process = Process()
    move = _lay(match)

    with held("games_match", match.pk):
        (refused,) = process.do(match.pk, move)
    (accepted,) = process.do(match.pk, move)

    assert isinstance(refused, Refused)
    assert refused.code == "busy"
    assert _waits_for_a_lock() == "3s"
    assert isinstance(accepted, Accepted)
    assert _kinds(match) == ["setup", "move"]


@pytest.mark.case("CC-11")
@pytest.mark.parametrize("tries", [3, 1])
def test_act_at_the_desk_that_ends_in_a_deadlock_is_done_again(
    world: World,
    desk: Client,
    monkeypatch: pytest.MonkeyPatch,
    conflicts: list[str],
    tries: int,
) -> None:
    monkeypatch.setattr(acts, "TRIES", tries)
    match = _duel(world)
    teacher = ("classroom_teacher", world.teacher.teacher.pk)

    with deadlock(teacher, ("games_match", match.pk)):
        status = _pause(desk, match)

    assert conflicts == [DEADLOCK]
    assert status == (302 if tries > 1 else 503)
    assert _kinds(match) == (["setup", "pause"] if tries > 1 else ["setup"])


@pytest.mark.case("CC-11")
def test_act_at_the_desk_is_done_again_where_two_transactions_have_no_order(
    world: World, desk: Client, conflicts: list[str]
) -> None:
    match = _duel(world)

    with overtaken(match):
        status = _pause(desk, match)

    assert conflicts == [NO_ORDER]
    assert (status, _kinds(match)) == (302, ["setup", "pause"])


@pytest.mark.case("CC-11")
def test_act_at_the_desk_that_waits_too_long_is_refused_kindly(world: World, desk: Client) -> None:
    match = _duel(world)

    with held("games_match", match.pk):
        status = _pause(desk, match)

    assert (status, _kinds(match)) == (503, ["setup"])
    assert (_pause(desk, match), _kinds(match)) == (302, ["setup", "pause"])


@pytest.mark.case("CC-11")
@pytest.mark.parametrize("tries", [3, 1])
def test_student_is_sent_out_whole_or_not_at_all(
    world: World,
    desk: Client,
    monkeypatch: pytest.MonkeyPatch,
    conflicts: list[str],
    tries: int,
) -> None:
    """Attendance and match are written in one transaction, and the second is what fails.

    So both are written again: the match alone would meet the same deadlock again.
    """
    monkeypatch.setattr(transactions, "TRIES", tries)
    match = _duel(world)
    student = world.students[0]
    attendance = student.attendance.get()
    address, form = f"/matches/{match.pk}/desk/kick/", {"student": str(student.pk)}

    with deadlock(("games_match", match.pk), ("classroom_attendance", attendance.pk)):
        answer = desk.post(address, form)

    assert conflicts == ([DEADLOCK] if tries > 1 else [])
    assert answer.status_code == (302 if tries > 1 else 503)
    attendance.refresh_from_db()
    sent_out = (attendance.kicked_at is not None, _kinds(match))
    assert sent_out == ((True, ["setup", "leave"]) if tries > 1 else (False, ["setup"]))
    assert desk.post(address, form).status_code == 302
    assert _kinds(match) == ["setup", "leave"]
