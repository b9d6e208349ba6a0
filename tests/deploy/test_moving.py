"""A site goes from SQLite to PostgreSQL with all it has, or stays where it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.launcher.programs import civic
from tests.services import Postgres, postgres
from tests.site import ROOT, site

pytestmark = [
    pytest.mark.services,
    pytest.mark.timeout(300),
    pytest.mark.xdist_group("moving"),  # the two places are made once
]

PLAY = "from tests.games import stage; stage.begin(2)"
COUNT = (
    "from games.models import MoveRecord; from classroom.models import Student, Teacher; "
    "print([m.objects.count() for m in (MoveRecord, Student, Teacher)], "
    "sorted(str(t.last_login or t.date_joined) if hasattr(t, 'date_joined') else t.email "
    "for t in Teacher.objects.all()))"
)

NAMES = (
    "from classroom.models import Teacher; "
    "print(ascii(sorted(Teacher.objects.values_list('name', flat=True))))"
)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Postgres]:
    """An empty PostgreSQL."""
    with postgres() as running:
        yield running


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site that was played on."""
    folder = tmp_path_factory.mktemp("played") / "data"
    with site(data=folder) as running:
        running.manage("shell", "-c", PLAY)
    return folder


def manage(folder: Path, url: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *words],
        cwd=ROOT,
        env=os.environ
        | {"CIVIC_DATA": str(folder), "DATABASE_URL": url}
        | {"DJANGO_SETTINGS_MODULE": "config.settings.production"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everything_moves_and_the_site_goes_on_there(cluster: Postgres, played: Path) -> None:
    url = cluster.create("moved")
    before = manage(played, "", "shell", "-c", COUNT)

    done = civic("move-to-postgresql", "--data", str(played), env={"DATABASE_URL": url})

    assert done.returncode == 0, done.stderr
    assert "2 matches checked, 0 of them wrong." in done.stdout
    assert manage(played, url, "shell", "-c", COUNT) == before
    # New rows get numbers of their own.
    manage(played, url, "shell", "-c", PLAY)
    assert "0 of them wrong" in manage(played, url, "check_matches")


def test_database_that_holds_accounts_is_left_alone(cluster: Postgres, played: Path) -> None:
    url = cluster.create("taken")
    manage(played, url, "migrate", "--verbosity", "0")
    manage(played, url, "shell", "-c", PLAY)
    before = manage(played, url, "shell", "-c", COUNT)

    done = civic("move-to-postgresql", "--data", str(played), env={"DATABASE_URL": url})

    assert done.returncode == 1
    assert "holds accounts already" in done.stderr
    assert manage(played, url, "shell", "-c", COUNT) == before


def test_without_the_address_of_the_new_one_nothing_happens(played: Path) -> None:
    done = civic("move-to-postgresql", "--data", str(played))

    assert done.returncode == 1
    assert "Set DATABASE_URL" in done.stderr


AWKWARD = (
    "from classroom.models import Teacher; "
    "Teacher.objects.create(email='a@b.example', name='قرية \U0001f41f %s')"
)


@pytest.mark.parametrize("word", ["", chr(92) + "0"], ids=["arabic", "nul"])
def test_what_postgresql_cannot_take_is_named_and_all_else_arrives(
    cluster: Postgres, played: Path, tmp_path: Path, word: str
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(played, folder)
    (folder / "media").mkdir(exist_ok=True)
    (folder / "media" / "boat.png").write_bytes(b"picture")
    manage(folder, "", "shell", "-c", AWKWARD % word)
    before = manage(folder, "", "shell", "-c", NAMES)
    kept = (folder / "civictable.sqlite3").read_bytes()
    url = cluster.create(f"awkward{len(word)}")

    done = civic("move-to-postgresql", "--data", str(folder), env={"DATABASE_URL": url})

    assert (folder / "civictable.sqlite3").read_bytes() == kept
    assert (folder / "media" / "boat.png").read_bytes() == b"picture"
    if word:
        assert done.returncode == 1
        assert "does not take a row of classroom_teacher" in done.stderr
        assert manage(folder, url, "shell", "-c", NAMES).splitlines()[-1] == "[]"
    else:
        assert done.returncode == 0, done.stderr
        assert manage(folder, url, "shell", "-c", NAMES) == before
