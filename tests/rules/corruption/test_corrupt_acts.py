"""Corruption cards (COR-CORR)."""

from __future__ import annotations

import pytest

from games.rules.corruption.events import CardDrawn, FishMoved, TokenTaken, TurnsLost
from games.rules.corruption.moves import Sell
from games.rules.corruption.state import OpenCard
from tests.rules.corruption.sitting import BLUE, CONTENT, RED, Sitting, state, team


def land(card, **fields):
    """Red lands on Corruption at 8."""
    return Sitting(state(red=team(position=7, **fields), corruption=card)).roll(1)


@pytest.mark.rule("COR-CORR-1", "COR-CORR-3", "COR-CORR-6")
@pytest.mark.parametrize("card", CONTENT.corruption.values(), ids=lambda card: card.id)
def test_every_card_costs_a_token_and_its_printed_penalties(card):
    game = land(card.id, possession=6, tokens=2)
    river = 100 - 6 - 6

    assert game.red.tokens == 3
    lost = sum(event.turns for event in game.happened(TurnsLost))
    assert lost == card.miss_turns
    assert game.red.possession == 6 - card.fish
    assert game.state.river == river + card.fish


@pytest.mark.rule("COR-CORR-2")
def test_water_without_a_meter_costs_a_turn_and_two_fish():
    card = CONTENT.corruption["C01"]

    assert "meter" in card.text
    assert (card.miss_turns, card.fish) == (1, 2)


@pytest.mark.rule("COR-CORR-4", "COR-CORR-5")
def test_a_team_that_sells_its_last_property_borrows_the_rest():
    game = land("C06", possession=0, owns={"house": 2}).play(Sell("house"))

    assert (game.red.debt, game.owns(RED)) == (2, {})


@pytest.mark.rule("COR-CORR-7", "COR-CORR-8")
def test_tokens_are_kept_without_limit_and_everybody_sees_them():
    game = land("C09", tokens=30)

    for viewer in (RED, BLUE):
        assert game.ruleset.observe(game.state, viewer).teams[RED].tokens == 31


@pytest.mark.rule("COR-CORR-8")
def test_the_token_comes_first_then_the_turns_then_the_fine():
    game = land("C01")

    kinds = [type(event) for event in game.events]
    order = [kinds.index(kind) for kind in (CardDrawn, TokenTaken, TurnsLost, FishMoved)]
    assert order == sorted(order)


@pytest.mark.rule("COR-CORR-9", "COR-GOAL-7")
def test_the_card_lies_open_and_goes_under_its_deck():
    game = land("C05")

    assert game.state.card == OpenCard("corruption", "C05")
    assert game.state.decks.corruption[-1] == "C05"
    assert len(game.state.decks.corruption) == len(CONTENT.corruption)


@pytest.mark.rule("COR-GOAL-7")
def test_both_teams_can_read_the_act_its_penalties_and_why_it_matters():
    game = land("C05")

    assert {game.ruleset.observe(game.state, seat).card for seat in (RED, BLUE)} == {
        OpenCard("corruption", "C05")
    }
    public = {card.id: card for card in game.ruleset.public_content().corruption}
    card = public["C05"]
    assert card == CONTENT.corruption["C05"]
    assert card.text
    assert card.why


def test_a_card_without_a_fine_asks_for_nothing():
    game = land("C11", possession=0, owns={"house": 2})

    assert game.owns(RED) == {"house": 2}
    assert game.red.debt == 0
    assert game.decision == (BLUE, "roll")
