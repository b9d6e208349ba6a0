"""What holds in every position of every match, whatever the options and the answers.

Matches are drawn: options, dice and cards from a seed; the teams answer partly
like a bot, partly by chance, partly not in time.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from games.bots.bot import bot_move
from games.bots.roster import bot
from games.decks.starters import starter_content, starters
from games.engine.chance import Chance, recorded, seeded
from games.engine.codec import Codec
from games.engine.game import Watcher
from games.engine.moves import Amount
from games.engine.options import option_fields
from games.engine.replay import Record, replay
from games.rules.corruption.events import (
    INSURANCE,
    POSSESSION,
    Borrowed,
    Bought,
    FishMoved,
    Moved,
    PropertyLost,
    RecordWiped,
    Sold,
    TokenTaken,
    Walked,
    Won,
)
from games.rules.corruption.game import Corruption
from games.rules.corruption.options import Options

GAME = Corruption()
CODEC = Codec(GAME)
BOARDS = [starter.key for starter in starters("corruption")]
CONTENTS = {board: starter_content("corruption", board) for board in BOARDS}
BOTS = {
    board: [bot(Corruption(), name, content) for name in ("balanced", "greedy")]
    for board, content in CONTENTS.items()
}
LONGEST = 300  # answers of one drawn match

many = settings(max_examples=settings.default.max_examples // 4)  # each is a whole match

options = st.builds(
    Options,
    **{field.name: st.sampled_from(field.values) for field in option_fields(Options)},
)


class Match:
    """A drawn match: every state in order, and what led from one to the next.

    ``events`` has a tuple for each state, from the setup on.
    """

    def __init__(self, ruleset, states, records, events):
        self.ruleset = ruleset
        self.states = states
        self.records = records
        self.events = events

    def __repr__(self):
        return f"Match(of {len(self.states)} versions, {self.ruleset.rules.options})"


@st.composite
def matches(draw):
    board = draw(st.sampled_from(BOARDS))
    ruleset = GAME.ruleset(draw(options), CONTENTS[board])
    seed = draw(st.integers(min_value=0, max_value=10**9))
    return play(ruleset, BOTS[board], seeded(seed), wild=draw(st.integers(0, 8)))


def play(ruleset, bots, chance, *, wild):
    """Of 8 answers ``wild`` are drawn or the default, the others a bot's."""
    logged = Chance(chance.below)
    step = ruleset.setup(2, logged)
    states, events = [step.state], [step.events]
    records = [Record(version=1, kind="setup", seats=2, draws=tuple(logged.draws))]
    while (decisions := ruleset.decisions(states[-1])) and len(records) < LONGEST:
        (decision,) = decisions
        if chance.below(8) >= wild:
            move = bot_move(ruleset, states[-1], decision, bots[decision.seat], chance)
        elif chance.below(3):
            move = ruleset.legal_moves(states[-1], decision.seat).any(chance)
        else:
            move = ruleset.default_move(states[-1], decision, chance)
        logged = Chance(chance.below)
        step = ruleset.apply(states[-1], decision.seat, move, logged)
        states.append(step.state)
        events.append(step.events)
        records.append(
            Record(
                version=len(states),
                kind="move",
                seat=decision.seat,
                move=move,
                draws=tuple(logged.draws),
            )
        )
    return Match(ruleset, states, records, events)


def fish_of(state):
    """All fish by place, named as in the events."""
    red, blue = state.teams
    return {
        "river": state.river,
        "bank": state.bank,
        POSSESSION[0]: red.possession,
        POSSESSION[1]: blue.possession,
        INSURANCE[0]: red.insurance,
        INSURANCE[1]: blue.insurance,
    }


@pytest.mark.rule("COR-INV-1")
@many
@given(matches())
def test_no_fish_appears_or_disappears(match):
    total = match.ruleset.rules.board.fish_total

    for state in match.states:
        assert sum(fish_of(state).values()) == total


@pytest.mark.rule("COR-INV-2")
@many
@given(matches())
def test_no_amount_is_negative_and_at_most_one_team_is_in_prison(match):
    finite = match.ruleset.rules.finite

    for state in match.states:
        places = fish_of(state)
        river = places.pop("river")
        assert river >= 0 or not finite
        assert min(places.values()) >= 0
        for team in state.teams:
            assert min(team.tokens, team.debt, team.missed) >= 0
            assert all(paid is None or paid >= 0 for paid in team.paid)
        assert sum(team.sentence is not None for team in state.teams) <= 1


@pytest.mark.rule("COR-WIN-15", "COR-WIN-2", "COR-WIN-3")
@many
@given(matches())
def test_every_position_has_one_decision_with_a_move_or_exactly_one_winner(match):
    for state in match.states:
        decisions = match.ruleset.decisions(state)
        qualified = [
            seat
            for seat, team in enumerate(state.teams)
            if None not in team.paid and team.tokens == 0
        ]
        if state.winner is None:
            (decision,) = decisions
            assert len(match.ruleset.legal_moves(state, decision.seat)) > 0
            assert qualified == []
        else:
            assert decisions == ()
            assert state.winner in qualified


@many
@given(matches())
def test_no_card_appears_or_disappears(match):
    content = match.ruleset.rules.content
    whole = {
        name: Counter(tuple(getattr(content, name)))
        for name in ("corruption", "national", "local", "donation", "qa")
    }

    for state in match.states:
        out = {name: Counter(getattr(state.decks, name)) for name in whole}
        for team in state.teams:
            out["donation"].update(team.donations)
        if state.question is not None and not state.question.answered:
            out["qa"][state.question.card] += 1
        assert out == whole


@pytest.mark.rule("COR-INV-1")
@many
@given(matches())
def test_the_events_of_a_step_add_up_to_its_change(match):
    for before, after, events in zip(
        match.states, match.states[1:], match.events[1:], strict=False
    ):
        fish = Counter(fish_of(before))
        villages = [dict(enumerate(team.paid)) for team in before.teams]
        tokens = [team.tokens for team in before.teams]
        debts = [team.debt for team in before.teams]
        flags = [team.position for team in before.teams]
        rank = match.ruleset.rules.board.rank
        for event in events:
            match event:
                case FishMoved(source=source, target=target, amount=amount):
                    assert amount > 0
                    fish[source] -= amount
                    fish[target] += amount
                    if event.reason == "repayment":
                        debts[event.seat] -= amount
                case Borrowed(debt=debt):
                    debts[event.seat] += debt
                case Bought(property=name, paid=paid):
                    villages[event.seat][rank[name]] = paid
                case Sold(property=name) | PropertyLost(property=name):
                    villages[event.seat][rank[name]] = None
                case TokenTaken():
                    tokens[event.seat] += 1
                case RecordWiped():
                    tokens[event.seat] = 0
                case Walked(path=path):
                    flags[event.seat] = path[-1]
                case Moved(square=square):
                    flags[event.seat] = square
        assert dict(fish) == fish_of(after)
        assert [tuple(village.values()) for village in villages] == [t.paid for t in after.teams]
        assert tokens == [team.tokens for team in after.teams]
        assert debts == [team.debt for team in after.teams]
        assert flags == [team.position for team in after.teams]
        assert (after.winner is not None) == any(isinstance(event, Won) for event in events)


@many
@given(matches())
def test_a_replay_of_the_log_equals_the_match(match):
    assert [step.state for step in replay(match.ruleset, match.records)] == match.states


@many
@given(matches())
def test_everything_survives_json(match):
    state, events = match.states[-1], match.events[-1]

    assert CODEC.state(CODEC.encode(state)) == state
    assert CODEC.events(CODEC.encode(events)) == events
    for viewer in (0, 1, *Watcher):
        observation = match.ruleset.observe(state, viewer)
        assert len(CODEC.encode(observation)) <= 4096


@many
@given(matches())
def test_every_listed_move_applies_in_the_last_position(match):
    state = match.states[-1]
    for decision in match.ruleset.decisions(state):
        moves = match.ruleset.legal_moves(state, decision.seat)
        tried = (
            [moves.of(moves.minimum), moves.of(moves.maximum)]
            if isinstance(moves, Amount)
            else moves.moves
        )
        for move in tried:
            step = match.ruleset.apply(state, decision.seat, move, seeded(1))
            assert step.state != state


@many
@given(matches())
def test_setup_and_moves_draw_nothing_but_what_the_log_holds(match):
    chance = recorded(match.records[0].draws)

    match.ruleset.setup(2, chance)

    assert tuple(chance.draws) == match.records[0].draws
