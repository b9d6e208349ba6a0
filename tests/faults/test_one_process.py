"""What may befall the program on one computer: an end in mid-start, a cut of power, no handles."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.faults.nemesis import web_process
from tests.faults.runs import SABOTAGE
from tests.games.live.test_processes import Player, _play, _player, _stage
from tests.site import ROOT, Running, site

DATABASE = "civictable.sqlite3"
TURN_S = 20


@pytest.fixture
def run() -> Iterator[Running]:
    """The real program."""
    with site() as running:
        yield running


async def _two(stack: AsyncExitStack, run: Running, stage: dict[str, Any]) -> list[Player]:
    return [await stack.enter_async_context(_player(run, stage, place)) for place in (0, 1)]


@pytest.mark.case("CF-13")
@pytest.mark.xdist_group("faults")
async def test_files_as_a_cut_of_power_leaves_them_hold_all_that_was_acknowledged(
    tmp_path: Path,
) -> None:
    """Copied while the program stands still at a moment that nobody chose, in two ways."""
    for folder, acknowledged in await _cuts_of_power(tmp_path):
        for left in ("all that was written", "what was forced to the disk"):
            whole, stored = _found_in(folder / left / DATABASE)
            assert (left, whole) == (left, "ok")
            assert (left, acknowledged - stored) == (left, set())


@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize("sabotage", ["synchronous_off", "synchronous_normal"])
async def test_commits_that_were_not_forced_to_the_disk_are_caught(
    tmp_path: Path, sabotage: str
) -> None:
    """Negative control: ``synchronous=OFF``, and ``NORMAL``."""
    missing = [
        acknowledged - _found_in(folder / "what was forced to the disk" / DATABASE)[1]
        for folder, acknowledged in await _cuts_of_power(tmp_path, sabotage, cuts=2)
    ]

    assert any(missing)


async def _cuts_of_power(
    folder: Path, sabotage: str = "", *, cuts: int = 6
) -> list[tuple[Path, set[str]]]:
    """Folders of what a cut leaves at some moments of a match, and what was acknowledged then."""
    forced = folder / "forced"
    forced.mkdir()
    found: list[tuple[Path, set[str]]] = []
    env = {"PYTHONPATH": str(SABOTAGE), "CIVIC_ON_DISK": str(forced), "CIVIC_SABOTAGE": sabotage}
    with site(env=env) as run:
        stage = _stage(run, "begin(1)")["classes"][0]
        async with AsyncExitStack() as stack:
            players = await _two(stack, run, stage)
            playing = asyncio.create_task(_play(players, 10_000))
            for number in range(cuts):
                await _acknowledged(players, 10 * (number + 1))
                await asyncio.sleep(random.Random(number).uniform(0, 0.3))
                pid = web_process(run.url)
                os.kill(pid, signal.SIGSTOP)
                run.until(lambda pid=pid: _stands_still(pid))
                assert (run.data / f"{DATABASE}-shm").exists()  # SQLite knows its files by name
                heard = {request for player in players for request in player.accepted}
                cut = folder / str(number)
                _copy(run.data, cut / "all that was written")
                _copy(forced, cut / "what was forced to the disk")
                os.kill(pid, signal.SIGCONT)
                found.append((cut, heard))
            playing.cancel()
    return found


async def _acknowledged(players: list[Player], moves: int) -> None:
    """Wait until so many were."""
    async with asyncio.timeout(120):
        while sum(len(player.accepted) for player in players) < moves:
            await asyncio.sleep(0.02)


def _copy(source: Path, target: Path) -> None:
    target.mkdir(parents=True)
    for name in (DATABASE, f"{DATABASE}-wal"):
        if (source / name).exists():
            shutil.copy(source / name, target / name)


def _found_in(database: Path) -> tuple[str, set[str]]:
    """What SQLite says of the file, and the requests that are in the log."""
    with sqlite3.connect(database) as line:
        (whole,) = line.execute("PRAGMA integrity_check").fetchone()
        stored = {row[0] for row in line.execute("SELECT request_id FROM games_moverecord")}
    return whole, stored


def _stands_still(pid: int) -> bool:
    """Whether each thread has stopped: the signal takes a moment."""
    states = [path.read_text("ascii") for path in Path(f"/proc/{pid}/task").glob("*/stat")]
    return all(state.rpartition(")")[2].split()[0] == "T" for state in states)


@pytest.mark.case("CF-03")
@pytest.mark.xdist_group("faults")
async def test_server_that_is_told_to_stop_sends_all_away_at_once(run: Running) -> None:
    stages = _stage(run, "begin(20)")["classes"]
    async with AsyncExitStack() as stack:
        players = [player for stage in stages for player in await _two(stack, run, stage)]
        for player in players:
            await player.next()
        start = time.monotonic()
        os.kill(web_process(run.url), signal.SIGTERM)
        codes = await asyncio.gather(*(_end_of(player) for player in players))

    assert set(codes) == {1012}
    assert time.monotonic() - start < 5


async def _end_of(player: Player) -> int | None:
    try:
        while True:
            await player.next(20)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


@pytest.mark.case("CF-15")
@pytest.mark.xdist_group("faults")
async def test_without_file_handles_nobody_comes_in_and_nobody_falls_out(run: Running) -> None:
    run.forgive("Too many open files")
    run.forgive("unable to open database file")
    first, other = _stage(run, "begin(2)")["classes"]
    async with AsyncExitStack() as stack:
        players = await _two(stack, run, first)
        await _play(players, 6)
        pid = web_process(run.url)
        before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        limit = await _first_that_is_free(pid)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (limit, before[1]))
        try:
            refused = 0
            for _time in range(3):
                try:
                    async with asyncio.timeout(2), _player(run, other, 0):
                        pass
                except (OSError, TimeoutError, WebSocketException):
                    refused += 1
            await _play(players, players[0].board["version"] + 6)
        finally:
            resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        async with asyncio.timeout(30):
            newcomers = await _two(stack, run, other)
            await _play(newcomers, 6)

    assert refused == 3
    assert players[0].board["version"] >= 12


async def _first_that_is_free(pid: int) -> int:
    """The lowest number that no handle has for long: below it there is room for no other."""
    for_long = set(range(10_000))
    for _look in range(20):
        for_long &= {int(path.name) for path in Path(f"/proc/{pid}/fd").iterdir()}
        await asyncio.sleep(0.02)
    return next(number for number in itertools.count() if number not in for_long)


@pytest.mark.case("CF-04")
@pytest.mark.xdist_group("faults")
async def test_server_that_stood_still_for_longer_than_a_turn_ends_that_turn_alone(
    run: Running,
) -> None:
    stage = _stage(run, f"begin(1, decision_limit_s={TURN_S})")["classes"][0]
    async with AsyncExitStack() as stack:
        for player in await _two(stack, run, stage):
            await player.next()
    before = len(_stage(run, f"log_of({stage['match']!r})")["records"])
    pid = web_process(run.url)
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(1.5 * TURN_S)
    os.kill(pid, signal.SIGCONT)

    async with AsyncExitStack() as stack:
        players = await _two(stack, run, stage)
        async with asyncio.timeout(12):
            for player in players:
                while player.board.get("version", 0) <= before:
                    await player.next()
        asked = [player.board["decision"] for player in players if player.board["decision"]]

    answers = [tuple(one) for one in _stage(run, f"answers_of({stage['match']!r})")["answers"]]
    assert len(answers) == len({(seat, decision) for _kind, seat, decision in answers})
    assert [kind for kind, _seat, _decision in answers] == ["timeout"]
    assert [one["deadline_ms"] > 500 * TURN_S for one in asked] == [True]
    assert "0 of them wrong" in run.manage("check_matches")


@pytest.mark.case("CF-02")
@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize("after_s", [0.6, 1.5, 2.5, 3.5])
def test_first_start_that_is_killed_is_made_good_by_the_next(
    tmp_path: Path, after_s: float
) -> None:
    """In the middle of migrations, starter content, or the first link."""
    folder = tmp_path / "data"
    command = [sys.executable, "civic.py", "--port", "0", "--data", str(folder)]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("CIVIC_", "DJANGO_"))}
    killed = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(after_s)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()

    with site(data=folder) as running:
        assert running.first_link()
        assert "0 of them wrong" in running.manage("check_matches")


@pytest.mark.case("CF-12")
@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize("harm", ["no database", "torn page"])
def test_database_that_is_damaged_is_told_in_words(tmp_path: Path, harm: str) -> None:
    folder = tmp_path / "data"
    with site(data=folder) as running:
        running.first_link()
    path = folder / DATABASE
    for beside in (f"{DATABASE}-wal", f"{DATABASE}-shm"):
        (folder / beside).unlink(missing_ok=True)
    content = bytearray(path.read_bytes())
    content[0 if harm == "no database" else 4096 : 12_288] = b"\x55" * 8_192
    path.write_bytes(content)

    done = subprocess.run(
        [sys.executable, "civic.py", "--data", str(folder)],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith(("CIVIC_", "DJANGO_"))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "Traceback" not in said
    assert "restore" in said
