"""One file with everything a site knows: database and media (``civic.py backup``, ``restore``).

A backup is a zip with ``backup.json`` (what it is), the database, ``media/`` and
the secret key, without which students' codes and open links would be worth
nothing on another machine: it must be kept like the data itself. Made while
classes play: SQLite copies a consistent state by ``VACUUM INTO`` and never holds
up a move; PostgreSQL by ``pg_dump``.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from config import tables
from launcher import version

FORMAT = 1
KEEP_AUTOMATIC = 5
KEEP_FOUND = 2
_ABOUT = "backup.json"
_SQLITE = "database.sqlite3"
_DUMP = "database.dump"
_MEDIA = "media"
_KEY = "secret_key"


class BackupRefused(Exception):
    """Nothing was changed. The message says why and what to do."""


@dataclass(frozen=True)
class About:
    """What a backup says of itself."""

    made_at: str
    program: str
    vendor: str
    migrations: tuple[tuple[str, str], ...]


# -- making ------------------------------------------------------------------------------------


def automatic(why: str) -> Path:
    """A backup that the program makes by itself; the oldest of its kind go. Returns its path."""
    folder = Path(settings.DATA) / "backups"
    folder.mkdir(exist_ok=True)
    path = write(folder / f"{why}-{_now():%Y%m%d-%H%M%S}.zip")
    for old in sorted(folder.glob(f"{why}-*.zip"))[:-KEEP_AUTOMATIC]:
        old.unlink()
    return path


def keep_as_found() -> Path | None:
    """Copy SQLite's files as a run left them that did not close them; None where one did.

    What that run had written last is in the log beside the database (``-wal``, or ``-journal``),
    and SQLite writes it into whatever database it lies beside. Where somebody has put another
    file into the place of the old one, that destroys it: so both are copied before.

    Raises:
        OSError: there is no room for the copy, or the folder cannot be written.
    """
    database = Path(settings.DATABASES["default"]["NAME"])
    logs = [Path(f"{database}{end}") for end in ("-wal", "-journal")]
    left = [log for log in logs if log.is_file() and log.stat().st_size]
    if not database.exists() or not left:
        return None
    folder = Path(settings.DATA) / "backups"
    folder.mkdir(exist_ok=True)
    kept = folder / f"found-{_now():%Y%m%d-%H%M%S}"
    part = folder / f".{kept.name}.part"
    try:
        part.mkdir(mode=0o700)
        for path in (database, *left):
            shutil.copy(path, part / path.name)
    except OSError:
        shutil.rmtree(part, ignore_errors=True)
        raise
    part.replace(kept)
    for old in sorted(folder.glob("found-*"))[:-KEEP_FOUND]:
        shutil.rmtree(old)
    return kept


def write(path: Path) -> Path:
    """Write a backup to a new file that only this user may read. Returns the path.

    Raises:
        BackupRefused: the file is there already or cannot be written, or there is no
            database yet.
    """
    if path.exists():
        raise BackupRefused(f"There is a file {path} already. Choose another name.")
    if not tables.are_there():
        raise BackupRefused(f"There is no site in {settings.DATA} yet, so nothing to back up.")
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as work:
            database = _dump(Path(work))
            part.touch(mode=0o600)
            with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(_ABOUT, json.dumps(_about(), indent=1))
                archive.write(database, database.name)
                if _key_file().exists():
                    archive.write(_key_file(), _KEY)
                _add_media(archive)
        part.replace(path)
    except (OSError, OperationalError) as exc:  # each says in its words that the disk is full
        part.unlink(missing_ok=True)
        why = exc.strerror if isinstance(exc, OSError) else exc
        raise BackupRefused(f"The backup could not be written to {path} ({why}).") from exc
    return path


def _about() -> dict[str, Any]:
    return {
        "format": FORMAT,
        "made_at": _now().isoformat(timespec="seconds"),
        "program": version(),
        "vendor": connection.vendor,
        "migrations": sorted(MigrationRecorder(connection).applied_migrations()),
    }


def _dump(work: Path) -> Path:
    if connection.vendor == "sqlite":
        target = work / _SQLITE
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(target)])
        _check_sqlite(target)
        return target
    target = work / _DUMP
    _postgres("pg_dump", "--format=custom", "--no-owner", f"--file={target}")
    return target


def _add_media(archive: zipfile.ZipFile) -> None:
    root = Path(settings.MEDIA_ROOT)
    for path in sorted(root.rglob("*")):
        if path.is_file():
            archive.write(path, f"{_MEDIA}/{path.relative_to(root).as_posix()}")


# -- reading -----------------------------------------------------------------------------------


def read_about(path: Path) -> About:
    """What the backup says of itself, after checking that this program can use it.

    Raises:
        BackupRefused: no backup, damaged, of another kind of database, or of a newer program.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if broken := archive.testzip():
                raise BackupRefused(f"The backup {path} is damaged at {broken}.")
            about = json.loads(archive.read(_ABOUT))
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile, KeyError, ValueError):
        raise BackupRefused(f"{path} is no backup of Civic Table.") from None
    if about["format"] != FORMAT:
        raise BackupRefused(
            f"The backup {path} was made by a newer program. Update this one first."
        )
    if about["vendor"] != connection.vendor:
        raise BackupRefused(
            f"The backup holds a {about['vendor']} database; this site runs on {connection.vendor}."
        )
    for name in names:
        if name not in {_ABOUT, _SQLITE, _DUMP, _KEY} and not _is_media(name):
            raise BackupRefused(f"{path} is no backup of Civic Table: it holds {name}.")
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    applied = tuple((str(app), str(name)) for app, name in about["migrations"])
    if unknown := [key for key in applied if key not in known]:
        raise BackupRefused(
            f"The backup {path} was made by a newer program ({unknown[0][0]} {unknown[0][1]}). "
            "Update this one first."
        )
    return About(about["made_at"], about["program"], about["vendor"], applied)


def _is_media(name: str) -> bool:
    path = PurePosixPath(name)
    return path.parts[:1] == (_MEDIA,) and ".." not in path.parts and not path.is_absolute()


def restore(path: Path) -> Path | None:
    """Put the backup in the place of this site's data. The site must not run.

    Returns where the data from before is kept, or None when there was none.

    Raises:
        BackupRefused: see ``read_about``; nothing has been changed then.
    """
    read_about(path)
    with tempfile.TemporaryDirectory(dir=settings.DATA) as name:
        work = Path(name)
        with zipfile.ZipFile(path) as archive:
            for member in archive.namelist():
                _unpack(archive, member, work)
        if (work / _SQLITE).exists():
            _check_sqlite(work / _SQLITE)
        before = _put_aside()
        _load(work)
        if (work / _KEY).exists():
            (work / _KEY).chmod(0o600)
            (work / _KEY).replace(_key_file())
        media = Path(settings.MEDIA_ROOT)
        shutil.rmtree(media, ignore_errors=True)
        (work / _MEDIA).mkdir(exist_ok=True)
        (work / _MEDIA).replace(media)
    return before


def _put_aside() -> Path | None:
    """Keep what is there now: as a backup, or as it is when it is too damaged for that."""
    try:
        return automatic("before-restore") if tables.are_there() else None
    except (DatabaseError, BackupRefused):
        if connection.vendor != "sqlite":
            raise
        connections.close_all()
        folder = Path(settings.DATA) / "backups"
        folder.mkdir(exist_ok=True)
        kept = folder / f"damaged-{_now():%Y%m%d-%H%M%S}.sqlite3"
        database = Path(settings.DATABASES["default"]["NAME"])
        for end in ("-wal", ""):
            if (path := Path(f"{database}{end}")).is_file():
                path.replace(f"{kept}{end}")
        return kept


def _key_file() -> Path:
    return Path(settings.DATA) / _KEY


def _unpack(archive: zipfile.ZipFile, name: str, work: Path) -> None:
    target = work / PurePosixPath(name)
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(name) as source, target.open("wb") as copy:
        shutil.copyfileobj(source, copy)


def _load(work: Path) -> None:
    if connection.vendor == "sqlite":
        connections.close_all()
        target = Path(settings.DATABASES["default"]["NAME"])
        for left in (f"{target}-wal", f"{target}-shm"):
            Path(left).unlink(missing_ok=True)
        (work / _SQLITE).chmod(0o600)
        (work / _SQLITE).replace(target)
        return
    with connection.cursor() as cursor:  # tables that the backup does not know must go as well
        cursor.execute("DROP SCHEMA public CASCADE")
        cursor.execute("CREATE SCHEMA public")
    connections.close_all()
    _postgres("pg_restore", "--no-owner", "--exit-on-error", str(work / _DUMP))


def _check_sqlite(path: Path) -> None:
    copy = sqlite3.connect(path)
    try:
        answer = copy.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.DatabaseError as exc:
        answer = str(exc)
    finally:
        copy.close()
    if answer != "ok":
        raise BackupRefused(f"The database in the backup is damaged: {answer}.")


def _postgres(program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's own programs on the site's database."""
    of = settings.DATABASES["default"]
    where = {
        "PGHOST": of["HOST"],
        "PGPORT": str(of["PORT"]),
        "PGUSER": of["USER"],
        "PGPASSWORD": of["PASSWORD"],
        **{f"PG{name.upper()}": value for name, value in settings.TLS_TO_DATABASE.items()},
    }
    try:
        done = subprocess.run(  # noqa: S603 - our own arguments
            [program, f"--dbname={of['NAME']}", *arguments],
            env={**os.environ, **where},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise BackupRefused(
            f"The program {program} is missing. On Debian and Ubuntu: "
            "sudo apt install postgresql-client"
        ) from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise BackupRefused(f"{program} failed: {said[-1]}")


def _now() -> datetime:
    return datetime.now(UTC)
