"""Two who act at the same moment, on two processes (T13).

Both are held up between judging and writing, so each judges by the same position. Every
race also runs with the guard taken away, and must then go wrong: else it proves nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from hypothesis import Phase

from games import catalog
from games.live.writer import Expire, Writer
from games.models import Match, MoveRecord
from games.position import Position
from games.selectors import positions
from games.services import log, matches, steady
from games.services.play import Accepted, Refused, Submission
from tests.faults.machine import play_at_the_table
from tests.faults.processes import Process
from tests.games.world import World, make_world
from tests.rules.lanterns.game import LANTERNS
from tests.threads import at_once

GUARDS = ("one_record_a_version", "one_record_a_request")


@pytest.fixture
def world(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    """A lesson of two students."""
    monkeypatch.setitem(catalog.GAMES, "lanterns", LANTERNS)
    return make_world(2)


@contextmanager
def _unguarded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither compare-and-set nor constraint, as if somebody had removed both."""
    compare = 'AND "version" = %s'
    for statement in ("UPDATE_MATCH", "COMPARE_MATCH"):
        text = getattr(log, statement)
        assert compare in text
        monkeypatch.setattr(log, statement, text.replace(compare, "AND %s >= 0"))
    whole = MoveRecord._meta.constraints
    guards = [constraint for constraint in whole if constraint.name in GUARDS]
    assert len(guards) == len(GUARDS)
    # SQLite makes the table anew from what the model says.
    MoveRecord._meta.constraints = [one for one in whole if one not in guards]
    with connection.schema_editor() as editor:
        for guard in guards:
            editor.remove_constraint(MoveRecord, guard)
    try:
        yield
    finally:
        MoveRecord.objects.all().delete()
        MoveRecord._meta.constraints = whole
        with connection.schema_editor() as editor:
            for guard in guards:
                editor.add_constraint(MoveRecord, guard)


@pytest.fixture(params=[True, False], ids=["guarded", "without the guard"])
def guarded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[bool]:
    """Whether the guard is there."""
    if request.param:
        yield True
        return
    request.getfixturevalue("transactional_db")
    with _unguarded(monkeypatch):
        yield False


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch) -> threading.Barrier:
    """Where writers wait for each other, once each, after judging and before writing."""
    barrier = threading.Barrier(2, timeout=10)
    waited: set[int] = set()
    judge = Writer._judge

    def judged(self: Writer, job: Any, position: Position) -> Any:
        found = judge(self, job, position)
        if threading.get_ident() not in waited:
            waited.add(threading.get_ident())
            barrier.wait()
        return found

    monkeypatch.setattr(Writer, "_judge", judged)
    return barrier


def _lay(position: Position, seat: int, card: int = 0) -> Submission:
    opened = position.opened(seat)
    assert opened is not None
    return Submission(
        decision=opened.version,
        at=steady.now(),
        move={"type": "lay", "card": position.state.hands[seat][card]},
        student=position.teams[seat].members[0].student,
    )


def _duel(world: World, **how: Any) -> tuple[Match, Position]:
    match = world.started(world.students[:1], world.students[1:], **how)
    return match, positions.load(match.pk)


def _processes(match: Match) -> tuple[Process, Process]:
    """Two that both know the match."""
    both = Process(), Process()
    for process in both:
        process.do(match.pk, Expire())
    return both


def _is_whole(match: Match) -> bool:
    records = list(match.records.order_by("version", "pk"))
    match.refresh_from_db()
    gapless = [record.version for record in records] == list(range(1, match.version + 1))
    played = [(r.decision, r.seat) for r in records if r.decision is not None]
    if not gapless or len(played) != len(set(played)):
        return False
    try:
        return bool(positions.replayed(match)[-1] == positions.load(match.pk).state)
    except Exception:
        return False


@pytest.mark.case("CC-01", "CC-02")
def test_one_decision_answered_on_two_processes_is_answered_once(
    guarded: bool, world: World, meeting: threading.Barrier
) -> None:
    match, position = _duel(world)
    one, other = Process(), Process()

    results = at_once(
        lambda: one.do(match.pk, _lay(position, 0, card=0))[0],
        lambda: other.do(match.pk, _lay(position, 0, card=1))[0],
    )

    if not guarded:
        assert not _is_whole(match)
        return
    assert _is_whole(match)
    accepted = [result for result in results if isinstance(result, Accepted)]
    refused = [result.code for result in results if isinstance(result, Refused)]
    assert (len(accepted), refused) == (1, ["stale"])


@pytest.mark.case("CC-01")
def test_both_teams_at_the_same_moment_are_both_heard(
    guarded: bool, world: World, meeting: threading.Barrier
) -> None:
    match, position = _duel(world)
    one, other = Process(), Process()

    results = at_once(
        lambda: one.do(match.pk, _lay(position, 0))[0],
        lambda: other.do(match.pk, _lay(position, 1))[0],
    )

    assert _is_whole(match) == guarded
    assert not guarded or all(isinstance(result, Accepted) for result in results)


@pytest.mark.case("CC-03")
def test_answer_and_end_of_time_at_once_decide_once(
    guarded: bool, world: World, meeting: threading.Barrier, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, position = _duel(world, decision_limit_s=20)
    end = steady.now() + 20.5
    monkeypatch.setattr(steady, "now", lambda: end)
    one, other = Process(), Process()

    (moved, _expired) = at_once(
        lambda: one.do(match.pk, _lay(position, 0))[0],
        lambda: other.do(match.pk, Expire())[0],
    )

    kinds = list(match.records.filter(decision=1, seat=0).values_list("kind", flat=True))
    if not guarded:
        assert not _is_whole(match)
        return
    assert _is_whole(match)
    assert kinds == (["move"] if isinstance(moved, Accepted) else ["timeout"])
    assert match.records.filter(decision=1, seat=1).count() == 1


@pytest.mark.case("CC-14")
@pytest.mark.parametrize("act", ["pause", "rewind", "end"])
def test_teachers_act_and_move_at_once_come_one_after_the_other(
    guarded: bool, world: World, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    match, position = _duel(world)
    process = Process()
    process.do(match.pk, _lay(position, 1))
    position = positions.load(match.pk)
    judged, done = threading.Event(), threading.Event()
    judge = Writer._judge

    def held_up(self: Writer, job: Any, position: Position) -> Any:
        found = judge(self, job, position)
        if not done.is_set():
            judged.set()
            done.wait(10)
        return found

    monkeypatch.setattr(Writer, "_judge", held_up)

    def teach() -> None:
        judged.wait(10)
        by: dict[str, Any] = {"match_id": match.pk, "actor": world.teacher}
        acts = {
            "pause": lambda: matches.pause_match(**by),
            "rewind": lambda: matches.rewind_match(**by, to=1),
            "end": lambda: matches.end_match(**by),
        }
        try:
            acts[act]()
        finally:
            done.set()

    answer, failed = at_once(lambda: process.do(match.pk, _lay(position, 0))[0], teach)

    assert failed is None
    if not guarded:
        assert not _is_whole(match)
        return
    assert _is_whole(match)
    kinds = list(match.records.values_list("kind", flat=True))
    assert kinds == ["setup", "move", act]
    code = {"pause": "paused", "rewind": "stale", "end": "ended"}[act]
    assert isinstance(answer, Refused)
    assert answer.code == code


@pytest.mark.case("AZ-18", "CC-07")
def test_vote_by_a_position_from_before_the_kick_is_not_counted(world: World) -> None:
    """A vote raises no version, yet who is out has none."""
    match = world.started(world.students, [], silent_first="never")
    position = positions.load(match.pk)
    late = Process(lambda _match: dict.fromkeys(map(str, world.devices), steady.now()))
    late.do(match.pk, Expire())
    matches.take_out(
        student_id=world.students[0].pk, lesson_id=world.lesson.pk, actor=world.teacher
    )

    (answer,) = late.do(match.pk, _lay(position, 0))

    assert isinstance(answer, Refused)
    assert answer.code == "not_allowed"
    assert not match.votes.exists()


@pytest.mark.case("AZ-19")
def test_vote_goes_with_the_student_who_changes_the_team(
    transactional_db: None, world: World
) -> None:
    everybody = make_world(4)
    ana = everybody.students[0]
    match = everybody.started(everybody.students[:2], everybody.students[2:], silent_first="never")
    process = Process(lambda _match: dict.fromkeys(map(str, everybody.devices), steady.now()))
    process.do(match.pk, _lay(positions.load(match.pk), 0))
    matches.join_match(match_id=match.pk, actor=everybody.teacher, student_id=ana.pk, seat=1)
    position = positions.load(match.pk)
    move = {"type": "lay", "card": position.state.hands[1][0]}
    again = Submission(decision=1, at=steady.now(), move=move, student=str(ana.pk))

    (answer,) = process.do(match.pk, again)

    assert isinstance(answer, Accepted)
    stored = positions.load(match.pk).votes
    assert not stored.get(0)
    assert [vote.voter for vote in stored[1]] == [str(ana.pk)]


@pytest.mark.case("CC-01", "WS-11")
@pytest.mark.timeout(900)
def test_machine_finds_out_when_the_guard_is_gone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _unguarded(monkeypatch), pytest.raises(AssertionError):
        play_at_the_table(runs=40, acts=40, phases=[Phase.generate])
