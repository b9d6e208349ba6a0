"""Live play draws from the operating system and keeps no seed."""

from __future__ import annotations

import random
import secrets

import pytest

from config.settings import base
from games.services import chances


@pytest.mark.case("HD-09")
def test_dice_of_live_play_follow_from_no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(secrets, "randbelow", lambda bound: asked.append(bound) or 0)
    random.seed(1)

    drawn = [chances.live().below(6) for _time in range(3)]

    assert base.SEEDED_CHANCE is None
    assert (drawn, asked) == ([0, 0, 0], [6, 6, 6])
