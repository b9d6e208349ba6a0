"""Refusals of the engine itself."""

from __future__ import annotations

import pytest

from games.engine.refusals import IllegalMove, NothingToDecide, NotOffered
from games.engine.text import english
from tests.rules.lanterns.game import CardNotHeld


@pytest.mark.rule("COR-DEC-6")
@pytest.mark.parametrize(
    ("refusal", "code"),
    [(NotOffered, "game.not-offered"), (NothingToDecide, "game.nothing-to-decide")],
)
def test_a_refusal_says_what_to_do(refusal, code):
    raised = refusal()

    assert isinstance(raised, IllegalMove)
    assert (raised.code, str(raised), raised.rule) == (code, code, "COR-DEC-6")
    assert english(raised.text).endswith(".")


def test_a_refusal_fills_its_sentence():
    assert english(CardNotHeld(card="a4").text) == (
        "Choose a card from your own hand; you do not hold a4."
    )
