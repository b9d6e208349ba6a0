"""An update that is killed in the middle of its migrations; the next one finishes it."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.launcher.programs import civic
from tests.services import postgres
from tests.site import ROOT

pytestmark = [pytest.mark.case("CF-02"), pytest.mark.timeout(240)]

# As an older program left it; several of these steps make tables anew.
BACK = (("games", "0001"), ("quizzes", "0001"), ("classroom", "0001"), ("axes", "zero"))
MOMENTS = (0, 3, 6)  # migrations done when the next one is in the middle of its own
STAGE = "from tests.games import stage; stage.begin(2)"
STATE = """
import hashlib, json
from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from games.models import MoveRecord
made = connection.introspection
with connection.cursor() as cursor:
    tables = {
        name: [
            sorted(str(column[:2]) for column in made.get_table_description(cursor, name)),
            sorted(str(one["columns"]) for one in made.get_constraints(cursor, name).values()),
        ]
        for name in sorted(made.table_names(cursor))
    }
rows = {m._meta.label: m.objects.count() for m in apps.get_models() if m._meta.managed}
records = list(MoveRecord.objects.order_by("pk").values_list("pk", "kind", "data"))
digest = hashlib.sha256(json.dumps([tables, records], default=str).encode()).hexdigest()
kept = {k: rows[k] for k in ("games.MoveRecord", "games.Deck", "quizzes.Question")}
print("STATE", digest, kept, sorted(MigrationRecorder(connection).applied_migrations()))
"""


class Database:
    """A site's database, looked at from outside: SQLite's file or PostgreSQL's address."""

    def __init__(self, data: Path, url: str) -> None:
        self.data, self.url = data, url
        self.env = {"CIVIC_DATA": str(data)} | ({"DATABASE_URL": url} if url else {})

    def manage(self, *words: str) -> str:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("CIVIC_")}
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=clean | self.env | {"DJANGO_SETTINGS_MODULE": "config.settings.production"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def state(self) -> str:
        """Tables, what was played, and what the program believes to have done."""
        return self.manage("shell", "-c", STATE).partition("STATE")[2]

    @contextlib.contextmanager
    def onlooker(self) -> Iterator[Callable[[], tuple[int, bool]]]:
        """What tells how many migrations are done, and whether one is at work."""
        if self.url:
            with psycopg.connect(self.url, autocommit=True) as line:
                yield lambda: _asked_postgres(line)
        else:
            path = self.data / "civictable.sqlite3"
            line = sqlite3.connect(path, timeout=0, isolation_level=None)
            try:
                yield lambda: _asked_sqlite(line)
            finally:
                line.close()


def _asked_postgres(line: psycopg.Connection) -> tuple[int, bool]:
    (done,) = line.execute("SELECT count(*) FROM django_migrations").fetchone() or (0,)
    busy = line.execute(
        "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted "
        "AND relation IS NOT NULL AND pid <> pg_backend_pid()"
    ).fetchone()
    return done, bool(busy)


def _asked_sqlite(line: sqlite3.Connection) -> tuple[int, bool]:
    (done,) = line.execute("SELECT count(*) FROM django_migrations").fetchone()
    try:
        line.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return done, True
    line.execute("ROLLBACK")
    return done, False


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A site on which two matches were begun."""
    with contextlib.ExitStack() as stack:
        url = ""
        if request.param == "postgres":
            url = stack.enter_context(postgres()).create("site")
        made = Database(tmp_path / "data", url)
        made.manage("prepare")
        made.manage("shell", "-c", STAGE)
        yield made


def _kill_in_the_middle(database: Database, after: int) -> None:
    """Start an update; kill it, all of it, in a migration before which ``after`` were done."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("CIVIC_", "DJANGO_"))}
    with database.onlooker() as asked:
        before, _busy = asked()
        update = subprocess.Popen(
            [sys.executable, "civic.py", "prepare", "--data", str(database.data)],
            cwd=ROOT,
            env=clean | database.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        end = time.monotonic() + 60
        done, busy = asked()
        while not (busy and done >= before + after) and update.poll() is None:
            assert time.monotonic() < end
            time.sleep(0.0005)
            done, busy = asked()
        assert update.poll() is None, "the update was over before it could be killed"
        os.killpg(update.pid, signal.SIGKILL)
        update.wait()


def test_killed_update_is_finished_by_the_next_and_nothing_is_lost(database: Database) -> None:
    whole = database.state()
    for app, target in BACK:
        database.manage("migrate", app, target, "-v", "0")

    for after in MOMENTS:
        _kill_in_the_middle(database, after)
    done = civic("prepare", "--data", str(database.data), env=database.env)

    assert done.returncode == 0, done.stderr
    assert database.state() == whole
    assert "2 matches checked, 0 of them wrong" in database.manage("check_matches")
    # Each try kept what was there before it.
    kept = list((database.data / "backups").glob("before-update-*.zip"))
    assert kept
    assert f"What was there before is kept in {max(kept)}." in done.stdout
