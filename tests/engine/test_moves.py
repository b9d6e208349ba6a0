"""Listed and bounded moves."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from games.engine.chance import recorded, seeded
from games.engine.moves import Amount, Listed
from tests.rules.lanterns.game import Accept, Contest, Pour

LISTED = Listed((Contest(), Accept()))
AMOUNT = Amount(Pour(oil=0), "oil", 2, 5)


def test_listed_moves_are_those_listed():
    assert len(LISTED) == 2
    assert Accept() in LISTED
    assert Pour(oil=0) not in LISTED
    assert LISTED.any(recorded([1])) == Accept()


@pytest.mark.parametrize(
    ("move", "allowed"),
    [
        (Pour(oil=1), False),
        (Pour(oil=2), True),
        (Pour(oil=5), True),
        (Pour(oil=6), False),
        (Pour(oil=True), False),
        (Accept(), False),
        ("oil", False),
    ],
)
def test_an_amount_lies_between_its_bounds(move, allowed):
    assert (move in AMOUNT) is allowed


def test_an_amount_keeps_the_other_fields_of_its_move():
    amount = Amount(Listing(player="a", price=0), "price", 0, 9)

    assert Listing(player="a", price=4) in amount
    assert Listing(player="b", price=4) not in amount


@given(st.integers(0, 50), st.integers(0, 50), st.integers())
def test_any_amount_is_one_of_them(minimum, more, seed):
    amount = Amount(Pour(oil=0), "oil", minimum, minimum + more)

    assert len(amount) == more + 1
    assert amount.any(seeded(seed)) in amount


def test_every_amount_can_be_drawn():
    assert {AMOUNT.any(recorded([draw])).oil for draw in range(4)} == {2, 3, 4, 5}


class Listing(Pour, frozen=True, kw_only=True, tag="listing"):
    player: str
    price: int
    oil: int = 0
