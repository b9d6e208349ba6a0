"""SQLite's files as people and crashes leave them: told in words, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.launcher.programs import civic
from tests.site import site

pytestmark = pytest.mark.case("CF-12")

DATABASE = "civictable.sqlite3"
WAL = f"{DATABASE}-wal"
# Root may write everything; without this he may what others may.
AS_ANYBODY = (
    ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
)
CUT_OFF = "The last run was cut off."


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site that was ended."""
    folder = tmp_path_factory.mktemp("ended") / "data"
    civic("prepare", "--data", str(folder))
    return folder


@pytest.fixture
def data(ended: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(ended, tmp_path / "data"))


def questions(database: Path) -> list[tuple[object, ...]]:
    """Something that every site has from its start, and that no start changes."""
    connection = sqlite3.connect(database)
    try:
        return connection.execute("SELECT * FROM quizzes_questionversion ORDER BY id").fetchall()
    finally:
        connection.close()


def log_of(database: Path, *statements: str) -> bytes:
    """What lies beside a database while this has been written and the run has not ended."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    for statement in statements:
        connection.execute(statement)
    written = Path(f"{database}-wal").read_bytes()
    connection.close()
    return written


def random_bytes(data: Path) -> None:
    (data / WAL).write_bytes(os.urandom(40_000))
    (data / f"{DATABASE}-shm").write_bytes(os.urandom(32_768))


def half_a_transaction(data: Path) -> None:
    """The write-ahead log of this database, cut off in the middle of what was written last."""
    other = shutil.copy(data / DATABASE, data.parent / "other")
    log = log_of(Path(other), "UPDATE quizzes_questionversion SET number = number + 1000")
    (data / WAL).write_bytes(log[: len(log) // 2])


@pytest.mark.parametrize("leave", [random_bytes, half_a_transaction])
def test_what_is_no_whole_log_changes_nothing(data: Path, leave: Callable[[Path], None]) -> None:
    before = questions(data / DATABASE)
    leave(data)

    done = civic("prepare", "--data", str(data))

    assert done.returncode == 0, done.stderr
    assert before
    assert questions(data / DATABASE) == before
    assert CUT_OFF in done.stdout


def test_log_of_another_database_destroys_nothing(data: Path) -> None:
    """Somebody copied an old file over the one of a site that had crashed."""
    log = log_of(
        data.parent / "other",
        "CREATE TABLE other (x)",
        "INSERT INTO other WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        "WHERE i < 2000) SELECT hex(randomblob(50)) FROM n",
    )
    whole = (data / DATABASE).read_bytes()
    before = questions(data / DATABASE)
    (data / WAL).write_bytes(log)

    done = civic("prepare", "--data", str(data))
    again = civic("prepare", "--data", str(data))

    (found,) = (data / "backups").glob("found-*")
    assert done.returncode == again.returncode == 1
    assert done.stderr.strip() == (
        "The database is damaged. Restore the newest backup: python3 civic.py restore FILE. "
        f"What is there now is kept in {found}."
    )
    assert (found / DATABASE).read_bytes() == whole
    assert (found / WAL).read_bytes() == log
    assert (found.stat().st_mode & 0o777) == 0o700
    (data / WAL).unlink(missing_ok=True)
    shutil.copy(found / DATABASE, data / DATABASE)
    assert civic("prepare", "--data", str(data)).returncode == 0
    assert questions(data / DATABASE) == before


@pytest.mark.parametrize("name", [DATABASE, WAL])
def test_file_that_may_not_be_written_is_told_before_anything_is_tried(
    data: Path, name: str
) -> None:
    (data / WAL).write_bytes(log_of(data / DATABASE, "CREATE TABLE later (x)"))
    path = data / name
    path.chmod(0o444)
    before = {file.name: file.read_bytes() for file in data.glob(f"{DATABASE}*")}

    done = civic("prepare", "--data", str(data), by=AS_ANYBODY)

    assert done.returncode == 1
    assert done.stderr.strip() == (
        f"The file {path} cannot be written. Give it to the user who starts Civic Table, and "
        "start again. Nothing was changed."
    )
    assert {file.name: file.read_bytes() for file in data.glob(f"{DATABASE}*")} == before


def test_no_more_than_two_copies_are_kept_and_none_of_a_run_that_ended(data: Path) -> None:
    said = [civic("prepare", "--data", str(data)).stdout]
    for old in ("found-20260101-000000", "found-20260102-000000"):
        (data / "backups" / old).mkdir(parents=True)
    random_bytes(data)
    said.append(civic("prepare", "--data", str(data)).stdout)

    assert [CUT_OFF in one for one in said] == [False, True]
    kept = sorted(path.name for path in (data / "backups").glob("found-*"))
    assert kept[0] == "found-20260102-000000"
    assert len(kept) == 2


@pytest.mark.services
def test_database_server_that_is_not_there_is_told_in_words(tmp_path: Path) -> None:
    done = civic(
        *("prepare", "--data", str(tmp_path)),
        env={"DATABASE_URL": "postgresql://civictable:letters@127.0.0.1:9/civictable"},
    )

    assert done.returncode == 1
    assert done.stderr.strip().startswith("The database of DATABASE_URL does not answer (")
    assert "letters" not in done.stderr


def test_site_that_is_started_after_a_crash_says_so(data: Path) -> None:
    random_bytes(data)

    with site(data=data) as running:
        running.first_link()

        assert CUT_OFF in running.output
