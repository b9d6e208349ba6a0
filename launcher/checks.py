"""``test`` and ``lint``: what must hold before a change goes in."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from launcher import ROOT, Stop
from launcher.environment import Environment, say
from launcher.machine import may_install

CODE = ("config", "classroom", "quizzes", "games", "launcher")

# Tests of real programs against a clock may be run a second time (docs/decisions/0016) …
SECOND_TRY = ("tests/browser/", "tests/deploy/", "tests/faults/", "tests/launcher/")
SECOND_TRIES = 3
# … but not those that look by chance for what must never happen: once found is found.
NEVER_TWICE = tuple(
    f"tests/faults/test_{name}" for name in ("conflicts", "kills", "leaks", "machine", "races")
)
FAILED = Path(".pytest_cache/v/cache/lastfailed")  # names of tests, kept by pytest


def run_tests(*, release: bool = False, wheels: Path | None = None) -> int:
    """Run everything but the browser tests, then those. Returns the worse exit code.

    Two runs, because Playwright and asyncio tests cannot share a process.
    """
    python = Environment().ensure(tests=True, wheels=wheels)
    if may_install():
        install_missing()
    env = {**os.environ, **({"CIVIC_RELEASE": "1"} if release else {})}
    env.pop("DJANGO_SETTINGS_MODULE", None)
    parallel = ["tests", "-n", "2", "--dist", "loadgroup"]
    rest = _pytest(python, [*parallel, "--ignore", "tests/browser"], env)
    browser = _pytest(python, ["tests/browser"], {**env, "DJANGO_ALLOW_ASYNC_UNSAFE": "true"})
    return max(rest, browser)


def _pytest(python: Path, arguments: Sequence[str], env: dict[str, str]) -> int:
    """Run tests; a few failures of those against a clock are run again, alone, and told."""
    pytest = [str(python), "-m", "pytest"]
    code = _run([*pytest, *arguments, "--cache-clear"], env)
    again = _second_try() if code == 1 else []
    if not again:
        return code
    names = "".join(f"\n  {name}" for name in again)
    say(f"— These failed. Once more, alone, as they are tests against a clock:{names}")
    code = _run([*pytest, *again], env)
    if code == 0:
        say(f"— Passed at the second try only, see their first failures above:{names}")
    return code


def _second_try() -> list[str]:
    """The tests that failed, where all of them may be run again."""
    path = ROOT / FAILED
    failed = sorted(json.loads(path.read_text("utf-8"))) if path.exists() else []
    if len(failed) > SECOND_TRIES:
        return []
    if all(name.startswith(SECOND_TRY) and not name.startswith(NEVER_TWICE) for name in failed):
        return failed
    return []


def run_lint(python: Path) -> int:
    """Run every check that needs no running site. Returns 0 when all are clean."""
    tools = python.parent
    manage = [str(python), "manage.py"]
    steps: list[tuple[list[str], dict[str, str]]] = [
        ([str(tools / "ruff"), "check"], {}),
        ([str(tools / "ruff"), "format", "--check"], {}),
        ([str(tools / "lint-imports")], {}),
        ([str(tools / "mypy"), *CODE], {}),
        ([*manage, "makemigrations", "--check", "--dry-run"], {}),
        ([*manage, "check", "--deploy", "--fail-level", "WARNING"], {"CIVIC_HTTPS": "1"}),
        ([*manage, "check", "--deploy", "--fail-level", "WARNING"], {"CIVIC_HTTPS": "0"}),
        ([*manage, "translations", "--check"], {}),
    ]
    failed = 0
    for command, extra in steps:
        name = " ".join([Path(command[0]).name, *command[1:]])
        say(f"— {name}")
        failed |= bool(_run(command, {**os.environ, **extra}))
    return failed


def run_bench(names: Sequence[str], *, wheels: Path | None = None) -> int:
    """Run the named programs of ``bench/`` one after the other; list them when none is named.

    Raises:
        Stop: there is none of that name.
    """
    there = sorted(path.stem for path in (ROOT / "bench").glob("*.py") if path.stem[0] != "_")
    for name in names:
        if name not in there:
            raise Stop(f"There is no bench {name}. There are: {', '.join(there)}.")
    if not names:
        for name in there:
            say(name)
        return 0
    python = Environment().ensure(tests=True, wheels=wheels)
    return max(_run([str(python), "-m", f"bench.{name}"], dict(os.environ)) for name in names)


def install_missing() -> None:
    """Install what the tests drive and this system lacks: browser, PostgreSQL, Redis, nginx …"""
    missing = [
        package
        for package, there in (
            ("chromium", shutil.which("chromium") or shutil.which("chromium-browser")),
            ("postgresql", any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))),
            ("redis-server", shutil.which("redis-server")),
            ("gettext", shutil.which("xgettext")),
            ("nginx", shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")),
            ("openssl", shutil.which("openssl")),
        )
        if not there
    ]
    if not missing:
        return
    say(f"Installing for the tests: {', '.join(missing)} …")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _run(["apt-get", "update", "-qq"], env)
    for package in missing:  # one by one: what cannot be had is reported by the tests
        _run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", package], env)


def _run(command: Sequence[str], env: dict[str, str]) -> int:
    return subprocess.run(
        command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, check=False
    ).returncode
