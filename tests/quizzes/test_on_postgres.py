"""The bank finds, saves and shares on PostgreSQL as it does on SQLite."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services import postgres

HERE = Path(__file__).parent
GAMES = HERE.parent / "games" / "services"
SERVICES = [
    *(
        HERE / "services" / f"test_{subject}.py"
        for subject in ("adding", "arranging", "editing", "sets", "tagging")
    ),
    HERE / "services" / "imports",
]


@pytest.mark.services
def test_rights_search_and_services_are_the_same_on_postgres() -> None:
    with postgres() as cluster:
        environment = {**os.environ, "DATABASE_URL": cluster.create("bank")}
        environment.pop("CIVIC_DATA", None)
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
                *(HERE / "test_access.py", HERE / "selectors" / "test_questions.py"),
                *(*SERVICES, GAMES / "test_question_decks.py"),
            ],
            cwd=HERE.parents[1],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    assert done.returncode == 0, done.stdout
