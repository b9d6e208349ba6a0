"""JSON of states, moves and events."""

from __future__ import annotations

import msgspec
import pytest

from games.engine.codec import Codec
from tests.rules.lanterns.game import LANTERNS, Accept, LaidDown, Lit, Pour
from tests.rules.lanterns.subject import SUBJECT
from tests.rules.plays import seeded_play

CODEC = Codec(LANTERNS)


def test_a_move_is_named_by_its_type():
    assert CODEC.encode(Pour(oil=3)) == b'{"type":"pour","oil":3}'
    assert CODEC.move(b'{"type":"pour","oil":3}') == Pour(oil=3)
    assert CODEC.move_from_plain({"type": "accept"}) == Accept()


@pytest.mark.parametrize(
    "data",
    [
        b'{"type":"fly"}',
        b'{"oil":3}',
        b'{"type":"pour"}',
        b'{"type":"pour","oil":"3"}',
        b'{"type":"pour","oil":3.5}',
        b'{"type":"pour","oil":true}',
        b'{"type":"pour","oil":3,"seat":1}',
        b"[]",
        b"null",
    ],
)
def test_anything_else_is_no_move(data):
    with pytest.raises(msgspec.ValidationError):
        CODEC.move(data)
    with pytest.raises(msgspec.ValidationError):
        CODEC.move_from_plain(msgspec.json.decode(data))


def test_events_keep_their_order():
    events = (LaidDown(seat=0, card=None), Lit(seat=1), LaidDown(seat=1, card="a1"))

    assert CODEC.events(CODEC.encode(events)) == events


def test_a_state_of_the_middle_of_a_play_comes_back_whole():
    state = seeded_play(SUBJECT, 0).states[3]

    assert CODEC.state(CODEC.encode(state)) == state
    assert CODEC.state(CODEC.encode(state).decode()) == state


def test_plain_values_nested_without_end_are_refused():
    nested: list = []
    for _level in range(100_000):
        nested = [nested]

    with pytest.raises(msgspec.ValidationError):
        CODEC.move_from_plain({"type": "pour", "oil": nested})
