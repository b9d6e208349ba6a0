"""Chance and its record."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from games.engine.chance import ChanceExhausted, recorded, seeded

BOUNDS = st.lists(st.integers(1, 1000), max_size=20)


def test_draws_stay_below_their_bound_and_are_remembered():
    chance = seeded(1)

    drawn = [chance.below(bound) for bound in (1, 2, 6, 1000) for _ in range(50)]

    assert chance.draws == drawn
    assert all(draw >= 0 for draw in drawn)
    assert max(drawn[:50]) == 0
    assert set(drawn[50:100]) == {0, 1}
    assert max(drawn) < 1000


@given(st.integers(), BOUNDS)
def test_a_seed_gives_the_same_draws_again(seed, bounds):
    first, second = seeded(seed), seeded(seed)

    assert [first.below(b) for b in bounds] == [second.below(b) for b in bounds]


@given(st.integers(), BOUNDS)
def test_a_record_repeats_the_draws(seed, bounds):
    live = seeded(seed)
    for bound in bounds:
        live.below(bound)
    replayed = recorded(live.draws)

    for bound in bounds:
        replayed.below(bound)

    assert replayed.draws == live.draws


def test_a_record_that_ends_too_early_is_noticed():
    chance = recorded([2])
    chance.below(3)

    with pytest.raises(ChanceExhausted):
        chance.below(3)


@pytest.mark.parametrize("draw", [3, -1])
def test_a_draw_out_of_bounds_is_noticed(draw):
    with pytest.raises(ChanceExhausted):
        recorded([draw]).below(3)


def test_a_die_shows_one_to_its_faces():
    chance = seeded(4)

    assert {chance.die() for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    assert {chance.die(2) for _ in range(50)} == {1, 2}


def test_a_choice_is_the_item_at_the_draw():
    assert recorded([1]).choice("abc") == "b"


@given(st.lists(st.integers()), st.integers())
def test_shuffled_keeps_every_item(items, seed):
    assert sorted(seeded(seed).shuffled(items)) == sorted(items)


def test_every_order_of_a_shuffle_comes_from_one_record_of_draws():
    orders = [recorded([a, b]).shuffled("xyz") for a in range(3) for b in range(2)]

    assert sorted(orders) == sorted(permutations("xyz"))
