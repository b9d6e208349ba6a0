"""Backup, restore, doctor, reset-link, update: the real program on real data."""

from __future__ import annotations

import sqlite3
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.launcher.programs import civic
from tests.site import Running, site

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("launcher-care")]

MAKE_TEACHER = "from classroom.models import Teacher; Teacher.objects.create_user('{}', name='Ana')"

# As on a disk with room for 200 KB: the database has more.
NO_ROOM = ("bash", "-c", 'ulimit -f 200; exec "$@"', "bash")


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A data folder of a site that ran once, with a teacher, a match and a picture."""
    folder = tmp_path_factory.mktemp("made") / "data"
    with site(data=folder) as run:
        run.manage("shell", "-c", MAKE_TEACHER.format("ana@school.example"))
        run.manage("shell", "-c", "from tests.games.stage import begin; begin(1)")
        (folder / "media" / "pictures").mkdir(exist_ok=True)
        (folder / "media" / "pictures" / "1.webp").write_bytes(b"picture")
    return folder


@pytest.fixture(scope="module")
def saved(made: Path, tmp_path_factory) -> Path:
    """A backup of it."""
    path = tmp_path_factory.mktemp("saved") / "site.zip"
    done = civic("backup", str(path), "--data", str(made))
    assert done.returncode == 0, done.stderr
    return path


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """A site that is open to the network, for tests that leave it as it is."""
    with site(options=("--lan",)) as run:
        yield run


def teachers(data: Path) -> list[str]:
    with sqlite3.connect(data / "civictable.sqlite3") as database:
        rows = database.execute(
            "SELECT email FROM classroom_teacher WHERE name = 'Ana' ORDER BY email"
        ).fetchall()
    database.close()
    return [row[0] for row in rows]


def test_backup_is_one_file_for_this_user_alone(saved):
    with zipfile.ZipFile(saved) as archive:
        names = sorted(archive.namelist())

    assert names == ["backup.json", "database.sqlite3", "media/pictures/1.webp", "secret_key"]
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600


@pytest.mark.case("CF-14")
def test_backup_during_play_holds_what_was_committed(running, tmp_path):
    running.manage("shell", "-c", MAKE_TEACHER.format("first@school.example"))
    path = tmp_path / "during.zip"

    done = civic("backup", str(path), "--data", str(running.data))
    running.manage("shell", "-c", MAKE_TEACHER.format("later@school.example"))

    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(path) as archive:
        archive.extract("database.sqlite3", tmp_path)
    (tmp_path / "database.sqlite3").rename(tmp_path / "civictable.sqlite3")
    assert teachers(tmp_path) == ["first@school.example"]


def test_backup_does_not_overwrite(saved, made):
    done = civic("backup", str(saved), "--data", str(made))

    assert done.returncode == 1
    assert done.stderr.strip() == f"There is a file {saved} already. Choose another name."


def test_backup_into_a_folder_gets_a_name_of_its_own(made, tmp_path):
    done = civic("backup", str(tmp_path), "--data", str(made))

    assert done.returncode == 0, done.stderr
    assert [path.suffix for path in tmp_path.iterdir()] == [".zip"]


def test_backup_without_room_says_so_and_leaves_nothing(made, tmp_path):
    path = tmp_path / "full.zip"

    done = civic("backup", str(path), "--data", str(made), by=NO_ROOM)

    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"The backup could not be written to {path} (" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.case("F26", "CF-14")
def test_restore_on_another_machine_brings_everything(saved, data, made):
    done = civic("restore", str(saved), "--data", str(data))

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == f"Restored from {saved}."
    assert done.stdout.splitlines()[-1] == "1 matches checked, 0 of them wrong."
    assert teachers(data) == ["ana@school.example"]
    assert (data / "media" / "pictures" / "1.webp").read_bytes() == b"picture"
    assert (data / "secret_key").read_text("ascii") == (made / "secret_key").read_text("ascii")
    assert stat.S_IMODE((data / "secret_key").stat().st_mode) == 0o600


@pytest.mark.case("F26")
def test_restore_names_matches_that_do_not_replay(saved, data, tmp_path):
    with zipfile.ZipFile(saved) as archive:
        archive.extractall(tmp_path)
    with sqlite3.connect(tmp_path / "database.sqlite3") as database:
        database.execute("UPDATE games_match SET state = replace(state, '0', '1')")
        (match,) = database.execute("SELECT id FROM games_match").fetchone()
    database.close()
    altered = tmp_path / "altered.zip"
    with zipfile.ZipFile(altered, "w") as archive:
        for name in ("backup.json", "database.sqlite3", "secret_key"):
            archive.write(tmp_path / name, name)

    done = civic("restore", str(altered), "--data", str(data))

    assert done.returncode == 1
    assert match in done.stdout.replace("-", "")
    assert done.stderr.strip().startswith("The data is restored, but the matches named above")


def test_restore_keeps_what_was_there(saved, data, tmp_path):
    civic("restore", str(saved), "--data", str(data))
    with sqlite3.connect(data / "civictable.sqlite3") as database:
        database.execute(
            "UPDATE classroom_teacher SET email = 'changed@school.example' WHERE name = 'Ana'"
        )
    database.close()

    done = civic("restore", str(saved), "--data", str(data))

    assert done.returncode == 0, done.stderr
    (before,) = (data / "backups").glob("before-restore-*.zip")
    assert f"What was here before is kept in {before}." in done.stdout
    assert teachers(data) == ["ana@school.example"]
    back = civic("restore", str(before), "--data", str(tmp_path / "back"))
    assert back.returncode == 0, back.stderr
    assert teachers(tmp_path / "back") == ["changed@school.example"]


@pytest.mark.case("PV-09")
def test_restore_brings_back_nobody_who_was_erased_since(saved, data):
    """In the place of the data in which they were erased; a class that was deleted comes back."""
    civic("restore", str(saved), "--data", str(data))
    with sqlite3.connect(data / "civictable.sqlite3") as database:
        database.execute("UPDATE classroom_student SET name = '' WHERE name = 'Ana'")
        database.execute("DELETE FROM classroom_lesson")
    database.close()

    done = civic("restore", str(saved), "--data", str(data))

    assert done.returncode == 0, done.stderr
    assert "Erased again, as they were here: 1 students." in done.stdout
    with sqlite3.connect(data / "civictable.sqlite3") as database:
        names = [row[0] for row in database.execute("SELECT name FROM classroom_student")]
        lessons = database.execute("SELECT count(*) FROM classroom_lesson").fetchone()
    database.close()
    assert sorted(names) == ["", "Ben"]
    assert lessons == (1,)


@pytest.mark.case("CF-12")
def test_restore_over_a_damaged_database(saved, data):
    civic("restore", str(saved), "--data", str(data))
    (data / "civictable.sqlite3").write_bytes(b"no database at all" * 100)

    done = civic("restore", str(saved), "--data", str(data))

    assert done.returncode == 0, done.stderr
    assert teachers(data) == ["ana@school.example"]
    assert len(list((data / "backups").glob("damaged-*.sqlite3"))) == 1


def test_restore_refuses_what_is_no_backup_and_changes_nothing(saved, data, tmp_path):
    civic("restore", str(saved), "--data", str(data))
    wrong = tmp_path / "wrong.zip"
    wrong.write_bytes(b"PK no zip")
    half = tmp_path / "half.zip"
    half.write_bytes(saved.read_bytes()[: saved.stat().st_size // 2])
    climbing = tmp_path / "climbing.zip"
    climbing.write_bytes(saved.read_bytes())
    with zipfile.ZipFile(climbing, "a") as archive:
        archive.writestr("media/../../outside", "x")

    for path in (wrong, half, climbing):
        done = civic("restore", str(path), "--data", str(data))

        assert done.returncode == 1
        assert "is no backup of Civic Table" in done.stderr
        assert "Traceback" not in done.stderr
    assert teachers(data) == ["ana@school.example"]
    assert not (tmp_path / "outside").exists()


def test_restore_refuses_a_backup_of_a_newer_program(saved, data, tmp_path):
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(newer, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "backup.json":
                content = content.replace(b'"0001_initial"', b'"9999_later"', 1)
            new.writestr(name, content)

    done = civic("restore", str(newer), "--data", str(data))

    assert done.returncode == 1
    assert "made by a newer program" in done.stderr


def test_restore_into_a_running_site_is_refused(running, saved):
    done = civic("restore", str(saved), "--data", str(running.data))

    assert done.returncode == 1
    assert done.stderr.strip() == (
        "Civic Table is running. End it with Ctrl-C, or its units with systemctl stop "
        "'civictable*', then restore."
    )


@pytest.mark.services
def test_backup_and_restore_of_postgresql(tmp_path):
    path = tmp_path / "site.zip"
    with site(database="postgres") as run:
        run.manage("shell", "-c", MAKE_TEACHER.format("ana@school.example"))
        run.manage("backup", str(path))
        run.manage("shell", "-c", MAKE_TEACHER.format("later@school.example"))
        run.stop()

        run.manage("restore", str(path))

        emails = "print(*Teacher.objects.values_list('email', flat=True))"
        kept = run.manage("shell", "-c", f"from classroom.models import Teacher; {emails}")
        assert kept.splitlines()[-1] == "ana@school.example"


def test_update_makes_a_backup_before_it_migrates(data, saved):
    civic("restore", str(saved), "--data", str(data))
    with site(data=data) as run:
        pass
    run.manage("migrate", "axes", "zero", "-v", "0")  # as if this program were newer
    with site(data=data):
        pass

    assert len(list((data / "backups").glob("before-update-*.zip"))) == 1
    assert teachers(data) == ["ana@school.example"]


def test_update_without_room_for_a_backup_changes_nothing(data, saved):
    civic("restore", str(saved), "--data", str(data))
    with site(data=data) as run:
        pass
    run.manage("migrate", "axes", "zero", "-v", "0")  # as if this program were newer

    done = civic("prepare", "--data", str(data), by=NO_ROOM)

    assert done.returncode == 1
    assert "The backup could not be written to" in done.stderr
    assert done.stderr.strip().endswith("Nothing was changed.")
    assert "[ ] 0001_initial" in run.manage("showmigrations", "axes")


def test_doctor_names_versions_pragmas_and_what_is_open_to_the_network(running):
    done = civic("doctor", "--data", str(running.data))

    assert done.returncode == 0, done.stdout + done.stderr
    port = running.url.rsplit(":", 1)[1]
    assert f"{'Running:':<14}{running.url}/" in done.stdout
    assert f"{'Ports:':<14}{port} (open to other devices at " in done.stdout
    assert "journal_mode=wal, synchronous=2, busy_timeout=3000" in done.stdout
    assert "SQLite 3." in done.stdout
    assert done.stdout.rstrip().endswith("No problems found.")


def test_doctor_finds_no_outward_port_unless_asked_for(data):
    with site(data=data) as run:
        done = civic("doctor", "--data", str(data))

    assert f"{'Ports:':<14}{run.url.rsplit(':', 1)[1]} (none outward)" in done.stdout


def test_reset_link_for_an_account_and_for_none(made):
    known = civic("reset-link", "ana@school.example", "--data", str(made))
    unknown = civic("reset-link", "nobody@school.example", "--data", str(made))

    assert known.returncode == 0, known.stderr
    assert "http://localhost:8000/accounts/invitation/" in known.stdout
    assert unknown.returncode == 1
    assert unknown.stderr.strip() == "No account has this e-mail address."


def test_verbs_for_a_site_that_is_not_there(data):
    for verb in (["backup"], ["reset-link", "a@b.example"]):
        done = civic(*verb, "--data", str(data))

        assert done.returncode == 1
        assert done.stderr.strip().startswith(f"There is no site in {data} yet.")
