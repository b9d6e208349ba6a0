"""What every test may ask for, and what happens where a program is missing.

``CIVIC_REQUIRE=browser,services`` makes a missing Chromium, PostgreSQL or Redis
an error; otherwise its tests are skipped with the reason. ``CIVIC_RELEASE=1``
(``civic.py test --release``) asks for the large numbers.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hypothesis
import pytest
from django.utils import translation

from config.translations import compile_changed
from tests.services import Missing, nginx_program, postgres_programs, redis_program

REQUIRED = {word for word in os.environ.get("CIVIC_REQUIRE", "").split(",") if word}
RELEASE = os.environ.get("CIVIC_RELEASE") == "1"

# Deadlines judge the machine, not the code; the machine is shared.
hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.register_profile("release", deadline=None, max_examples=2_000)
hypothesis.settings.load_profile("release" if RELEASE else "suite")


def pytest_configure() -> None:
    """Sentences are compiled before the first test asks for one; sites do it when they start."""
    for root in (Path("locale"), Path("config", "wording")):
        compile_changed(Path(__file__).parent.parent / root)


@pytest.fixture(autouse=True)
def _language_of_the_site() -> Iterator[None]:
    """A page that a test asked for in Arabic leaves its thread in Arabic: the next begins anew."""
    yield
    translation.deactivate()


def chromium() -> str:
    """The system's Chromium.

    Raises:
        Missing: there is none.
    """
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise Missing("Chromium is not installed (apt install chromium)")


def _services() -> None:
    postgres_programs()
    redis_program()


NEEDS: dict[str, Callable[[], object]] = {
    "browser": chromium,
    "services": _services,
    "nginx": nginx_program,
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests by their folder; skip what cannot run here, or refuse to."""
    folder = Path(__file__).parent / "browser"
    for item in items:
        if item.path.is_relative_to(folder):
            item.add_marker("browser")
    for need, look in NEEDS.items():
        try:
            look()
        except Missing as missing:
            if need in REQUIRED:
                raise pytest.UsageError(f"CIVIC_REQUIRE={need}: {missing}") from None
            for item in items:
                if item.get_closest_marker(need):
                    item.add_marker(pytest.mark.skip(reason=str(missing)))


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Playwright drives the system's Chromium; it may not talk to anybody."""
    return {
        "executable_path": chromium(),
        "args": [
            "--disable-quic",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--disable-dev-shm-usage",
        ],
    }


@pytest.fixture(scope="session")
def numbers() -> Callable[[int, int], int]:
    """``numbers(few, many)``: few in the daily run, many with ``--release``."""
    return lambda few, many: many if RELEASE else few


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder of this test's own."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Misses are counted by the minute; none ends in the middle of the test."""
    monkeypatch.setattr("classroom.throttle.time", SimpleNamespace(time=lambda: 1_700_000_000.0))
