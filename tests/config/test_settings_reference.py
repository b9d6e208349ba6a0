"""The page of settings names every variable that is read, and no other."""

from __future__ import annotations

import re

from tests.site import ROOT

VARIABLE = re.compile(r"\b(?:CIVIC_[A-Z_]+|DATABASE_URL|REDIS_URL|DJANGO_SETTINGS_MODULE)\b")


def read_in_code() -> set[str]:
    """Names in quotes: in settings, launcher and the frame of the tests."""
    files = [*(ROOT / "config").rglob("*.py"), *(ROOT / "launcher").glob("*.py")]
    files += [ROOT / "tests" / "conftest.py"]
    quoted = re.compile(rf"[\"']({VARIABLE.pattern})[\"']")
    return {name for file in files for name in quoted.findall(file.read_text("utf-8"))}


def described() -> set[str]:
    """Names in the first column of the tables."""
    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    return {name for cell in rows for name in VARIABLE.findall(cell)}


def test_every_setting_is_described_and_every_described_one_is_read():
    assert described() == read_in_code()
