"""What the pages of a match are drawn from."""

from __future__ import annotations

import pytest

from games.selectors.playpages import telling_letters


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
