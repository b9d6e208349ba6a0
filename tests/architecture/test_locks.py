"""Lock files pin every package by hash and name no place to fetch it from."""

from __future__ import annotations

import re

import pytest

from tests.architecture.sources import ROOT

LOCKS = ("requirements.txt", "requirements-dev.txt")
ADDRESSES_ALLOWED = re.compile(r'"(funding|url)"')  # npm: the packages' own home pages


@pytest.mark.case("SC-09")
@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_pinned_by_version_and_hash(lock):
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]

    assert len(lines) > 10
    assert [line for line in lines if "==" not in line or "--hash=sha256:" not in line] == []


def lock_files():
    names = {*LOCKS, "uv.lock", "pylock.toml", "package-lock.json", "poetry.lock", "Pipfile.lock"}
    return [
        path
        for path in ROOT.rglob("*")
        if path.name in names and not {".venv", "node_modules", "var"} & set(path.parts)
    ]


@pytest.mark.case("SC-09")
def test_no_lock_file_holds_an_address():
    found = [
        f"{path.name}:{number}"
        for path in lock_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "://" in line and not ADDRESSES_ALLOWED.search(line)
    ]

    assert found == []
