"""Where a program is missing its tests are skipped with the reason, or the run is refused."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.site import ROOT

QUIET = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--collect-only"]


def collect(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("CIVIC_")}
    clean = {key: value for key, value in clean.items() if not key.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=ROOT,
        env={**clean, **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def nothing_installed(tmp_path):
    """A search path on which there is no browser."""
    return {"PATH": str(tmp_path)}


def test_missing_browser_is_an_error_where_it_is_required(nothing_installed):
    env = nothing_installed | {"CIVIC_REQUIRE": "browser"}

    done = collect(env, "tests/browser/test_refused_address.py", *QUIET)

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "CIVIC_REQUIRE=browser: Chromium is not installed (apt install chromium)" in done.stderr


def test_missing_browser_is_skipped_with_its_reason(nothing_installed):
    done = collect(
        nothing_installed, "tests/browser/test_refused_address.py", "-q", "-p", "no:cacheprovider"
    )

    assert done.returncode == pytest.ExitCode.OK, done.stdout
    assert "Chromium is not installed (apt install chromium)" in done.stdout
