"""The clock that does not jump while somebody plays."""

from __future__ import annotations

import pytest

from games.services.steady import SteadyClock


@pytest.mark.case("CK-01")
@pytest.mark.parametrize("jump_s", [3600, -3600, 0.4])
def test_jump_of_the_wall_clock_counts_only_once_nobody_plays(jump_s: float) -> None:
    wall, counted = [1_800_000_000.0], [500.0]
    clock = SteadyClock(wall=lambda: wall[0], counted=lambda: counted[0])

    wall[0] += 3 + jump_s
    counted[0] += 3
    during = clock.now()
    clock.follow()

    assert during == 1_800_000_003.0
    assert clock.now() == 1_800_000_003.0 + jump_s


def test_clock_goes_on_by_itself() -> None:
    clock = SteadyClock()

    assert clock.now() < clock.now() + 1e-9 < clock.now() + 1
