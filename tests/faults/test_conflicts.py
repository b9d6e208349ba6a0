"""Deadlocks, waiting too long and transactions without an order, on a real PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services import postgres

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.services
@pytest.mark.case("CC-11")
def test_postgresql_that_ends_one_of_two_loses_and_halves_nothing() -> None:
    """The tests of both pages of conflicts, in a process of their own."""
    with postgres() as cluster:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
                *("tests/faults/conflicts.py", "tests/faults/conflicts_of_teachers.py"),
            ],
            cwd=ROOT,
            env=os.environ | {"DATABASE_URL": cluster.create("site")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        deadlocks = cluster.log.count("deadlock detected")

    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert deadlocks >= 25  # they were PostgreSQL's own
