"""What the pages of a match are drawn from."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils.translation import override

from games.catalog import GAMES
from games.selectors.playpages import seats, sentence, telling_letters

DECISION = {"mine": True, "ask": "Your turn. Roll the die."}
WAITING = [{"text": "Red is about to roll."}]


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (["Red", "Blue"], ["R", "B"]),
        (["Rouge", "Bleu"], ["R", "B"]),
        (["الأحمر", "الأزرق"], ["ح", "ز"]),
        (["otters", "owls"], ["T", "W"]),
        (["same", "same"], ["S", "S"]),
        (["", "Blue"], ["", "B"]),
    ],
)
def test_teams_are_told_apart_by_one_letter_each(names, letters):
    assert telling_letters(names) == letters


def test_teams_are_called_in_the_readers_language_unless_they_have_names_of_their_own():
    teams = [SimpleNamespace(seat=0, name="Red"), SimpleNamespace(seat=1, name="Owls")]
    position: Any = SimpleNamespace(language="en", game=GAMES["corruption"], teams=teams)

    with override("fr"):
        told = seats(position)

    assert [(seat["name"], seat["letter"]) for seat in told] == [("Rouge", "R"), ("Owls", "O")]


def frames(**fields):
    told = {"type": "observation", "status": "playing", "outcome": None, "decision": None}
    return [{"type": "hello"}, {**told, "waiting": [], **fields}]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"decision": DECISION, "waiting": WAITING}, "Your turn. Roll the die."),
        ({"decision": {**DECISION, "mine": False}, "waiting": WAITING}, "Red is about to roll."),
        ({"waiting": WAITING}, "Red is about to roll."),
        ({"outcome": {"reason": "Red wins."}, "waiting": WAITING}, "Red wins."),
        ({"status": "ended"}, "The match has ended."),
        ({}, "The match begins soon."),
    ],
)
def test_the_page_opens_with_what_matters_now(fields, said):
    assert sentence(frames(**fields)) == said
