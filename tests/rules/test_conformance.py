"""What every game of the catalogue must keep, shown on plays by chance.

A game brings ``tests/rules/<key>/subject.py``. Lanterns is in the suite so that
every general capability is tried, whatever the games of the catalogue use.
"""

from __future__ import annotations

import re
from importlib import import_module

import msgspec
import pytest

from games import catalog
from games.engine.chance import Chance, recorded, seeded
from games.engine.codec import Codec
from games.engine.facts import Fact
from games.engine.game import Event
from games.engine.moves import Amount
from games.engine.options import option_fields
from games.engine.refusals import IllegalMove, NothingToDecide
from games.engine.replay import Record, replay
from games.engine.text import Text, english
from tests.conftest import RELEASE
from tests.rules.lanterns.subject import SUBJECT as LANTERNS
from tests.rules.plays import answer, seeded_play, student

SEEDS = range(60 if RELEASE else 6)
OBSERVATION_BYTES = 4096
RULE = re.compile(r"[A-Z]+-[A-Z]+-[A-Z]?\d+[a-z]?")
CODE = re.compile(r"[a-z_]+\.[a-z0-9]+(-[a-z0-9]+)*")

SUBJECTS = [
    LANTERNS,
    *(import_module(f"tests.rules.{key}.subject").SUBJECT for key in catalog.GAMES),
]


# Of the module, so that all checks of one play follow each other.
@pytest.fixture(scope="module", params=SUBJECTS, ids=lambda subject: subject.game.key)
def subject(request):
    return request.param


# All that look at it in one worker: a play is made once.
@pytest.fixture(
    scope="module",
    params=[pytest.param(s, marks=pytest.mark.xdist_group(f"play-{s}")) for s in SEEDS],
)
def play(request, subject):
    return seeded_play(subject, request.param)


@pytest.fixture(scope="module")
def codec(subject):
    return Codec(subject.game)


def check_text(text):
    """A whole text: every value given, nothing but text and numbers in it."""
    assert msgspec.json.decode(msgspec.json.encode(text), type=Text) == text
    words = english(text)
    assert words.strip()
    assert "%(" not in words
    return words


# The game and its content


def test_a_game_says_what_it_is(subject):
    game = subject.game
    tags = {tag(move) for move in members(game.move_type)}

    assert re.fullmatch(r"[a-z_]+", game.key)
    check_text(game.title)
    assert check_text(game.summary).endswith(".")
    assert len(game.seats) > 0
    assert game.seats.start >= 1
    assert len({check_text(name) for name in game.seat_names}) >= max(game.seats)
    assert game.acts <= tags
    assert len({kind.key for kind in game.content}) == len(game.content)
    for kind in game.content:
        check_text(kind.title)


def test_its_options_make_a_form(subject):
    for field in option_fields(subject.game.options_type):
        assert field.default in field.values
        assert len({check_text(label) for label in field.labels}) == len(field.values)
        assert check_text(field.help).endswith((".", "!", "?"))
        check_text(field.label)
        assert RULE.fullmatch(field.rule)


def test_its_options_round_trip_through_json(subject):
    options = subject.game.options_type()

    again = msgspec.json.decode(msgspec.json.encode(options), type=subject.game.options_type)

    assert again == options


def test_its_content_is_without_problems(subject):
    content = subject.content()

    assert content.keys() == {kind.key for kind in subject.game.content}
    assert [subject.game.check(kind.key, content) for kind in subject.game.content] == [()] * len(
        content
    )


def test_content_is_public_and_the_same_for_each_match(subject):
    game = subject.game

    first, second = (
        game.ruleset(game.options_type(), subject.content()).public_content() for _ in range(2)
    )

    assert msgspec.json.encode(first) == msgspec.json.encode(second)


# Chance


def test_setup_is_reproducible_from_a_seed_and_from_its_draws(subject):
    ruleset = subject.game.ruleset(subject.game.options_type(), subject.content())
    for seats in subject.game.seats:
        chance = seeded(5)

        step = ruleset.setup(seats, chance)

        assert ruleset.setup(seats, seeded(5)) == step
        assert ruleset.setup(seats, recorded(chance.draws)) == step
        assert ruleset.setup(seats, seeded(6)).state != step.state


def test_replay_of_the_log_equals_the_play(play):
    assert replay(play.ruleset, play.records) == list(play.steps)


def test_replay_of_a_log_that_was_json_equals_the_play(play, codec):
    records = [
        msgspec.structs.replace(record, move=codec.move(codec.encode(record.move)))
        if record.move is not None
        else record
        for record in play.records
    ]

    assert replay(play.ruleset, records) == list(play.steps)


def test_a_rewound_play_replays_and_goes_on(play):
    last = play.records[-1].version
    to = max(1, last // 2)
    chance = seeded(last)
    logged = Chance(chance.below)
    state = play.ruleset.reshuffle(play.states[to - 1], logged)
    rewind = Record(version=last + 1, kind="rewind", to=to, draws=tuple(logged.draws))
    onward, step = answer(play.subject, play.ruleset, state, last + 2, chance)

    steps = replay(play.ruleset, (*play.records, rewind, onward))

    assert steps[last].state == state
    assert steps[last + 1] == step


def test_a_reshuffle_changes_nothing_that_anybody_may_know(play):
    for state in play.states:
        reshuffled = play.ruleset.reshuffle(state, seeded(3))

        assert play.ruleset.decisions(reshuffled) == play.ruleset.decisions(state)
        assert value(play, reshuffled) == value(play, state)
        for viewer in play.viewers():
            assert play.ruleset.observe(reshuffled, viewer) == play.ruleset.observe(state, viewer)


def test_a_reshuffle_brings_a_new_order(subject):
    state = seeded_play(subject, 0).states[0]
    ruleset = seeded_play(subject, 0).ruleset

    orders = {ruleset.reshuffle(state, seeded(seed)) != state for seed in range(5)}

    assert True in orders


# Moves


def test_a_play_by_chance_ends(play):
    assert play.is_over


def test_open_decisions_and_outcome_exclude_each_other(play):
    for state in play.states:
        decisions = play.ruleset.decisions(state)
        outcome = play.ruleset.outcome(state)

        assert (outcome is None) == bool(decisions)
        assert len({decision.seat for decision in decisions}) == len(decisions)
        assert all(decision.seat in range(play.seats) for decision in decisions)
        assert not decisions or any(decision.required for decision in decisions)
        if outcome is not None:
            assert set(outcome.winners) <= set(range(play.seats))
            check_text(outcome.reason)


def test_every_listed_move_applies(play):
    for state, decision in sampled(play):
        moves = play.ruleset.legal_moves(state, decision.seat)
        assert len(moves) > 0
        for move in listed(moves):
            assert move in moves
            play.ruleset.apply(state, decision.seat, move, seeded(1))


def test_moves_not_listed_are_refused_without_a_draw(play):
    seen = {turn.move for turn in play.turns}
    refused = 0
    for state, decision in sampled(play):
        moves = play.ruleset.legal_moves(state, decision.seat)
        default = play.ruleset.default_move(state, decision, seeded(1))
        others = {move for move in seen if move not in moves and move != default}
        if isinstance(moves, Amount):
            others |= {moves.of(moves.minimum - 1), moves.of(moves.maximum + 1)}
        for move in others:
            check_refused(play, state, decision.seat, move)
            refused += 1

    assert refused > 0


def test_a_seat_without_a_decision_is_refused(play):
    for state in play.states:
        deciding = {decision.seat for decision in play.ruleset.decisions(state)}
        for seat in set(range(play.seats)) - deciding:
            with pytest.raises(NothingToDecide):
                play.ruleset.legal_moves(state, seat)
            check_refused(play, state, seat, play.turns[0].move)


def check_refused(play, state, seat, move):
    chance = seeded(1)
    with pytest.raises(IllegalMove) as caught:
        play.ruleset.apply(state, seat, move, chance)
    assert chance.draws == []
    check_text(caught.value.text)


def test_the_default_move_applies_to_every_decision(play):
    for state in play.states:
        for decision in play.ruleset.decisions(state):
            move = play.ruleset.default_move(state, decision, seeded(1))

            play.ruleset.apply(state, decision.seat, move, seeded(2))


def test_a_window_of_the_rules_is_some_seconds_or_none(play):
    for state in play.states:
        for decision in play.ruleset.decisions(state):
            window_s = play.ruleset.window_s(state, decision)

            assert window_s is None or window_s > 0


def test_no_move_changes_the_value_of_everything(play):
    assert {value(play, state) for state in play.states} == {value(play, play.states[0])}


# JSON


def test_states_round_trip_through_json(play, codec):
    for state in play.states:
        assert codec.state(codec.encode(state)) == state


def test_moves_round_trip_through_json(play, codec):
    for turn in play.turns:
        assert codec.move(codec.encode(turn.move)) == turn.move
        assert codec.move_from_plain(msgspec.to_builtins(turn.move)) == turn.move


def test_moves_with_a_foreign_field_are_no_moves(play, codec):
    for move in {turn.move for turn in play.turns}:
        with pytest.raises(msgspec.ValidationError):
            codec.move_from_plain({**msgspec.to_builtins(move), "seat": 1})


def test_events_round_trip_through_json(play, codec):
    for step in play.steps:
        assert codec.events(codec.encode(step.events)) == step.events


def test_observations_are_small(play, codec):
    sizes = [
        len(codec.encode(play.ruleset.observe(state, viewer)))
        for state in play.states
        for viewer in play.viewers()
    ]

    assert max(sizes) <= OBSERVATION_BYTES


# Secrets


def test_nobody_is_told_what_they_may_not_know(play):
    differing = 0
    for number, turn in enumerate(play.turns):
        draws = play.records[number + 1].draws
        step = play.steps[number + 1]
        for viewer in play.viewers():
            before, move = play.subject.twin(play.ruleset, turn, viewer, seeded(number))
            differing += before != turn.before
            twin = play.ruleset.apply(before, turn.seat, move, recorded(draws))

            assert known(play, before, viewer) == known(play, turn.before, viewer)
            assert known(play, twin.state, viewer) == known(play, turn.after, viewer)
            assert told(play, twin, viewer) == told(play, step, viewer)

    assert differing > 0


def known(play, state, viewer):
    """All that reaches a viewer about a position: their own moves and words too."""
    decisions = play.ruleset.decisions(state)
    own = [decision for decision in decisions if decision.seat == viewer]
    return (
        play.ruleset.observe(state, viewer),
        decisions,
        [play.ruleset.window_s(state, decision) for decision in decisions],
        [play.ruleset.waiting(state, decision) for decision in decisions],
        play.ruleset.standing(state),
        [play.ruleset.ask(state, decision) for decision in own],
        [
            (move, play.ruleset.label(state, viewer, move), play.ruleset.cost(state, viewer, move))
            for decision in own
            for move in listed(play.ruleset.legal_moves(state, decision.seat))
        ],
    )


def told(play, step, viewer):
    """The events and log lines that reach a viewer."""
    events = [play.ruleset.tell(event, viewer) for event in step.events]
    return [(event, play.ruleset.line(event)) for event in events if event is not None]


def test_what_a_viewer_is_told_is_of_the_same_kind_and_told_once(play):
    for event in play.events:
        for viewer in play.viewers():
            told_event = play.ruleset.tell(event, viewer)

            if told_event is not None:
                assert type(told_event) is type(event)
                assert play.ruleset.tell(told_event, viewer) == told_event


# Words


def test_every_event_has_a_rule_and_a_line_for_each_viewer(play):
    for event in play.events:
        assert isinstance(event, Event)
        assert RULE.fullmatch(event.rule)
        for viewer in play.viewers():
            told_event = play.ruleset.tell(event, viewer)
            if told_event is not None:
                check_text(play.ruleset.line(told_event))


def test_every_decision_is_asked_and_waited_for_in_a_sentence(play):
    for state in play.states:
        for decision in play.ruleset.decisions(state):
            assert check_text(play.ruleset.ask(state, decision)).endswith((".", "?", "!"))
            check_text(play.ruleset.waiting(state, decision))


def test_every_move_has_a_label_and_says_what_it_costs(play):
    for state, decision in sampled(play):
        moves = listed(play.ruleset.legal_moves(state, decision.seat))
        words = {
            (
                check_text(play.ruleset.label(state, decision.seat, move)),
                check_text(play.ruleset.cost(state, decision.seat, move)),
            )
            for move in moves
        }

        assert len(words) == len(moves)


def test_each_seat_has_figures(play):
    for state in play.states:
        standing = play.ruleset.standing(state)

        assert len(standing) == play.seats
        for figures in standing:
            assert figures
            for figure in figures:
                check_text(figure.label)
                assert figure.out_of is None or figure.value <= figure.out_of


def test_every_refusal_has_a_code_a_rule_and_a_sentence(subject):
    package = type(subject.game).__module__.rpartition(".")[0]
    refusals = [refusal for refusal in subclasses(IllegalMove) if inside(refusal, package)]

    assert refusals
    for refusal in refusals:
        assert CODE.fullmatch(refusal.code)
        assert refusal.code.startswith(f"{subject.game.key}.")
        assert RULE.fullmatch(refusal.rule)
        assert refusal.message[0].isupper()
        assert refusal.message.endswith((".", "!", "?"))
    assert len({refusal.code for refusal in refusals}) == len(refusals)


# Facts


def test_facts_are_about_those_who_played(play):
    facts = play.ruleset.facts(play.as_match())

    assert all(isinstance(fact, Fact) for fact in facts)
    assert {fact.student for fact in facts} <= {student(seat) for seat in range(play.seats)}
    assert {fact.version for fact in facts} <= {record.version for record in play.records}
    assert all(fact.student == student(fact.seat) for fact in facts)
    assert play.ruleset.facts(play.as_match()) == facts


def sampled(play):
    """Positions with each of their decisions: all of a short play, some of a long one."""
    stride = max(1, len(play.states) // 60)
    return [
        (state, decision)
        for state in play.states[::stride]
        for decision in play.ruleset.decisions(state)
    ]


def listed(moves):
    if isinstance(moves, Amount):
        return [moves.of(amount) for amount in {moves.minimum, moves.maximum}]
    return list(moves.moves)


def value(play, state):
    return play.subject.value(play.ruleset, state)


def members(union):
    return getattr(union, "__args__", (union,))


def tag(move_type):
    return move_type.__struct_config__.tag


def inside(refusal, package):
    return refusal.__module__.startswith(package)


def subclasses(base):
    for child in base.__subclasses__():
        yield child
        yield from subclasses(child)
