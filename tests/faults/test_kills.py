"""Nothing that was acknowledged is lost, nothing is done twice, no board is wrong (T3).

The real program under bot clients and a nemesis; ``civic.py test --release`` takes
the large numbers. The seed is printed; ``CIVIC_SEED`` repeats a run.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import RELEASE
from tests.faults.nemesis import SERVICE_FAULTS
from tests.faults.runs import LINES_BREAK, run

pytestmark = LINES_BREAK

# Matches that bots play end after 600 moves or later, so many runs make the large number: 220
# kills and more, 100,000 acknowledged moves.
RUNS = {"sqlite": 11, "postgres": 10}
PLACES = [
    pytest.param("sqlite", id="sqlite"),
    pytest.param(
        "postgres",
        id="postgres",
        marks=[pytest.mark.services, pytest.mark.case("CF-08", "CF-09", "CF-10", "WS-22")],
    ),
]


@pytest.fixture
def seed() -> int:
    """Of this run; printed, so that a failure can be repeated."""
    drawn = int(os.environ.get("CIVIC_SEED") or random.SystemRandom().randrange(10**6))
    print(f"CIVIC_SEED={drawn}")
    return drawn


@pytest.mark.case("CF-01", "CF-04", "WS-11", "CC-12")
@pytest.mark.timeout(10_800 if RELEASE else 900)
@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize("database", PLACES)
async def test_faults_lose_nothing_double_nothing_and_show_nothing_wrong(
    database: str, seed: int, numbers: Callable[[int, int], int], tmp_path: Path
) -> None:
    kills, moves = (9 if database == "sqlite" else 13), numbers(1_000, 5_000)
    counts: Counter[str] = Counter()
    for number in range(numbers(1, RUNS[database])):
        folder = tmp_path / str(number)
        folder.mkdir()
        verdict = await run(folder, seed=seed + number, kills=kills, moves=moves, database=database)
        print(verdict)
        assert verdict.wrong == []
        assert verdict.catch_up_s is not None
        assert verdict.kills >= kills
        assert verdict.counts["ok"] >= moves
        counts.update(verdict.counts)
        counts.update(verdict.faults)
    print(dict(counts))
    # (k) The faults really happened, and they really hit.
    assert counts["unknown"] >= (counts["kill"] + counts["term"]) // 2
    assert counts["gaps"] >= 1
    if database == "postgres":
        assert all(counts[fault] for fault in SERVICE_FAULTS)
    assert counts["cuts"] >= 1
    assert counts["bytes lost"] >= 1
    assert counts["doubled"] >= counts["ok"] * 0.05
    assert counts["two tabs"] >= counts["ok"] * 0.01


@pytest.mark.skipif(not RELEASE, reason="negative controls run with --release")
@pytest.mark.timeout(1800)
@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize(
    ("sabotage", "database", "caught"),
    [
        pytest.param("ack_before_commit", "sqlite", "(a)", id="acknowledged before the commit"),
        pytest.param("no_guard", "postgres", "(d)", id="no guard", marks=pytest.mark.services),
        pytest.param(
            "late_to_disk",
            "postgres",
            "(a)",
            id="commits that are not on the disk",
            marks=pytest.mark.services,
        ),
        pytest.param(
            "no_heartbeat", "postgres", "(f)", id="no heartbeat", marks=pytest.mark.services
        ),
    ],
)
async def test_harness_catches_a_broken_program(
    sabotage: str, database: str, caught: str, seed: int, tmp_path: Path
) -> None:
    verdict = await run(
        tmp_path, seed=seed, kills=8, moves=1_000, database=database, sabotage=sabotage
    )

    print(verdict)
    assert any(caught in line for line in verdict.wrong)
