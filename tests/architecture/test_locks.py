"""Lock files pin every package by hash and name no place to fetch it from."""

from __future__ import annotations

import re

import pytest
from packaging.version import Version

from tests.architecture.sources import ROOT

LOCKS = ("requirements.txt", "requirements-dev.txt")
ADDRESSES_ALLOWED = re.compile(r'"(funding|url)"')  # npm: the packages' own home pages

# The first versions without a known hole of the kind that would reach us.
FLOORS = {
    "celery": "5.2.2",  # CVE-2021-23727: results that run commands
    "cryptography": "44.0.1",  # CVE-2024-12797
    "django": "5.2.9",  # CVE-2025-64459 and CVE-2025-13372: SQL injection
    "django-allauth": "65.13.0",  # CVE-2025-65430: tokens of accounts that were shut
    "h11": "0.16.0",  # CVE-2025-43859: requests smuggled in chunks
    "idna": "3.7",  # CVE-2024-3651: names that cost minutes
    "pillow": "11.3.0",  # CVE-2025-48379: a picture that writes beyond its buffer
    "pyyaml": "5.4",  # CVE-2020-14343: documents that run code
    "redis": "4.5.4",  # CVE-2023-28859: answers that come to somebody else
    "sqlparse": "0.5.0",  # CVE-2024-4340: statements nested too deeply
}


@pytest.mark.case("SC-09")
def test_no_lock_goes_back_behind_a_known_hole():
    locked = {
        name: Version(version)
        for lock in LOCKS
        for name, version in re.findall(
            r"^([a-z0-9-]+)==([^ ;\\]+)", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE
        )
    }

    assert {name for name in FLOORS if name not in locked} == set()
    assert [name for name, floor in FLOORS.items() if locked[name] < Version(floor)] == []


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
