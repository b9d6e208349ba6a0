"""A match from its log alone."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from games.engine.chance import Chance, ChanceExhausted, seeded
from games.engine.refusals import IllegalMove
from games.engine.replay import BrokenLog, Record, replay
from tests.rules.lanterns.game import Pour
from tests.rules.lanterns.subject import SUBJECT
from tests.rules.plays import answer, seeded_play

PLAY = seeded_play(SUBJECT, 0)
SETUP, *MOVES = PLAY.records


def rewound(records, states, to, seed=9):
    """The record of a rewind, and the state that it leads to."""
    logged = Chance(seeded(seed).below)
    state = PLAY.ruleset.reshuffle(states[to - 1], logged)
    record = Record(version=len(records) + 1, kind="rewind", to=to, draws=tuple(logged.draws))
    return record, state


def test_steps_are_those_of_the_play():
    assert replay(PLAY.ruleset, PLAY.records) == list(PLAY.steps)


def test_records_about_people_leave_the_state_as_it_is():
    records = [
        SETUP,
        Record(version=2, kind="join"),
        Record(version=3, kind="pause"),
        replace(MOVES[0], version=4),
    ]

    steps = replay(PLAY.ruleset, records)

    assert [step.state for step in steps[:3]] == [PLAY.states[0]] * 3
    assert steps[1].events == ()
    assert steps[3] == PLAY.steps[1]


def test_a_rewind_leads_back_with_a_new_order_of_what_is_left():
    record, state = rewound(PLAY.records, PLAY.states, to=3)

    steps = replay(PLAY.ruleset, [*PLAY.records, record])

    assert steps[-1].state == state
    assert steps[-1].state != PLAY.states[2]
    assert steps[-1].events == ()


def test_a_rewind_may_lead_to_a_version_that_was_rewound_away():
    first, _ = rewound(PLAY.records, PLAY.states, to=2)
    records = [*PLAY.records, first]
    second, state = rewound(records, [*PLAY.states, None], to=len(PLAY.records))

    steps = replay(PLAY.ruleset, [*records, second])

    assert steps[-1].state == state


@given(st.integers(0, 1000))
def test_play_with_rewinds_replays_to_the_same_states(seed):
    """Up to thirty answers, one step in five a rewind."""
    chance = seeded(seed)
    records, states = [SETUP], [PLAY.states[0]]
    while len(records) < 30:
        if not PLAY.ruleset.decisions(states[-1]) or chance.below(5) == 0:
            to = 1 + chance.below(len(records))
            record, state = rewound(records, states, to, seed=chance.below(1000))
        else:
            record, step = answer(SUBJECT, PLAY.ruleset, states[-1], len(records) + 1, chance)
            state = step.state
        records.append(record)
        states.append(state)

    assert [step.state for step in replay(PLAY.ruleset, records)] == states


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([MOVES[0]], id="first version missing"),
        pytest.param([replace(MOVES[0], version=1)], id="no setup"),
        pytest.param([Record(version=1, kind="join")], id="joined before setup"),
        pytest.param([SETUP, MOVES[1]], id="gap"),
        pytest.param([SETUP, replace(SETUP, version=2)], id="set up twice"),
        pytest.param([replace(SETUP, seats=None)], id="setup without seats"),
        pytest.param([SETUP, replace(MOVES[0], seat=None)], id="move without seat"),
        pytest.param([SETUP, Record(version=2, kind="rewind")], id="rewind to nowhere"),
        pytest.param([SETUP, Record(version=2, kind="rewind", to=2)], id="rewind to itself"),
        pytest.param([SETUP, Record(version=2, kind="rewind", to=0)], id="rewind before setup"),
        pytest.param([SETUP, replace(MOVES[0], draws=(1,))], id="draws left"),
    ],
)
def test_what_is_no_log_is_noticed(records):
    with pytest.raises(BrokenLog):
        replay(PLAY.ruleset, records)


def test_draws_that_are_missing_are_noticed():
    with pytest.raises(ChanceExhausted):
        replay(PLAY.ruleset, [replace(SETUP, draws=SETUP.draws[:-1])])


def test_a_move_that_the_rules_refuse_is_noticed():
    with pytest.raises(IllegalMove):
        replay(PLAY.ruleset, [SETUP, replace(MOVES[0], move=Pour(oil=1))])
