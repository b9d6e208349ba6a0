"""What the pages of a match are drawn from."""

from __future__ import annotations

import pytest

from games.selectors.playpages import sentence, telling_letters

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
