"""PostgreSQL ends one of two that are in each other's way (QUALITY CC-11).

Not found by pytest itself, since it needs that database: ``test_conflicts.py`` starts one
and runs this page on it. The rival is a connection that knows nothing of the product; it
takes rows in the order that makes the conflict, and is never the one that is ended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
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
from games.services import log, steady
from games.services.matches import acts
from games.services.play import Accepted, Refused, Submission
from tests.faults.processes import Process
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


@pytest.fixture
def conflicts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What PostgreSQL called the conflicts that reached the product."""
    met: list[str] = []
    judge = transactions.is_conflict

    def noted(error: Exception) -> bool:
        met.append(str(getattr(error.__cause__, "sqlstate", "")))
        return judge(error)  # type: ignore[arg-type]

    monkeypatch.setattr(transactions, "is_conflict", noted)
    return met


class Rival:
    """Somebody else at the database, who takes what the product wants next."""

    def __init__(self) -> None:
        how = connection.settings_dict
        self.line = psycopg.connect(
            host=how["HOST"], port=how["PORT"], user=how["USER"], dbname=how["NAME"]
        )
        self.line.execute("SET SESSION deadlock_timeout = '60s'")
        self.line.commit()

    def take(self, table: str, pk: object) -> None:
        """Lock a row until ``let_go``."""
        self.line.execute(f'SELECT 1 FROM "{table}" WHERE "id" = %s FOR UPDATE', (pk,))

    def let_go(self) -> None:
        self.line.commit()

    def until_awaited(self) -> None:
        """Return when somebody waits for what this one holds."""
        end = time.monotonic() + 30
        asked = "SELECT count(*) FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))"
        with psycopg.connect(self.line.info.dsn, autocommit=True) as onlooker:
            while time.monotonic() < end:
                waiting = onlooker.execute(asked, (self.line.info.backend_pid,)).fetchone()
                if waiting != (0,):
                    return
                time.sleep(0.02)
        raise TimeoutError("nobody waits")

    @contextmanager
    def meanwhile(self, act: Callable[[], None]) -> Iterator[None]:
        """Do this beside the block; both have ended, and the line is closed, when it is left."""
        acting = threading.Thread(target=act)
        acting.start()
        try:
            yield
        finally:
            acting.join(30)
            self.line.close()


@contextmanager
def _deadlock(first: tuple[str, object], second: tuple[str, object]) -> Iterator[None]:
    """Who takes ``second`` and then wants ``first`` is ended, as often as it takes."""
    rival = Rival()
    rival.take(*first)

    def cross() -> None:
        rival.until_awaited()
        rival.take(*second)  # the other one is ended before this returns
        rival.let_go()

    with rival.meanwhile(cross):
        yield


@contextmanager
def _overtaken(match: Match) -> Iterator[None]:
    """Who writes the match finds that it was written since its transaction began."""
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_isolation TO 'repeatable read'")
    rival = Rival()
    rival.line.execute('UPDATE "games_match" SET "due_at" = NULL WHERE "id" = %s', (match.pk,))

    def write() -> None:
        rival.until_awaited()
        rival.let_go()

    try:
        with rival.meanwhile(write):
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET default_transaction_isolation")


@contextmanager
def _held(table: str, pk: object) -> Iterator[None]:
    """The row is taken for longer than anybody waits."""
    rival = Rival()
    rival.take(table, pk)
    try:
        yield
    finally:
        rival.line.close()


def _duel(world: World) -> Match:
    return world.started(world.students[:1], world.students[1:])


def _lay(match: Match) -> Submission:
    position: Position = log.load(match.pk)
    return Submission(
        decision=1,
        at=steady.now(),
        move={"type": "lay", "card": position.state.hands[0][0]},
        student=position.teams[0].members[0].student,
        request_id=f"{match.pk}",
    )


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

    with _deadlock(("games_match", later.pk), ("games_match", earlier.pk)):
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

    with _overtaken(match):
        (answer,) = process.do(match.pk, _lay(match))

    assert conflicts == [NO_ORDER]
    assert isinstance(answer, Accepted)
    assert _kinds(match) == ["setup", "move"]


@pytest.mark.case("CC-11")
def test_move_that_waits_too_long_for_its_row_is_busy_and_comes_again(world: World) -> None:
    match = _duel(world)
    process = Process()
    move = _lay(match)

    with _held("games_match", match.pk):
        begun = time.monotonic()
        (refused,) = process.do(match.pk, move)
        waited_s = time.monotonic() - begun
    (accepted,) = process.do(match.pk, move)

    assert isinstance(refused, Refused)
    assert refused.code == "busy"
    assert 2.5 < waited_s < 10
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

    with _deadlock(teacher, ("games_match", match.pk)):
        status = _pause(desk, match)

    assert conflicts == [DEADLOCK]
    assert status == (302 if tries > 1 else 503)
    assert _kinds(match) == (["setup", "pause"] if tries > 1 else ["setup"])


@pytest.mark.case("CC-11")
def test_act_at_the_desk_is_done_again_where_two_transactions_have_no_order(
    world: World, desk: Client, conflicts: list[str]
) -> None:
    match = _duel(world)

    with _overtaken(match):
        status = _pause(desk, match)

    assert conflicts == [NO_ORDER]
    assert (status, _kinds(match)) == (302, ["setup", "pause"])


@pytest.mark.case("CC-11")
def test_act_at_the_desk_that_waits_too_long_is_refused_kindly(world: World, desk: Client) -> None:
    match = _duel(world)

    with _held("games_match", match.pk):
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

    with _deadlock(("games_match", match.pk), ("classroom_attendance", attendance.pk)):
        answer = desk.post(address, form)

    assert conflicts == ([DEADLOCK] if tries > 1 else [])
    assert answer.status_code == (302 if tries > 1 else 503)
    attendance.refresh_from_db()
    sent_out = (attendance.kicked_at is not None, _kinds(match))
    assert sent_out == ((True, ["setup", "leave"]) if tries > 1 else (False, ["setup"]))
    assert desk.post(address, form).status_code == 302
    assert _kinds(match) == ["setup", "leave"]
