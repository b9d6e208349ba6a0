"""A disk that is full refuses moves kindly, loses none, and is forgotten when there is room."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.players import Table
from tests.faults.runs import play
from tests.site import answers, site

DISK_MIB = 64
MOVES = 60  # before, and after
REFUSALS = 10


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"a disk can only be made by root: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


class FullDisk:
    """Plays, fills the disk to its last byte, waits for refusals, makes room, plays on."""

    kills = 0

    def __init__(self, disk: Path, table: Table, url: str) -> None:
        self._ballast = disk / "ballast"
        self._table = table
        self._url = url
        self.done: Counter[str] = Counter()

    async def rage(self) -> None:
        """Once is enough."""
        await self._until("ok", MOVES)
        await asyncio.to_thread(self._fill)
        await self._until("refused busy", REFUSALS)
        self.done["disk full"] += 1
        self.done["answers although full"] += answers(self._url)
        stored = self._table.counts["ok"]
        await asyncio.sleep(2)
        self.done["acknowledged although full"] = self._table.counts["ok"] - stored
        self._ballast.unlink()
        await self._until("ok", self._table.counts["ok"] + MOVES)

    async def _until(self, what: str, number: int) -> None:
        async with asyncio.timeout(90):
            while self._table.counts[what] < number:
                await asyncio.sleep(0.05)

    def _fill(self) -> None:
        with self._ballast.open("wb", buffering=0) as file:
            for piece in (2**20, 2**12, 1):
                try:
                    while True:
                        file.write(os.urandom(piece))
                except OSError:
                    continue


@pytest.mark.case("CF-11")
@pytest.mark.timeout(300)
@pytest.mark.xdist_group("faults")
async def test_full_disk_refuses_moves_and_loses_none(disk: Path, tmp_path: Path) -> None:
    with site(data=disk / "data") as running:
        running.forgive("")  # the logs break off where the disk was full

        verdict = await play(
            running,
            tmp_path,
            lambda _proxies, table: FullDisk(disk, table, running.url),
            seed=1,
            matches=2,
        )

    print(verdict)
    assert verdict.wrong == []
    assert verdict.catch_up_s is not None
    assert verdict.faults["disk full"] == 1
    assert verdict.faults["answers although full"] == 1
    assert verdict.faults["acknowledged although full"] <= 2  # a last page had room
    assert verdict.counts["ok"] >= 2 * MOVES
