"""Which failures ``civic.py test`` tries a second time (docs/decisions/0016)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from launcher import checks

BROWSER = "tests/browser/test_desk.py::test_desk[chromium]"
START = "tests/launcher/test_start.py::test_busy_port"
KILLS = "tests/faults/test_kills.py::test_nothing_is_lost[sqlite]"
LEAKS = "tests/faults/test_leaks_live.py::test_no_word_too_many"
RULE = "tests/rules/corruption/test_dice.py::test_six_sides"


class Runs:
    """Stands for pytest: each run ends with the next code and leaves the names of what failed."""

    def __init__(self, root: Path, *codes: int, failed: Sequence[str]) -> None:
        self.root, self.codes, self.failed = root, list(codes), failed
        self.arguments: list[list[str]] = []

    def __call__(self, command: Sequence[str], env: dict[str, str]) -> int:
        self.arguments.append(list(command[3:]))
        path = self.root / checks.FAILED
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(dict.fromkeys(self.failed, True)), "utf-8")
        return self.codes.pop(0)


def run(
    monkeypatch: pytest.MonkeyPatch, root: Path, *codes: int, failed: Sequence[str]
) -> tuple[int, Runs]:
    runs = Runs(root, *codes, failed=failed)
    monkeypatch.setattr(checks, "ROOT", root)
    monkeypatch.setattr(checks, "_run", runs)
    return checks._pytest(Path("python"), ["tests"], {}), runs


@pytest.mark.parametrize("second", [0, 1])
def test_few_failures_against_a_clock_are_run_again_alone_and_that_counts(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    second: int,
) -> None:
    code, runs = run(monkeypatch, tmp_path, 1, second, failed=[START, BROWSER])

    assert code == second
    assert runs.arguments == [["tests", "--cache-clear"], [BROWSER, START]]
    said = "".join(capsys.readouterr())
    assert said.count(BROWSER) == (2 if second == 0 else 1)  # named at the end, if it passed


@pytest.mark.parametrize(
    "failed",
    [
        pytest.param([RULE], id="a rule"),
        pytest.param([KILLS], id="what must never happen"),
        pytest.param([LEAKS, BROWSER], id="one of them is final"),
        pytest.param([f"{BROWSER}{number}" for number in range(4)], id="too many"),
        pytest.param([], id="names that are not known"),
    ],
)
def test_other_failures_are_final(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, failed: list[str]
) -> None:
    code, runs = run(monkeypatch, tmp_path, 1, failed=failed)

    assert (code, len(runs.arguments)) == (1, 1)


@pytest.mark.parametrize("code", [0, 2, 3, 5])
def test_nothing_is_run_again_without_a_failure_or_after_a_run_that_broke_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int
) -> None:
    ended, runs = run(monkeypatch, tmp_path, code, failed=[BROWSER])

    assert (ended, len(runs.arguments)) == (code, 1)


def test_folders_and_files_are_there() -> None:
    tests = [str(path.relative_to(checks.ROOT)) for path in checks.ROOT.glob("tests/*/test_*.py")]
    for name in (*checks.SECOND_TRY, *checks.NEVER_TWICE):
        assert any(test.startswith(name) for test in tests), name
