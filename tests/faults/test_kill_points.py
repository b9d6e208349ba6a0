"""The server ends at each point of a move, on purpose (QUALITY T3.3, CF-01)."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.players import Table
from tests.faults.runs import LINES_BREAK, SABOTAGE, play
from tests.site import site

pytestmark = LINES_BREAK
MOVES = 40  # acknowledged after it is back
BACK_S = 120.0


class Death:
    """Waits for the end that ``sabotage`` brings, and until play has gone on after it."""

    kills = 1

    def __init__(self, mark: Path, table: Table) -> None:
        self._mark = mark
        self._table = table
        self.done: Counter[str] = Counter()

    async def rage(self) -> None:
        """Once."""
        async with asyncio.timeout(BACK_S):
            while not self._mark.exists():
                await asyncio.sleep(0.02)
            self.done["kill"] += 1
            wanted = self._table.counts["ok"] + MOVES
            while self._table.counts["ok"] < wanted:
                await asyncio.sleep(0.02)


@pytest.mark.case("CF-01")
@pytest.mark.timeout(400)
@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize(
    ("point", "told"),
    [
        ("before_write", False),
        ("in_transaction", False),
        ("after_commit", False),
        ("after_board", False),
        ("after_answer", True),
    ],
)
async def test_end_at_this_point_of_a_move_loses_and_doubles_nothing(
    point: str, told: bool, tmp_path: Path
) -> None:
    mark = tmp_path / "died"
    env = {
        "PYTHONPATH": str(SABOTAGE),
        "CIVIC_SABOTAGE": f"dies_{point}",
        "CIVIC_SABOTAGE_ONCE": str(mark),
    }
    histories = tmp_path / "histories"
    histories.mkdir()
    with site(env=env) as running:
        verdict = await play(
            running, histories, lambda _proxies, table: Death(mark, table), seed=3, matches=2
        )

    print(verdict)
    assert verdict.wrong == []
    assert verdict.catch_up_s is not None
    noted = [
        json.loads(line)
        for history in histories.iterdir()
        for line in history.read_text().splitlines()
    ]
    cut_off = set(mark.read_text().split())
    assert cut_off <= {line[1] for line in noted if line[0] == "ok"}  # at last, if not at once
    assert told or verdict.counts["unknown"] >= 1
