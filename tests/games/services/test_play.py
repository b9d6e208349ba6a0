"""Moves and votes judged against a position, without writing anything."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.deciding import DecisionRule, SilentFirst
from games.engine.chance import seeded
from games.engine.game import Step
from games.position import REMEMBERED, Position
from games.services import log, play
from games.services.codes import Refusal
from games.services.play import Accepted, Refused, RulesBroken, Submission
from tests.games.world import World
from tests.rules.lanterns.game import Lanterns

AT = 1_800_000_000.0


def _chance() -> Any:
    return seeded(1)


def _submit(
    position: Position, student: str, move: dict[str, Any], **changes: Any
) -> Accepted | Refused:
    seat = position.seat_of(student)
    opened = None if seat is None else position.opened(seat)
    asked: dict[str, Any] = {
        "decision": opened.version if opened else position.version,
        "at": AT,
        "move": move,
        "student": student,
        **changes,
    }
    return play.submit(position, Submission(**asked), seen={}, chances=_chance)


def _accepted(answer: Accepted | Refused) -> Accepted:
    assert isinstance(answer, Accepted), answer
    return answer


def _code(answer: Accepted | Refused) -> str:
    assert isinstance(answer, Refused), answer
    return answer.code


def _lay(position: Position, seat: int, card: int = 0) -> dict[str, Any]:
    return {"type": "lay", "card": position.state.hands[seat][card]}


@pytest.fixture
def duel(world: World) -> Position:
    """Two teams of one; each may lay a card."""
    match = world.started(world.students[:1], world.students[1:2])
    return log.load(match.pk)


@pytest.fixture
def quartet(world: World) -> Position:
    """Two teams of two."""
    return log.load(world.started().pk)


def _members(position: Position, seat: int = 0) -> list[str]:
    return [member.student for member in position.teams[seat].members]


def test_accepted_move_is_the_next_record(duel: Position) -> None:
    (ana,) = _members(duel)

    answer = _accepted(_submit(duel, ana, _lay(duel, 0), request_id="first-one"))

    assert answer.record is not None
    assert (answer.record.version, answer.record.seat, answer.record.student) == (2, 0, ana)
    assert (answer.record.kind, answer.record.decision) == ("move", 1)
    assert answer.position.version == 2
    assert answer.position.opened(0) is None
    assert answer.position.opened(1) == duel.opened(1)


@pytest.mark.case("WS-11")
def test_repeated_request_gets_its_first_answer(duel: Position) -> None:
    (ana,) = _members(duel)
    move = _lay(duel, 0)
    first = _accepted(_submit(duel, ana, move, request_id="first-one"))

    again = _accepted(_submit(first.position, ana, move, request_id="first-one", decision=1))

    assert again.record is None
    assert again.version == first.version
    assert again.position is first.position


def test_position_remembers_the_last_requests_alone(duel: Position) -> None:
    answer: Accepted | None = None
    position = duel
    for number in range(REMEMBERED + 3):
        (student,) = (m.student for m in position.teams[number % 2].members)
        request_id = f"request-{number:02}"
        answer = _accepted(
            _submit(position, student, _lay(position, number % 2), request_id=request_id)
        )
        position = replace(answer.position, state=duel.state, timing=duel.timing)

    assert list(position.answered) == [f"request-{n:02}" for n in range(3, REMEMBERED + 3)]


@pytest.mark.case("WS-12")
def test_request_used_for_another_decision_is_a_conflict(duel: Position) -> None:
    (ana,) = _members(duel)
    first = _accepted(_submit(duel, ana, _lay(duel, 0), request_id="first-one"))

    again = _submit(first.position, ana, _lay(duel, 0, 1), request_id="first-one", decision=2)

    assert _code(again) == "conflict"


@pytest.mark.case("WS-12")
def test_request_of_somebody_else_is_a_conflict(duel: Position) -> None:
    (ana,), (ben,) = _members(duel, 0), _members(duel, 1)
    first = _accepted(_submit(duel, ana, _lay(duel, 0), request_id="first-one"))

    again = _submit(first.position, ben, _lay(duel, 1), request_id="first-one", decision=1)

    assert _code(again) == "conflict"


@pytest.mark.case("WS-13")
def test_answer_to_a_decision_that_is_gone_is_stale(duel: Position) -> None:
    (ana,) = _members(duel)
    first = _accepted(_submit(duel, ana, _lay(duel, 0)))

    assert _code(_submit(first.position, ana, _lay(duel, 0, 1), decision=1)) == "stale"


@pytest.mark.case("WS-15")
def test_what_else_raised_the_version_makes_no_answer_stale(duel: Position) -> None:
    (ana,), (ben,) = _members(duel, 0), _members(duel, 1)
    first = _accepted(_submit(duel, ana, _lay(duel, 0)))

    second = _accepted(_submit(first.position, ben, _lay(duel, 1), decision=1))

    assert second.version == 3


@pytest.mark.case("WS-14")
@pytest.mark.parametrize("decision", [2, 2**31 - 1])
def test_answer_to_a_decision_of_the_future_is_a_bad_message(duel: Position, decision: int) -> None:
    (ana,) = _members(duel)

    assert _code(_submit(duel, ana, _lay(duel, 0), decision=decision)) == "bad_message"


@pytest.mark.case("WS-16", "HI-06")
def test_nobody_moves_for_another_team(duel: Position) -> None:
    (ana,) = _members(duel)
    other_hand = {"type": "lay", "card": duel.state.hands[1][0]}

    answer = _submit(duel, ana, other_hand, seat=1)

    assert _code(answer) == "lanterns.card-not-held"


@pytest.mark.case("WS-16", "HI-06")
def test_nobody_moves_for_a_bot(duel: Position) -> None:
    (ana,) = _members(duel)
    teams = (replace(duel.teams[0], played_by="bot"), duel.teams[1])

    assert _code(_submit(replace(duel, teams=teams), ana, _lay(duel, 0))) == "not_allowed"


@pytest.mark.case("WS-17")
def test_who_is_in_no_team_may_not_move(duel: Position, world: World) -> None:
    stranger = str(world.students[3].pk)

    assert _code(_submit(duel, stranger, _lay(duel, 0))) == "not_allowed"


@pytest.mark.parametrize(
    ("status", "code"),
    [("paused", "paused"), ("ended", "ended"), ("frozen", "frozen"), ("lobby", "paused")],
)
def test_match_that_is_not_played_takes_no_move(duel: Position, status: str, code: str) -> None:
    (ana,) = _members(duel)

    assert _code(_submit(replace(duel, status=status), ana, _lay(duel, 0))) == code


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"type": "fly"},
        {"type": "lay"},
        {"type": "lay", "card": 7},
        {"type": "lay", "card": "a1", "more": 1},
    ],
)
def test_what_is_no_move_of_the_game_is_a_bad_message(duel: Position, move: Any) -> None:
    (ana,) = _members(duel)

    assert _code(_submit(duel, ana, move)) == "bad_message"


def test_refusal_of_the_game_keeps_its_code_sentence_and_rule(duel: Position) -> None:
    (ana,) = _members(duel)

    answer = _submit(duel, ana, {"type": "lay", "card": "z9"})

    assert isinstance(answer, Refused)
    assert (answer.code, answer.rule) == ("lanterns.card-not-held", "LAN-LAY-1")


@pytest.mark.case("CF-16")
def test_error_in_the_rules_is_told_apart_from_a_refusal(
    duel: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: Any) -> Step[Any, Any]:
        raise ZeroDivisionError

    (ana,) = _members(duel)
    monkeypatch.setattr(Lanterns, "apply", broken)

    with pytest.raises(RulesBroken, match="ZeroDivisionError"):
        _submit(duel, ana, _lay(duel, 0))


# -- votes -------------------------------------------------------------------------------------


def test_vote_that_settles_carries_the_move_with_it(quartet: Position) -> None:
    ana, caro = _members(quartet)
    seen = {ana: AT, caro: AT}
    move = _lay(quartet, 0)

    def vote(position: Position, student: str) -> Accepted:
        submission = Submission(decision=1, at=AT, move=move, student=student)
        return _accepted(play.submit(position, submission, seen=seen, chances=_chance))

    first = vote(quartet, ana)
    second = vote(first.position, caro)

    assert first.record is None
    assert first.version == 1
    assert [cast.vote.voter for cast in first.votes] == [ana]
    assert second.record is not None
    assert second.record.data == f'{{"type":"lay","card":"{move["card"]}"}}'
    assert [cast.vote.voter for cast in second.votes] == [caro]
    assert second.position.votes == {}


def test_absent_member_holds_nothing_up(quartet: Position) -> None:
    ana, caro = _members(quartet)
    submission = Submission(decision=1, at=AT, move=_lay(quartet, 0), student=ana)

    answer = _accepted(play.submit(quartet, submission, seen={caro: AT - 60}, chances=_chance))

    assert answer.record is not None


def test_option_that_is_not_offered_is_refused_before_it_is_a_vote(quartet: Position) -> None:
    ana, caro = _members(quartet)
    submission = Submission(decision=1, at=AT, move={"type": "lay", "card": "z9"}, student=ana)

    answer = play.submit(quartet, submission, seen={caro: AT}, chances=_chance)

    assert _code(answer) == "lanterns.card-not-held"


def test_time_alone_settles_when_the_one_who_disagreed_has_left(quartet: Position) -> None:
    ana, caro = _members(quartet)
    submission = Submission(decision=1, at=AT, move=_lay(quartet, 0), student=ana)
    voted = _accepted(play.submit(quartet, submission, seen={caro: AT}, chances=_chance))

    still = play.settle(voted.position, 0, at=AT + 1, seen={ana: AT, caro: AT}, chances=_chance)
    later = play.settle(
        voted.position, 0, at=AT + 25, seen={ana: AT + 25, caro: AT}, chances=_chance
    )

    assert still is None
    assert later is not None
    assert later.record is not None


def test_spokesperson_speaks_for_the_team(quartet: Position) -> None:
    ana, caro = _members(quartet)
    position = replace(quartet, decision_rule=DecisionRule.SPOKESPERSON)
    seen = {ana: AT, caro: AT}
    opened = position.opened(0)
    assert opened is not None
    speaker = play.standing_vote(position, opened, seen=seen, at=AT).spokesperson
    other = ana if speaker == caro else caro

    def vote(student: str | None, *, confirmed: bool) -> Accepted:
        submission = Submission(
            decision=1, at=AT, move=_lay(position, 0), student=student, confirmed=confirmed
        )
        return _accepted(play.submit(position, submission, seen=seen, chances=_chance))

    assert vote(other, confirmed=True).record is None
    assert vote(speaker, confirmed=False).record is None  # they are asked whether all agree
    assert vote(speaker, confirmed=True).record is not None


def test_student_alone_needs_no_word_for_the_team(duel: Position) -> None:
    (ana,) = _members(duel)
    position = replace(duel, decision_rule=DecisionRule.SPOKESPERSON)

    assert _accepted(_submit(position, ana, _lay(duel, 0))).record is not None


def test_shared_device_asks_whether_all_have_agreed(duel: Position) -> None:
    (ana,) = _members(duel)
    red, blue = duel.teams
    shared = replace(red, members=(replace(red.members[0], shared=True),))
    position = replace(duel, teams=(shared, blue))

    tapped = _accepted(_submit(position, ana, _lay(duel, 0)))
    agreed = _accepted(_submit(tapped.position, ana, _lay(duel, 0), confirmed=True))

    assert tapped.record is None
    assert agreed.record is not None


def test_silent_stage_keeps_votes_apart_until_all_have_voted(quartet: Position) -> None:
    ana, caro = _members(quartet)
    position = replace(quartet, silent_first=SilentFirst.ALWAYS)
    opened = position.opened(0)
    assert opened is not None
    at = position.unix(opened.at_s) + 1

    def vote(position: Position, student: str, card: int) -> Accepted:
        submission = Submission(decision=1, at=at, move=_lay(quartet, 0, card), student=student)
        seen = {ana: at, caro: at}
        return _accepted(play.submit(position, submission, seen=seen, chances=_chance))

    one = vote(position, ana, 0)
    both = vote(one.position, caro, 1)

    assert one.position.open_since_s == {}
    assert both.record is None
    assert both.position.open_since_s == {0: at}


# -- time --------------------------------------------------------------------------------------


def test_decision_without_a_limit_never_runs_out(duel: Position) -> None:
    assert duel.due_at() is None
    assert play.expired(duel, AT + 10**9) == ()


def test_decision_with_a_limit_runs_out_and_gets_the_default(world: World) -> None:
    match = world.started(decision_limit_s=60)
    position = log.load(match.pk)
    due_at = position.due_at()
    assert due_at is not None

    assert play.expired(position, due_at - 0.1) == ()
    due = play.expired(position, due_at + 0.1)

    assert [(d.kind, d.seat, d.decision) for d in due] == [("timeout", 0, 1), ("timeout", 1, 1)]
    played = _accepted(play.submit(position, due[0], seen={}, chances=_chance))
    assert played.record is not None
    assert played.record.kind == "timeout"
    assert _code(play.submit(played.position, due[0], seen={}, chances=_chance)) == "stale"


def test_what_was_open_before_a_restart_has_ten_seconds_more(world: World) -> None:
    position = log.load(world.started(decision_limit_s=60).pk)
    due_at = position.due_at()
    assert due_at is not None

    assert play.expired(position, due_at + 9, started_at=due_at) == ()
    assert len(play.expired(position, due_at + 11, started_at=due_at)) == 2


def test_pause_moves_the_deadline_by_its_length(world: World) -> None:
    position = log.load(world.started(decision_limit_s=60).pk)
    due_at = position.due_at()
    assert due_at is not None

    paused = play.paused(position, at=due_at - 20, why="teacher").position
    resumed = play.resumed(paused, at=due_at + 980).position

    assert paused.due_at() is None
    assert resumed.due_at() == pytest.approx(due_at + 1000)


def test_draws_of_a_choice_are_no_draws_of_the_record(world: World) -> None:
    position = log.load(world.started(decision_limit_s=60).pk)
    due = play.expired(position, AT + 10**9)

    played = _accepted(play.submit(position, due[0], seen={}, chances=_chance))

    assert played.record is not None
    assert played.record.draws == ()


@pytest.mark.rule("COR-DEC-5")
def test_team_that_lets_three_turns_run_out_is_missed(world: World) -> None:
    position = log.load(world.started(decision_limit_s=60, options={"rounds": 8}).pk)

    def let_run_out(position: Position) -> Position:
        due_at = position.due_at()
        assert due_at is not None
        for due in play.expired(position, due_at):
            answer = play.submit(position, due, seen={}, chances=_chance)
            position = answer.position if isinstance(answer, Accepted) else position
        return position

    while play.deserted(position) is None:
        assert max(position.timing.turns) <= play.IDLE_TURNS
        position = let_run_out(position)
    seat = play.deserted(position)

    assert seat is not None
    assert position.timing.turns[seat] == play.IDLE_TURNS + 1
    paused = play.paused(position, at=AT, why="deserted", seat=seat).position
    assert play.deserted(play.resumed(paused, at=AT + 60).position) is None


@pytest.mark.rule("COR-QA-10")
def test_team_that_does_not_understand_a_question_stops_the_clock(duel: Position) -> None:
    (ana,), (ben,) = _members(duel, 0), _members(duel, 1)
    one = _accepted(_submit(duel, ana, _lay(duel, 0)))
    both = _accepted(_submit(one.position, ben, _lay(duel, 1))).position
    asked = next(o for o in both.timing.opened if o.decision.knowledge)
    other = next(o for o in both.timing.opened if not o.decision.knowledge)
    student = {0: ana, 1: ben}

    stopped = play.explained(
        both, student=student[asked.decision.seat], decision=asked.version, at=AT
    )
    refused = play.explained(
        both, student=student[other.decision.seat], decision=other.version, at=AT
    )

    assert isinstance(stopped, Accepted)
    assert stopped.position.status == "paused"
    assert stopped.position.timing.why == "explain"
    assert stopped.position.timing.why_seat == asked.decision.seat
    assert refused == Refused.of(Refusal.NOT_ALLOWED)
