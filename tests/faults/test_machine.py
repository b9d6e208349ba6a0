"""Every order of joining, leaving, moving, waiting and taking back keeps the match whole (T4)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from games import catalog
from tests.conftest import RELEASE
from tests.faults.machine import play_at_the_table
from tests.rules.lanterns.game import LANTERNS
from tests.services import postgres

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.case(
    *("WS-11", "WS-12", "WS-13", "WS-15", "WS-16", "WS-17"),
    *("CC-01", "CC-02", "CC-03", "CC-06", "CC-07", "CC-14", "AZ-18"),
)
@pytest.mark.timeout(7200 if RELEASE else 600)
def test_match_stays_whole_whatever_happens_in_whatever_order(
    transactional_db: None,
    monkeypatch: pytest.MonkeyPatch,
    numbers: Callable[[int, int], int],
) -> None:
    monkeypatch.setitem(catalog.GAMES, "lanterns", LANTERNS)

    play_at_the_table(runs=numbers(20, 400), acts=numbers(40, 50))


@pytest.mark.services
@pytest.mark.case("CC-01", "CC-03", "CC-14")
@pytest.mark.timeout(7200 if RELEASE else 900)
def test_machine_and_races_on_postgresql() -> None:
    """The same tests once more, in a process of their own on the other database."""
    with postgres() as cluster:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
                "tests/faults/test_races.py",
                f"{__file__}::{test_match_stays_whole_whatever_happens_in_whatever_order.__name__}",
            ],
            cwd=ROOT,
            env=os.environ | {"DATABASE_URL": cluster.create("site")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    assert done.returncode == 0, done.stdout + done.stderr
    assert " skipped" not in done.stdout
