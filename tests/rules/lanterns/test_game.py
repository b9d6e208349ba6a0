"""What Lanterns asks of the engine, move by move."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.engine.chance import recorded, seeded
from games.engine.game import ContentRefused, Decision, Watcher
from games.engine.moves import Amount, Listed
from games.engine.refusals import NothingToDecide, NotOffered
from tests.rules.lanterns.game import (
    CARDS,
    CONTEST_S,
    LANTERNS,
    Accept,
    CardNotHeld,
    Contest,
    Guess,
    Laid,
    LaidDown,
    Lay,
    NotSoMuchOil,
    Options,
    Over,
    Pour,
    Revealed,
    Shown,
    State,
)

RULESET = LANTERNS.ruleset(Options(rounds=2), {"cards": CARDS})
NO_CHANCE = recorded(())
START = State(
    round=1,
    phase=Laid(),
    hands=(("a1", "a2", "b5"), ("a3", "b2", "b4")),
    deck=("c1", "c2", "c3", "c4", "c5", "b1", "b3", "a5"),
    face_down="a4",
    discard=(),
    oil=(10, 10),
    lamp=0,
    lit=(0, 0),
)


def shown(**changes):
    """Seat 0 led with b5 over b4; seat 1 answers, seat 0 may guess."""
    state = START
    for seat, card in ((0, "b5"), (1, "b4")):
        state = RULESET.apply(state, seat, Lay(card=card), recorded((0,))).state
    return replace(state, **changes)


def kinds(state):
    return {decision.seat: decision.kind for decision in RULESET.decisions(state)}


def test_both_seats_choose_at_once_and_in_either_order():
    first = RULESET.apply(START, 1, Lay(card="b4"), NO_CHANCE)
    second = RULESET.apply(first.state, 0, Lay(card="b5"), recorded((0,)))

    assert kinds(START) == {0: "lay", 1: "lay"}
    assert kinds(first.state) == {0: "lay"}
    assert second.state == shown()
    assert second.events[1] == Revealed(cards=("b5", "b4"), wind=1, leader=0)


def test_a_sealed_choice_is_known_to_its_seat_alone():
    step = RULESET.apply(START, 1, Lay(card="b4"), NO_CHANCE)

    told = {viewer: RULESET.tell(step.events[0], viewer) for viewer in (0, 1, *Watcher)}
    seen = {viewer: RULESET.observe(step.state, viewer) for viewer in (0, 1, *Watcher)}

    sealed = LaidDown(seat=1, card=None)
    assert told == {
        0: sealed,
        1: LaidDown(seat=1, card="b4"),
        Watcher.PUBLIC: sealed,
        Watcher.TEACHER: sealed,
    }
    assert {viewer: (view.laid, view.own_sealed) for viewer, view in seen.items()} == {
        0: ((False, True), None),
        1: ((False, True), "b4"),
        Watcher.PUBLIC: ((False, True), None),
        Watcher.TEACHER: ((False, True), None),
    }


def test_the_wind_decides_between_equal_cards():
    state = replace(START, hands=(("a2",), ("b2",)))
    state = RULESET.apply(state, 0, Lay(card="a2"), NO_CHANCE).state

    leaders = [
        RULESET.apply(state, 1, Lay(card="b2"), recorded((draw,))).state.phase.leader
        for draw in (0, 1)
    ]

    assert leaders == [0, 1]


def test_only_the_contest_has_a_window():
    windows = {
        decision.kind: RULESET.window_s(state, decision)
        for state in (START, shown(), replace(shown(), phase=replace(shown().phase, answer="pour")))
        for decision in RULESET.decisions(state)
    }

    assert windows == {"lay": None, "contest": CONTEST_S, "guess": None, "pour": None}


def test_a_window_that_ends_accepts():
    contest, _guess = RULESET.decisions(shown())

    assert RULESET.default_move(shown(), contest, seeded(1)) == Accept()


def test_a_decision_stays_open_while_the_other_seat_answers():
    state = shown()
    guess = Decision(seat=0, kind="guess", about="round-1", required=False, knowledge=True)

    contested = RULESET.apply(state, 1, Contest(), recorded((1,))).state

    assert guess in RULESET.decisions(state)
    assert guess in RULESET.decisions(contested)
    assert (contested.phase.leader, contested.oil, contested.lamp) == (1, (10, 9), 1)


def test_a_contest_needs_oil():
    assert RULESET.legal_moves(shown(), 1) == Listed((Contest(), Accept()))
    assert RULESET.legal_moves(shown(oil=(20, 0)), 1) == Listed((Accept(),))


def test_any_amount_of_the_own_oil_may_be_poured():
    state = RULESET.apply(shown(oil=(14, 6)), 1, Accept(), NO_CHANCE).state

    assert RULESET.legal_moves(state, 1) == Amount(Pour(oil=0), "oil", 0, 6)
    assert RULESET.apply(state, 1, Pour(oil=6), NO_CHANCE).state.lamp == 6


def test_a_right_guess_finds_a_drop_when_the_card_is_turned():
    state = RULESET.apply(shown(), 0, Guess(card="a4"), NO_CHANCE).state
    state = RULESET.apply(state, 1, Accept(), NO_CHANCE).state

    state = RULESET.apply(state, 1, Pour(oil=2), NO_CHANCE).state

    assert (state.oil, state.lamp, state.lit) == ((11, 8), 1, (1, 0))
    assert state.discard == ("b5", "b4", "a4")


def test_the_last_round_ends_the_game():
    last = shown(round=2, phase=Shown(leader=0, trailer=1, answer="pour", guesser=0))

    over = RULESET.apply(last, 1, Pour(oil=0), NO_CHANCE).state

    assert over.phase == Over()
    assert RULESET.decisions(over) == ()
    assert RULESET.outcome(over).winners == (0,)


def test_an_empty_deck_takes_the_discarded_cards_back():
    state = shown(deck=("c1",), phase=Shown(leader=0, trailer=1, answer="pour", guesser=0))

    state = RULESET.apply(state, 1, Pour(oil=0), recorded((2, 1))).state

    assert state.discard == ()
    assert {"c1", "b5", "b4", "a4"} == {
        *state.hands[0], *state.hands[1], state.face_down, *state.deck
    } - {"a1", "a2", "a3", "b2"}  # fmt: skip


@pytest.mark.parametrize(
    ("state", "seat", "move", "refusal"),
    [
        (START, 0, Lay(card="a3"), CardNotHeld),
        (START, 0, Pour(oil=1), NotOffered),
        (shown(), 0, Guess(card="b5"), NotOffered),
        (shown(oil=(20, 0)), 1, Contest(), NotOffered),
        (
            shown(phase=Shown(leader=0, trailer=1, answer="pour", guesser=0)),
            1,
            Pour(oil=11),
            NotSoMuchOil,
        ),
        (shown(phase=Over()), 0, Accept(), NothingToDecide),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(state, seat, move, refusal):
    with pytest.raises(refusal):
        RULESET.apply(state, seat, move, NO_CHANCE)


def test_too_few_cards_are_refused_with_what_to_mend():
    with pytest.raises(ContentRefused) as caught:
        LANTERNS.ruleset(Options(), {"cards": {"cards": CARDS["cards"][:9]}})

    (problem,) = caught.value.problems
    assert (problem.kind, problem.place, problem.rule) == ("cards", "cards", "LAN-SETUP-1")
