"""The libraries come from the locks, once, also without internet."""

from __future__ import annotations

import hashlib
import subprocess
import zipfile
from pathlib import Path

import pytest

from launcher import Stop
from launcher.environment import Environment

WHEEL = "tiny-1.0-py3-none-any.whl"


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder with one library in it."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        wheel.writestr("tiny.py", "SIZE = 1\n")
        info = "tiny-1.0.dist-info"
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        wheel.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr(f"{info}/RECORD", f"tiny.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n")
    return folder


@pytest.fixture
def environment(tmp_path: Path, wheels: Path, monkeypatch) -> Environment:
    """A project that locks that library; no index can be reached."""
    for name, value in {
        "PIP_NO_INDEX": "1",
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_FIND_LINKS": "",
        "UV_OFFLINE": "1",
        "UV_NO_CACHE": "1",
    }.items():
        monkeypatch.setenv(name, value)
    root = tmp_path / "project"
    root.mkdir()
    digest = hashlib.sha256((wheels / WHEEL).read_bytes()).hexdigest()
    (root / "requirements.txt").write_text(f"tiny==1.0 --hash=sha256:{digest}\n", encoding="ascii")
    (root / "requirements-uv.txt").write_text("", encoding="ascii")
    return Environment(folder=root / ".venv", root=root)


def imports(python: Path, module: str) -> bool:
    done = subprocess.run([str(python), "-c", f"import {module}"], check=False, capture_output=True)
    return done.returncode == 0


def test_installs_from_a_folder_and_remembers_the_lock(environment, wheels):
    python = environment.ensure(wheels=wheels)
    made = python.lstat().st_mtime_ns
    again = environment.ensure()  # nothing to do: no folder, no internet needed

    assert imports(python, "tiny")
    assert again == python
    assert again.lstat().st_mtime_ns == made


def test_changed_lock_is_installed_again(environment, wheels):
    environment.ensure(wheels=wheels)
    lock = environment.root / "requirements.txt"
    lock.write_text(lock.read_text(encoding="ascii") + "absent==1.0 --hash=sha256:00\n", "ascii")

    with pytest.raises(Stop, match="does not hold all libraries"):
        environment.ensure(wheels=wheels)


def test_library_that_does_not_match_its_hash_is_refused(environment, wheels):
    with zipfile.ZipFile(wheels / WHEEL, "a") as wheel:
        wheel.writestr("tiny_evil.py", "")

    with pytest.raises(Stop):
        environment.ensure(wheels=wheels)


def test_without_internet_the_sentence_names_the_way_round(environment):
    with pytest.raises(Stop) as stop:
        environment.ensure()

    assert "run python3 civic.py wheels DIR, bring DIR here" in str(stop.value)
    assert "\n" not in str(stop.value)


def test_folder_that_is_not_there(environment, tmp_path):
    with pytest.raises(Stop, match="There is no folder"):
        environment.ensure(wheels=tmp_path / "nowhere")


def test_environment_that_no_longer_works_is_made_afresh(environment, wheels):
    python = environment.ensure(wheels=wheels)
    python.unlink()
    python.write_text("no program", encoding="ascii")

    assert imports(environment.ensure(wheels=wheels), "tiny")


def test_download_fills_a_folder(environment, wheels, tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))

    number = environment.download(tmp_path / "stick")

    assert number == 1
    assert (tmp_path / "stick" / WHEEL).exists()
