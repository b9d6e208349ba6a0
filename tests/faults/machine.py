"""A class at play under every kind of act, and what must hold after each (T4).

Two processes answer browsers, each from what it last heard of; pages change the match
beside them. ``Model`` says by itself what must come of an act: it knows versions, who is
in which team, which requests were answered and when time runs, and no rule of any game.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from hypothesis import Phase, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from classroom.errors import DomainError
from classroom.models import Student
from classroom.services import attendance, classrooms
from games.live.writer import Expire, Reload, Result, Settle
from games.models import Match, Member
from games.selectors import positions
from games.services import matches, steady
from games.services.play import Accepted, Refused, Submission
from tests.conftest import RELEASE
from tests.faults.processes import Process
from tests.games.world import World, make_world
from tests.rules.lanterns.game import CARDS, OIL

LIMIT_S = 30  # of a decision
PLAYED = {"move", "timeout", "bot", "teacher"}
STUDENTS = 5


@dataclass
class Request:
    """What a student's browser once asked for."""

    id: str
    student: str
    decision: int
    move: dict[str, Any]


@dataclass
class Model:
    """What has happened so far, told by what was answered."""

    version: int = 1
    status: str = "playing"
    teams: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))
    kicked: set[str] = field(default_factory=set)
    kinds: list[str] = field(default_factory=lambda: ["setup"])
    accepted: dict[str, tuple[Request, int]] = field(default_factory=dict)  # with a record
    votes: dict[tuple[int, int], dict[str, str]] = field(default_factory=dict)
    # by decision and seat: what each student chose last

    def seat_of(self, student: str) -> int | None:
        return next((seat for seat in (0, 1) if student in self.teams[seat]), None)

    def happened(self, kind: str) -> None:
        self.version += 1
        self.kinds.append(kind)


class Table(RuleBasedStateMachine):
    """The world is made anew for each run; nothing of one run is seen by the next."""

    # -- the stage ---------------------------------------------------------------------------

    @initialize(first=st.integers(0, 3))
    def begin(self, first: int) -> None:
        self.now = time.time()
        steady.now = lambda: self.now  # put back below
        self.world: World = make_world(STUDENTS)
        self.people = [str(student.pk) for student in self.world.students]
        self.sent: list[Request] = []
        self.processes = [Process(self._seen), Process(self._seen)]
        self.deaf = [False, False]  # has missed a vote that the other process took
        self._new_match(first)

    def _new_match(self, first: int) -> None:
        cut = (1, 2, 1, 3)[first]
        teams = self.world.students[:cut], self.world.students[cut : cut + 2]
        self.match = self.world.started(
            *teams, decision_limit_s=LIMIT_S, silent_first="never", number=None
        )
        self.model = Model(teams=tuple({str(s.pk) for s in team} for team in teams))  # type: ignore[arg-type]
        self.deleted = False

    def _seen(self, _match: str) -> dict[str, float]:
        return dict.fromkeys(self.people, self.now)

    def _student(self, place: int) -> Student:
        return self.world.students[place]

    # -- what browsers send ------------------------------------------------------------------

    @rule(
        process=st.integers(0, 1),
        who=st.integers(0, STUDENTS - 1),
        seat=st.integers(0, 1),
        choice=st.integers(0, 30),
        age=st.sampled_from([0, 0, 0, 0, 0, 0, 1, 3, -1]),
        lost=st.sampled_from([False, False, True]),
    )
    def move(self, process: int, who: int, seat: int, choice: int, age: int, *, lost: bool) -> None:
        """A move, mostly for an open decision of the student's own team.

        ``age``: 0 names the open decision, 1 and 3 older ones, -1 one that is yet to come.
        ``lost``: the other process is not told of it.
        """
        student = self.people[who]
        own = self.model.seat_of(student)
        seat = seat if own is None or choice == 30 else own  # seldom somebody else's
        position = positions.load(self.match.pk) if not self.deleted else None
        opened = position.opened(seat) if position is not None else None
        decision = self.model.version if opened is None else opened.version
        offered: list[dict[str, Any]] = [{"type": "lay", "card": "a1"}]
        if position is not None and opened is not None:
            offered = _plain(position.rules.legal_moves(position.state, seat))
        self._ask(
            process,
            Request(uuid4().hex, student, decision - age, offered[choice % len(offered)]),
            lost=lost,
        )

    @precondition(lambda self: self.sent)
    @rule(process=st.integers(0, 1), which=st.integers(0, 200), other=st.booleans())
    def send_again(self, process: int, which: int, *, other: bool) -> None:
        """A request that was sent before, by the same browser or by somebody else's."""
        earlier = self.sent[which % len(self.sent)]
        if other:
            someone = next(person for person in self.people if person != earlier.student)
            earlier = Request(earlier.id, someone, earlier.decision, earlier.move)
        self._ask(process, earlier)

    def _ask(self, process: int, request: Request, *, lost: bool = False) -> None:
        self.sent.append(request)
        before = None if self.deleted else positions.load(self.match.pk)
        (answer,) = self.processes[process].do(
            self.match.pk,
            Submission(
                decision=request.decision,
                at=self.now,
                move=request.move,
                student=request.student,
                request_id=request.id,
            ),
        )
        self._judge(request, answer, before, deaf=self.deaf[process])
        if isinstance(answer, Accepted) and answer.votes:
            self.deaf[1 - process] |= lost
            if not lost:
                self.processes[1 - process].do(self.match.pk, Reload())
                self.deaf[1 - process] = False

    def _judge(self, request: Request, answer: Result, before: Any, *, deaf: bool) -> None:
        model = self.model
        if before is None:
            if isinstance(answer, Accepted):  # the first answer, of who has not heard of it yet
                first, version = model.accepted[request.id]
                assert (first.student, first.decision) == (request.student, request.decision)
                assert (answer.version, answer.record, answer.votes) == (version, None, ())
            else:
                assert _code(answer) == "not_found", answer
            return
        if request.id in model.accepted:
            first, version = model.accepted[request.id]
            if (first.student, first.decision) != (request.student, request.decision):
                assert _code(answer) == "conflict", answer
            elif isinstance(answer, Accepted):  # an act with other content is a conflict
                assert (answer.version, answer.record) == (version, None)
            else:
                assert _code(answer) == "conflict"
                assert first.move != request.move
            return
        seat = model.seat_of(request.student)
        opened = None if seat is None else before.opened(seat)
        if seat is None:
            expected = {"not_allowed"}
        elif model.status != "playing":
            expected = {model.status}
        elif request.decision > model.version:
            expected = {"bad_message"}
        elif opened is None or opened.version != request.decision:
            expected = {"stale"}
        elif request.move not in _plain(before.rules.legal_moves(before.state, seat)):
            expected = {"not_offered", "engine.not-offered"}
        else:
            self._accepted(request, answer, seat, deaf=deaf)
            return
        code = _code(answer)
        assert code in expected or ("not_offered" in expected and "." in code), (code, expected)

    def _accepted(self, request: Request, answer: Result, seat: int, *, deaf: bool) -> None:
        model, chosen = self.model, json.dumps(request.move, sort_keys=True)
        assert isinstance(answer, Accepted), answer
        act = request.move["type"] == "accept"
        if not act:
            votes = model.votes.setdefault((request.decision, seat), {})
            votes[request.student] = chosen
        settled = act or self._majority(request.decision, seat)
        # Who has missed votes counts without them; `look` must then settle it.
        assert (answer.record is not None) == settled or deaf
        if answer.record is not None:
            model.happened("move")
            model.accepted[request.id] = (request, model.version)
        assert answer.version == model.version
        self._over_if_over()

    def _majority(self, decision: int, seat: int) -> bool:
        here = self.model.teams[seat]
        votes = self.model.votes.get((decision, seat), {})
        counted = Counter(vote for voter, vote in votes.items() if voter in here)
        return any(backing * 2 > len(here) for backing in counted.values())

    def _over_if_over(self) -> None:
        if not self._something_is_open():
            self.model.status = "ended"

    # -- what the teacher does ---------------------------------------------------------------

    @rule(who=st.integers(0, STUDENTS - 1), seat=st.sampled_from([0, 1, None]))
    def join(self, who: int, seat: int | None) -> None:
        model, student = self.model, self._student(who)
        before = model.seat_of(str(student.pk))
        smaller = min((0, 1), key=lambda place: len(model.teams[place]))
        to = seat if seat is not None else smaller if before is None else before

        if self._tried(
            lambda: matches.join_match(
                match_id=self.match.pk, actor=self.world.teacher, student_id=student.pk, seat=seat
            ),
            allowed=not self.deleted and model.status in {"playing", "paused"},
        ):
            for team in model.teams:
                team.discard(str(student.pk))
            model.teams[to].add(str(student.pk))
            if to != before:
                model.happened("join")

    @rule(who=st.integers(0, STUDENTS - 1))
    def kick(self, who: int) -> None:
        student = self._student(who)
        if self._tried(
            lambda: attendance.kick_student(
                lesson_id=self.world.lesson.pk, actor=self.world.teacher, student_id=student.pk
            ),
            allowed=not self.deleted,
        ):
            self.model.kicked.add(str(student.pk))
            self._out(str(student.pk))

    @rule(who=st.integers(0, STUDENTS - 1))
    def leave(self, who: int) -> None:
        student = self._student(who)
        if not self.deleted:
            matches.take_out(
                student_id=student.pk, lesson_id=self.world.lesson.pk, actor=self.world.teacher
            )
            self._out(str(student.pk))

    def _out(self, student: str) -> None:
        seat = self.model.seat_of(student)
        if seat is not None and self.model.status != "ended":
            self.model.teams[seat].discard(student)
            self.model.happened("leave")

    @rule(act=st.sampled_from(["pause", "resume", "resume", "end"]), sure=st.integers(0, 2))
    def pause_resume_or_end(self, act: str, sure: int) -> None:
        model = self.model
        done, wanted, possible = {
            "pause": (matches.pause_match, "paused", {"playing", "paused"}),
            "resume": (matches.resume_match, "playing", {"playing", "paused"}),
            "end": (matches.end_match, "ended", {"playing", "paused", "ended"}),
        }[act]
        if act == "end" and sure:
            return  # seldom
        if act == "resume" and not self.deleted and self._something_is_open():
            possible = {*possible, "ended"}  # it was ended too early
        if self._tried(
            lambda: done(match_id=self.match.pk, actor=self.world.teacher),
            allowed=not self.deleted and model.status in possible,
        ):
            if model.status != wanted:
                model.happened(act)
            model.status = wanted

    def _something_is_open(self) -> bool:
        """Whether the game itself goes on, which only its rules know."""
        position = positions.load(self.match.pk)
        return bool(position.rules.decisions(position.state))

    @precondition(lambda self: not self.deleted and self.model.version > 1)
    @rule(back=st.integers(1, 12))
    def rewind(self, back: int) -> None:
        model = self.model
        to = max(1, model.version - back)
        stood = (
            positions.load(self.match.pk).timing.paused_at is not None and model.status == "paused"
        )
        matches.rewind_match(match_id=self.match.pk, actor=self.world.teacher, to=to)
        model.happened("rewind")
        position = positions.load(self.match.pk)
        model.status = position.status
        assert position.status in {"playing", "paused", "ended"}
        assert not stood or position.status == "paused"

    @precondition(lambda self: not self.deleted)
    @rule(seconds=st.sampled_from([1, 4, 11, 35]), process=st.integers(0, 1))
    def tick(self, seconds: int, process: int) -> None:
        """Time goes on, and both processes see at the same moment that something is due."""
        model = self.model
        self.now += seconds
        before = positions.load(self.match.pk)
        due = {
            opened.version
            for opened in before.timing.opened
            if (deadline_s := before.deadline_s(opened)) is not None
            and deadline_s <= before.play_s(self.now)
        }
        for place in (process, 1 - process):
            self.processes[place].do(self.match.pk, Expire())
        new = list(self.match.records.filter(version__gt=model.version).order_by("version"))
        for record in new:
            model.happened(record.kind)
            assert record.kind in {"timeout", "pause"}
            assert record.kind == "pause" or record.decision in due
        assert not due or model.status != "playing" or new
        if any(record.kind == "pause" for record in new):
            model.status = "paused"
        self._over_if_over()

    @rule(process=st.integers(0, 1))
    def restart(self, process: int) -> None:
        """The process dies, and with it all it held."""
        self.processes[process] = Process(self._seen)
        self.deaf[process] = False

    @precondition(lambda self: not self.deleted)
    @rule(process=st.integers(0, 1))
    def look(self, process: int) -> None:
        """The process asks the database for news: what it had missed may settle a vote."""
        before = positions.load(self.match.pk)
        seats = range(len(before.teams)) if self.model.status == "playing" else ()
        owed = []
        for seat in seats:
            opened = before.opened(seat)
            if opened is not None and self._majority(opened.version, seat):
                owed.append(opened.version)
        self.processes[process].do(self.match.pk, Reload(), *map(Settle, seats))
        self.deaf[process] = False
        for record in self.match.records.filter(version__gt=self.model.version):
            assert record.decision in owed
            owed.remove(record.decision)
            self.model.happened(record.kind)
        assert not owed
        self._over_if_over()

    @rule(first=st.integers(0, 3), sure=st.integers(0, 5))
    def delete_class(self, first: int, sure: int) -> None:
        """The class is deleted in mid-play; from the second time on there is a new one."""
        if self.deleted:
            self.begin(first)
        elif sure == 0:
            classrooms.delete_classroom(
                actor=self.world.teacher,
                classroom_id=self.world.lesson.classroom_id,
                typed_name=self.world.lesson.classroom.name,
            )
            self.deleted = True

    def _tried(self, act: Any, *, allowed: bool) -> bool:
        try:
            act()
        except DomainError:
            assert not allowed
            return False
        assert allowed
        return True

    # -- what holds after every act ----------------------------------------------------------

    @invariant()
    def log_and_model_agree(self) -> None:
        if self.deleted:
            assert not Match.objects.filter(pk=self.match.pk).exists()
            assert not Member.objects.filter(team__match=self.match.pk).exists()
            return
        model = self.model
        stored = Match.objects.get(pk=self.match.pk)
        records = list(stored.records.order_by("version"))
        assert stored.version == model.version
        assert [record.version for record in records] == list(range(1, model.version + 1))
        assert [record.kind for record in records] == model.kinds
        assert stored.status == model.status
        by_request = {r.request_id: r for r in records if r.request_id is not None}
        assert set(by_request) == set(model.accepted)
        for request, (asked, version) in model.accepted.items():
            record = by_request[request]
            assert (record.version, str(record.student_id)) == (version, asked.student)
        played = [(r.decision, r.seat) for r in records if r.kind in PLAYED]
        assert len(played) == len(set(played)), "a decision was answered twice"

    @invariant()
    def state_is_what_the_log_replays_to(self) -> None:
        if self.deleted:
            return
        position = positions.load(self.match.pk)
        states = positions.replayed(Match.objects.get(pk=self.match.pk))
        assert states[-1] == position.state
        assert len(states) == self.model.version
        assert _cards(position.state) == len(CARDS["cards"])
        assert position.state.lamp + sum(position.state.oil) == 2 * OIL

    @invariant()
    def teams_are_as_they_were_formed(self) -> None:
        if self.deleted:
            return
        here = Member.objects.filter(team__match=self.match.pk, left_version=None)
        found: tuple[set[str], set[str]] = (set(), set())
        for seat, student in here.values_list("team__seat", "student_id"):
            found[seat].add(str(student))
        assert found == self.model.teams
        assert here.count() == len(found[0] | found[1]), "somebody is in two teams"


def play_at_the_table(*, runs: int, acts: int, phases: Sequence[Phase] = tuple(Phase)) -> None:
    """So many runs of so many acts; the same ones each time, but in the large numbers.

    Raises:
        AssertionError: something did not hold; it tells the acts that lead there.
    """
    now = steady.now
    try:
        run_state_machine_as_test(
            Table,
            settings=settings(
                max_examples=runs,
                stateful_step_count=acts,
                derandomize=not RELEASE,
                database=None,
                deadline=None,
                phases=phases,
                print_blob=True,
                report_multiple_bugs=False,
            ),
        )
    finally:
        steady.now = now  # the machine sets the clock


def _code(answer: Result) -> str:
    assert isinstance(answer, Refused), answer
    return answer.code


def _plain(offered: Any) -> list[dict[str, Any]]:
    """The moves that may be made, as a browser would send them."""
    if hasattr(offered, "moves"):
        return [{"type": _tag(move), **_fields(move)} for move in offered.moves]
    amounts = range(offered.minimum, offered.maximum + 1)
    return [
        {"type": _tag(offered.move), **_fields(offered.move), offered.field: amount}
        for amount in amounts
    ]


def _tag(move: Any) -> str:
    return str(move.__struct_config__.tag)


def _fields(move: Any) -> dict[str, Any]:
    return {name: getattr(move, name) for name in move.__struct_fields__}


def _cards(state: Any) -> int:
    """All cards of Lanterns, wherever they lie; a sealed one is still in its hand."""
    down = 1 if state.face_down else 0
    return sum(map(len, state.hands)) + len(state.deck) + len(state.discard) + down
