"""Moves and votes judged against a position, without writing anything."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.deciding import DecisionRule, SilentFirst
from games.engine.game import Step
from games.position import REMEMBERED, Position
from games.services import play
from games.services.play import Accepted, Refused, RulesBroken, Submission
from tests.games.services.play.asking import AT, accepted, ask, code_of, lay, members_of, one_chance
from tests.games.world import World
from tests.rules.lanterns.game import Lanterns


def test_accepted_move_is_the_next_record(duel: Position) -> None:
    (ana,) = members_of(duel)

    answer = accepted(ask(duel, ana, lay(duel, 0), request_id="first-one"))

    assert answer.record is not None
    assert (answer.record.version, answer.record.seat, answer.record.student) == (2, 0, ana)
    assert (answer.record.kind, answer.record.decision) == ("move", 1)
    assert answer.position.version == 2
    assert answer.position.opened(0) is None
    assert answer.position.opened(1) == duel.opened(1)


@pytest.mark.case("WS-11")
def test_repeated_request_gets_its_first_answer(duel: Position) -> None:
    (ana,) = members_of(duel)
    move = lay(duel, 0)
    first = accepted(ask(duel, ana, move, request_id="first-one"))

    again = accepted(ask(first.position, ana, move, request_id="first-one", decision=1))

    assert again.record is None
    assert again.version == first.version
    assert again.position is first.position


def test_position_remembers_the_last_requests_alone(duel: Position) -> None:
    answer: Accepted | None = None
    position = duel
    for number in range(REMEMBERED + 3):
        (student,) = (m.student for m in position.teams[number % 2].members)
        request_id = f"request-{number:02}"
        answer = accepted(ask(position, student, lay(position, number % 2), request_id=request_id))
        position = replace(answer.position, state=duel.state, timing=duel.timing)

    assert list(position.answered) == [f"request-{n:02}" for n in range(3, REMEMBERED + 3)]


@pytest.mark.case("WS-12")
def test_request_used_for_another_decision_is_a_conflict(duel: Position) -> None:
    (ana,) = members_of(duel)
    first = accepted(ask(duel, ana, lay(duel, 0), request_id="first-one"))

    again = ask(first.position, ana, lay(duel, 0, 1), request_id="first-one", decision=2)

    assert code_of(again) == "conflict"


@pytest.mark.case("WS-12")
def test_request_of_somebody_else_is_a_conflict(duel: Position) -> None:
    (ana,), (ben,) = members_of(duel, 0), members_of(duel, 1)
    first = accepted(ask(duel, ana, lay(duel, 0), request_id="first-one"))

    again = ask(first.position, ben, lay(duel, 1), request_id="first-one", decision=1)

    assert code_of(again) == "conflict"


@pytest.mark.case("WS-13")
def test_answer_to_a_decision_that_is_gone_is_stale(duel: Position) -> None:
    (ana,) = members_of(duel)
    first = accepted(ask(duel, ana, lay(duel, 0)))

    assert code_of(ask(first.position, ana, lay(duel, 0, 1), decision=1)) == "stale"


@pytest.mark.case("WS-15")
def test_what_else_raised_the_version_makes_no_answer_stale(duel: Position) -> None:
    (ana,), (ben,) = members_of(duel, 0), members_of(duel, 1)
    first = accepted(ask(duel, ana, lay(duel, 0)))

    second = accepted(ask(first.position, ben, lay(duel, 1), decision=1))

    assert second.version == 3


@pytest.mark.case("WS-14")
@pytest.mark.parametrize("decision", [2, 2**31 - 1])
def test_answer_to_a_decision_of_the_future_is_a_bad_message(duel: Position, decision: int) -> None:
    (ana,) = members_of(duel)

    assert code_of(ask(duel, ana, lay(duel, 0), decision=decision)) == "bad_message"


@pytest.mark.case("WS-16", "HI-06")
def test_nobody_moves_for_another_team(duel: Position) -> None:
    (ana,) = members_of(duel)
    other_hand = {"type": "lay", "card": duel.state.hands[1][0]}

    answer = ask(duel, ana, other_hand, seat=1)

    assert code_of(answer) == "lanterns.card-not-held"


@pytest.mark.case("WS-16", "HI-06")
def test_nobody_moves_for_a_bot(duel: Position) -> None:
    (ana,) = members_of(duel)
    teams = (replace(duel.teams[0], played_by="bot"), duel.teams[1])

    assert code_of(ask(replace(duel, teams=teams), ana, lay(duel, 0))) == "not_allowed"


@pytest.mark.case("WS-17")
def test_who_is_in_no_team_may_not_move(duel: Position, world: World) -> None:
    stranger = str(world.students[3].pk)

    assert code_of(ask(duel, stranger, lay(duel, 0))) == "not_allowed"


@pytest.mark.parametrize(
    ("status", "code"),
    [("paused", "paused"), ("ended", "ended"), ("frozen", "frozen"), ("lobby", "paused")],
)
def test_match_that_is_not_played_takes_no_move(duel: Position, status: str, code: str) -> None:
    (ana,) = members_of(duel)

    assert code_of(ask(replace(duel, status=status), ana, lay(duel, 0))) == code


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
    (ana,) = members_of(duel)

    assert code_of(ask(duel, ana, move)) == "bad_message"


def test_refusal_of_the_game_keeps_its_code_sentence_and_rule(duel: Position) -> None:
    (ana,) = members_of(duel)

    answer = ask(duel, ana, {"type": "lay", "card": "z9"})

    assert isinstance(answer, Refused)
    assert (answer.code, answer.rule) == ("lanterns.card-not-held", "LAN-LAY-1")


@pytest.mark.case("CF-16")
def test_error_in_the_rules_is_told_apart_from_a_refusal(
    duel: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: Any) -> Step[Any, Any]:
        raise ZeroDivisionError

    (ana,) = members_of(duel)
    monkeypatch.setattr(Lanterns, "apply", broken)

    with pytest.raises(RulesBroken, match="ZeroDivisionError"):
        ask(duel, ana, lay(duel, 0))


# -- votes -------------------------------------------------------------------------------------


def test_vote_that_settles_carries_the_move_with_it(quartet: Position) -> None:
    ana, caro = members_of(quartet)
    seen = {ana: AT, caro: AT}
    move = lay(quartet, 0)

    def vote(position: Position, student: str) -> Accepted:
        submission = Submission(decision=1, at=AT, move=move, student=student)
        return accepted(play.submit(position, submission, seen=seen, chances=one_chance))

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
    ana, caro = members_of(quartet)
    submission = Submission(decision=1, at=AT, move=lay(quartet, 0), student=ana)

    answer = accepted(play.submit(quartet, submission, seen={caro: AT - 60}, chances=one_chance))

    assert answer.record is not None


def test_option_that_is_not_offered_is_refused_before_it_is_a_vote(quartet: Position) -> None:
    ana, caro = members_of(quartet)
    submission = Submission(decision=1, at=AT, move={"type": "lay", "card": "z9"}, student=ana)

    answer = play.submit(quartet, submission, seen={caro: AT}, chances=one_chance)

    assert code_of(answer) == "lanterns.card-not-held"


def test_time_alone_settles_when_the_one_who_disagreed_has_left(quartet: Position) -> None:
    ana, caro = members_of(quartet)
    submission = Submission(decision=1, at=AT, move=lay(quartet, 0), student=ana)
    voted = accepted(play.submit(quartet, submission, seen={caro: AT}, chances=one_chance))

    still = play.settle(voted.position, 0, at=AT + 1, seen={ana: AT, caro: AT}, chances=one_chance)
    later = play.settle(
        voted.position, 0, at=AT + 25, seen={ana: AT + 25, caro: AT}, chances=one_chance
    )

    assert still is None
    assert later is not None
    assert later.record is not None


def test_spokesperson_speaks_for_the_team(quartet: Position) -> None:
    ana, caro = members_of(quartet)
    position = replace(quartet, decision_rule=DecisionRule.SPOKESPERSON)
    seen = {ana: AT, caro: AT}
    opened = position.opened(0)
    assert opened is not None
    speaker = play.standing_vote(position, opened, seen=seen, at=AT).spokesperson
    other = ana if speaker == caro else caro

    def vote(student: str | None, *, confirmed: bool) -> Accepted:
        submission = Submission(
            decision=1, at=AT, move=lay(position, 0), student=student, confirmed=confirmed
        )
        return accepted(play.submit(position, submission, seen=seen, chances=one_chance))

    assert vote(other, confirmed=True).record is None
    assert vote(speaker, confirmed=False).record is None  # they are asked whether all agree
    assert vote(speaker, confirmed=True).record is not None


def test_student_alone_needs_no_word_for_the_team(duel: Position) -> None:
    (ana,) = members_of(duel)
    position = replace(duel, decision_rule=DecisionRule.SPOKESPERSON)

    assert accepted(ask(position, ana, lay(duel, 0))).record is not None


def test_shared_device_asks_whether_all_have_agreed(duel: Position) -> None:
    (ana,) = members_of(duel)
    red, blue = duel.teams
    shared = replace(red, members=(replace(red.members[0], shared=True),))
    position = replace(duel, teams=(shared, blue))

    tapped = accepted(ask(position, ana, lay(duel, 0)))
    agreed = accepted(ask(tapped.position, ana, lay(duel, 0), confirmed=True))

    assert tapped.record is None
    assert agreed.record is not None


def test_silent_stage_keeps_votes_apart_until_all_have_voted(quartet: Position) -> None:
    ana, caro = members_of(quartet)
    position = replace(quartet, silent_first=SilentFirst.ALWAYS)
    opened = position.opened(0)
    assert opened is not None
    at = position.unix(opened.at_s) + 1

    def vote(position: Position, student: str, card: int) -> Accepted:
        submission = Submission(decision=1, at=at, move=lay(quartet, 0, card), student=student)
        seen = {ana: at, caro: at}
        return accepted(play.submit(position, submission, seen=seen, chances=one_chance))

    one = vote(position, ana, 0)
    both = vote(one.position, caro, 1)

    assert one.position.open_since_s == {}
    assert both.record is None
    assert both.position.open_since_s == {0: at}
