"""Whether the server grows with each move while a match is watched (P5: it may not).

    python -m bench.growth --moves 20000

In each match two students play Corruption! over their sockets, ``--rate`` moves a second, since
a socket that says more than a browser would is closed. Whenever a match ends, its teacher
rewinds it to the start, so that its log goes on growing. Memory is what belongs to the web
process alone, read every ``--every`` moves; the growth is the slope of the line through all
readings after the first quarter. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import urllib.request
from statistics import linear_regression
from typing import Any

import uvloop

from bench import _wire as wire
from bench.live import Load, OurDuel, open_all, start_all
from tests.faults.nemesis import web_process
from tests.faults.runs import ask
from tests.site import site

_TOKEN = re.compile(r'name="csrf-token" content="([^"]+)"')


class EndlessDuel(OurDuel):
    """A match that is taken back to its start whenever it ends."""

    def __init__(self, load: Load, stage: dict[str, Any], number: int, url: str) -> None:
        super().__init__(load, stage, number)
        self._url = url
        self._beside: set[asyncio.Task[None]] = set()
        self.rewinds = 0

    def _hear(self, side: int, text: bytes) -> None:
        if text.startswith(b'{"type":"observation"'):
            self.over = b'"status":"ended"' in text
        elif text.startswith(b'{"type":"ended"') and not self.over:
            task = asyncio.create_task(self._again())
            self._beside.add(task)
            task.add_done_callback(self._beside.discard)
        super()._hear(side, text)

    async def _again(self) -> None:
        self.rewinds += 1
        await asyncio.to_thread(self._rewind)

    def _rewind(self) -> None:
        """Press the teacher's button."""
        session = f"{self._stage['cookie']}={self._stage['teacher']}"
        page = urllib.request.Request(f"{self._url}/classes/", headers={"Cookie": session})
        with urllib.request.urlopen(page, timeout=60) as answer:
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
            token = _TOKEN.search(answer.read().decode())
        assert token is not None
        form = urllib.request.Request(
            f"{self._url}/matches/{self._stage['match']}/desk/rewind/",
            data=f"csrfmiddlewaretoken={token[1]}&to=1".encode(),
            headers={"Cookie": f"{session}; {cookie}", "Origin": self._url, "HX-Request": "true"},
        )
        with urllib.request.urlopen(form, timeout=60) as answer:
            assert answer.status < 400


async def grow(
    url: str, stages: list[dict[str, Any]], *, rate: float, moves: int, every: int
) -> dict[str, Any]:
    """Play so many moves in all; memory by moves, and the slope. ``rate``: of one match."""
    pid, port = web_process(url), int(url.rpartition(":")[2])
    load = Load(rate * len(stages), len(stages))
    duels = [EndlessDuel(load, stage, number, url) for number, stage in enumerate(stages)]
    await open_all(duels, port)
    load.counting = True
    readings: list[tuple[int, int]] = []
    start_all(duels, load)
    while len(load.took_s) < moves:
        before = len(load.took_s)
        while len(load.took_s) < min(moves, before + every):
            await asyncio.sleep(0.02)
        readings.append((len(load.took_s), wire.memory_kib(pid)))
    load.playing = False
    later = readings[len(readings) // 4 :]
    slope = linear_regression(*zip(*later, strict=True)).slope if len(later) > 1 else None
    return {
        "matches": len(stages),
        "moves": len(load.took_s),
        "rewinds": sum(duel.rewinds for duel in duels),
        "refused": load.refused,
        "kib": readings,
        "bytes_a_move": None if slope is None else round(slope * 1024, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the growth of the server by moves.")
    parser.add_argument("--moves", type=int, default=20_000, help="in all")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--rate", type=float, default=4, help="moves a second in one match")
    parser.add_argument("--every", type=int, default=500)
    given = parser.parse_args()
    with site() as run:
        stages = ask(run, f"begin({given.matches})")["matches"]
        found = grow(run.url, stages, rate=given.rate, moves=given.moves, every=given.every)
        print(json.dumps(uvloop.run(found)))


if __name__ == "__main__":
    main()
