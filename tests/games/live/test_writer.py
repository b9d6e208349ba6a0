"""The writer: one commit for many moves, lost compares, a database that is busy."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import IntegrityError, InterfaceError, OperationalError, connection, transaction
from msgspec.structs import replace

from classroom.services import attendance
from games.live import current, runtime
from games.live.hub import Hub
from games.live.writer import Expire, Reload, Settle
from games.models import Match, MoveRecord
from games.position import Position
from games.selectors import positions
from games.services import chances, log, matches, play, steady
from games.services.codes import Refusal
from games.services.log import Change, LostCompare
from games.services.matches import MoveRefused, TeamPlan, seats
from games.services.play import Accepted, Refused, Submission
from tests.faults.processes import Process
from tests.games.live.sockets import PATIENCE_S
from tests.games.world import World
from tests.threads import at_once

sync = sync_to_async


def _lay(position: Position, seat: int, **changes: Any) -> Submission:
    opened = position.opened(seat)
    assert opened is not None
    said: dict[str, Any] = {
        "decision": opened.version,
        "at": time.time(),
        "move": {"type": "lay", "card": position.state.hands[seat][0]},
        "student": position.teams[seat].members[0].student,
        **changes,
    }
    return Submission(**said)


def _duels(world: World, number: int) -> list[Match]:
    return [world.started(world.students[:1], world.students[1:2]) for _place in range(number)]


async def _position(hub: Hub, match: Match) -> Position:
    position = await hub.put(str(match.pk), Reload())
    assert isinstance(position, Position)
    return position


@contextmanager
def _held_up(hub: Hub, match: str) -> Iterator[None]:
    """The writer works at one job for as long as the block lasts, while others come in."""
    gate, seen = threading.Event(), hub.writer._seen
    began = threading.Event()

    def wait(_match: str) -> play.Seen:
        hub.writer._seen = seen
        began.set()
        gate.wait(10)
        return {}

    hub.writer._seen = wait
    hub.put(match, Settle(0))
    began.wait(10)
    try:
        yield
    finally:
        gate.set()


async def test_moves_that_wait_together_are_committed_together(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    duels = await sync(_duels)(live_world, 12)
    positions = [await _position(hub, match) for match in duels]
    written: list[int] = []  # matches of each transaction
    write = log.write

    def noted(changes: Sequence[Change]) -> None:
        write(changes)
        written.append(len(changes))

    monkeypatch.setattr(log, "write", noted)

    with _held_up(hub, positions[0].match):
        answers = [
            hub.put(position.match, _lay(position, seat))
            for position in positions
            for seat in (0, 1)
        ]
    done = await asyncio.gather(*answers)

    assert all(isinstance(answer, Accepted) for answer in done)
    assert len(written) <= 2
    assert await MoveRecord.objects.filter(kind="move").acount() == 24


@pytest.mark.case("CC-01")
async def test_refused_move_in_a_batch_does_not_hurt_the_others(
    live_world: World, hub: Hub
) -> None:
    (match,) = await sync(_duels)(live_world, 1)
    position = await _position(hub, match)
    good, bad, late = (
        hub.put(position.match, submission)
        for submission in (
            _lay(position, 0),
            _lay(position, 1, move={"type": "lay", "card": "z9"}),
            _lay(position, 0),
        )
    )

    answers = await asyncio.gather(good, bad, late)

    assert isinstance(answers[0], Accepted)
    assert [a.code for a in answers[1:] if isinstance(a, Refused)] == [
        "lanterns.card-not-held",
        "stale",
    ]


async def test_row_that_cannot_be_written_does_not_hurt_the_others(
    live_world: World, hub: Hub
) -> None:
    match, other = await sync(_duels)(live_world, 2)
    position, fine = await _position(hub, match), await _position(hub, other)
    with _held_up(hub, position.match):
        lost = hub.put(position.match, _lay(position, 0))
        kept = hub.put(fine.match, _lay(fine, 0))
        # Somebody else takes the version first, and leaves the match as it was.
        await sync(MoveRecord.objects.create)(match=match, version=2, kind="join")

    answers = await asyncio.gather(lost, kept)

    assert answers[0] == Refused.of(Refusal.BUSY)
    assert isinstance(answers[1], Accepted)


@pytest.mark.case("CC-12")
@pytest.mark.parametrize(
    ("second", "code"),
    [
        (InterfaceError("the connection is closed"), Refusal.BUSY),
        (OperationalError("the server starts up"), Refusal.BUSY),
        (RuntimeError("anything else"), Refusal.SERVER_ERROR),
    ],
)
async def test_error_at_the_second_try_does_not_end_the_writer(
    live_world: World,
    hub: Hub,
    monkeypatch: pytest.MonkeyPatch,
    second: Exception,
    code: Refusal,
) -> None:
    (match,) = await sync(_duels)(live_world, 1)
    position = await _position(hub, match)
    write, errors = log.write, [LostCompare(), second]

    def failing(changes: list[Change]) -> None:
        if errors:
            raise errors.pop(0)
        write(changes)

    monkeypatch.setattr(log, "write", failing)

    answer = await asyncio.wait_for(hub.put(position.match, _lay(position, 0)), PATIENCE_S)
    again = await asyncio.wait_for(hub.put(position.match, _lay(position, 0)), PATIENCE_S)

    assert answer == Refused.of(code)
    assert isinstance(again, Accepted)


@pytest.mark.case("CC-12")
async def test_database_that_is_locked_for_long_makes_busy_and_nothing_else(
    live_world: World, hub: Hub
) -> None:
    (match,) = await sync(_duels)(live_world, 1)
    position = await _position(hub, match)
    path = str(connection.settings_dict["NAME"])
    lock = sqlite3.connect(path, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.05)
            ticks += 1

    ticking = asyncio.create_task(tick())
    try:
        answer = await hub.put(position.match, _lay(position, 0))
    finally:
        lock.execute("ROLLBACK")
        lock.close()
        ticking.cancel()
    again = await hub.put(position.match, _lay(position, 0))

    assert answer == Refused.of(Refusal.BUSY)
    assert ticks > 20
    assert isinstance(again, Accepted)


async def test_too_much_that_waits_is_sent_back_at_once(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.live.writer.LONGEST_QUEUE", 3)
    (match,) = await sync(_duels)(live_world, 1)
    position = await _position(hub, match)
    with _held_up(hub, position.match):
        answers = [hub.put(position.match, _lay(position, 0)) for _time in range(5)]
        at_once = [answer.done() for answer in answers]
    done = await asyncio.gather(*answers)

    assert at_once == [False] * 3 + [True] * 2
    assert done[-1] == Refused.of(Refusal.BUSY)


async def test_what_was_acknowledged_is_there_after_the_process(live_world: World) -> None:
    (match,) = await sync(_duels)(live_world, 1)
    async with runtime.running():
        hub = current.hub()
        position = await _position(hub, match)
        first = await hub.put(position.match, _lay(position, 0, request_id="before-it"))

    async with runtime.running():
        again = await current.hub().put(position.match, _lay(position, 0, request_id="before-it"))
        reloaded = await _position(current.hub(), match)

    assert isinstance(first, Accepted)
    assert isinstance(again, Accepted)
    assert (again.version, reloaded.version) == (first.version, 2)


async def test_request_that_the_position_forgot_gets_its_first_answer(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    (match,) = await sync(_duels)(live_world, 1)
    first_position = await _position(hub, match)
    asked = _lay(first_position, 0, request_id="long-ago")
    first = await hub.put(first_position.match, asked)
    assert isinstance(first, Accepted)
    forgetful = replace(first.position, answered={})
    monkeypatch.setitem(hub.writer._positions, first_position.match, forgetful)

    again = await hub.put(first_position.match, asked)
    other = await hub.put(first_position.match, replace(asked, student="somebody else"))

    assert isinstance(again, Accepted)
    assert again.version == first.version == 2
    assert other == Refused.of(Refusal.CONFLICT)


# -- races between pages, without a writer -----------------------------------------------------


@pytest.mark.case("CC-01")
def test_stale_position_is_never_written_over_a_newer_one(live_world: World) -> None:
    (match,) = _duels(live_world, 1)
    position = positions.load(match.pk)
    changes = []
    for seat in (0, 1):
        answer = play.submit(position, _lay(position, seat), seen={}, chances=chances.live)
        assert isinstance(answer, Accepted)
        changes.append(Change(before=position, happened=(answer,)))
    with transaction.atomic():
        log.write(changes[:1])

    with pytest.raises(LostCompare), transaction.atomic():
        log.write(changes[1:])

    assert positions.load(match.pk).version == 2


@pytest.mark.case("CC-06")
def test_time_that_is_over_counts_also_where_nobody_told_that_play_went_on(
    live_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = live_world.started(decision_limit_s=30)
    here, now = Process(), time.time()
    matches.pause_match(match_id=match.pk, actor=live_world.teacher)
    here.do(match.pk, Reload())
    matches.resume_match(match_id=match.pk, actor=live_world.teacher)  # by another process
    monkeypatch.setattr(steady, "now", lambda: now + 60)

    here.do(match.pk, Expire())

    kinds = list(match.records.order_by("version").values_list("kind", flat=True))
    assert kinds[:4] == ["setup", "pause", "resume", "timeout"]


@pytest.mark.case("CC-01")
def test_database_itself_holds_one_record_a_version_and_a_request(live_world: World) -> None:
    """The control: without any code of ours the constraint still refuses."""
    (match,) = _duels(live_world, 1)

    with pytest.raises(IntegrityError), transaction.atomic():
        MoveRecord.objects.create(match=match, version=1, kind="move")
    MoveRecord.objects.create(match=match, version=2, kind="move", request_id="the-one")
    with pytest.raises(IntegrityError), transaction.atomic():
        MoveRecord.objects.create(match=match, version=3, kind="move", request_id="the-one")


@pytest.mark.case("CC-02")
def test_same_student_in_two_tabs_moves_once(live_world: World) -> None:
    world = live_world
    (match,) = _duels(world, 1)
    position = positions.load(match.pk)

    def move() -> Any:
        return matches.submit_now(
            match_id=match.pk,
            actor=world.actor(world.students[0]),
            submission=_lay(position, 0),
        )

    results = at_once(*[move] * 6)

    assert sum(isinstance(result, Accepted) for result in results) == 1
    refused = [result.code for result in results if isinstance(result, MoveRefused)]
    assert refused == ["stale"] * 5
    assert [r.version for r in match.records.all()] == [1, 2]


@pytest.mark.case("CC-04")
def test_start_and_create_pressed_twice_at_once_do_it_once(live_world: World) -> None:
    world = live_world

    made = at_once(*[lambda: world.match(number=1)] * 4)
    match = made[0]
    at_once(*[lambda: matches.start_match(match_id=match.pk, actor=world.teacher)] * 4)
    at_once(*[lambda: matches.end_match(match_id=match.pk, actor=world.teacher)] * 4)

    assert {result.pk for result in made} == {match.pk}
    assert list(match.records.values_list("kind", flat=True)) == ["setup", "end"]


@pytest.mark.case("CC-07")
def test_kick_and_move_at_once_come_in_one_order_or_the_other(live_world: World) -> None:
    world = live_world
    ana = world.students[0]
    for _time in range(4):
        match = world.started(world.students[:1], world.students[1:2])
        position = positions.load(match.pk)

        at_once(
            lambda match=match, position=position: matches.submit_now(
                match_id=match.pk,
                actor=world.actor(ana),
                submission=_lay(position, 0),
            ),
            lambda: attendance.kick_student(
                lesson_id=world.lesson.pk, actor=world.teacher, student_id=ana.pk
            ),
        )

        kinds = list(match.records.values_list("kind", flat=True))
        assert kinds in (["setup", "move", "leave"], ["setup", "leave"])
        attendance.readmit_student(
            lesson_id=world.lesson.pk, actor=world.teacher, student_id=ana.pk
        )
        matches.end_match(match_id=match.pk, actor=world.teacher)


@pytest.mark.case("CC-09")
def test_last_place_is_taken_by_one(live_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "LARGEST_TEAM", 1)
    world = live_world
    match = world.match(teams=[TeamPlan(), TeamPlan(students=(str(world.students[3].pk),))])
    matches.start_match(match_id=match.pk, actor=world.teacher)

    results = at_once(
        *[
            lambda student=student: matches.join_lesson(
                lesson_id=world.lesson.pk, actor=world.actor(student)
            )
            for student in world.students[:3]
        ]
    )

    assert sorted(result is not None for result in results) == [False, False, True]
    assert [len(team.members) for team in positions.load(match.pk).teams] == [1, 1]
