"""What an import and an export cost those who play (UP-16, aim P4).

    python -m bench.bringing_in --rounds 3 --seconds 10

Matches of Corruption! run at a steady pace on the whole program, launcher and worker among
it, while a teacher pastes 5,000 questions, looks at the preview, saves them and takes them away
as QTI. Each round measures moves four times, one after the other: nobody brings anything in, the
file is read, the questions are saved, the worker writes them into a file. A move counts when
both sockets of its match have the new board; its latency counts from the moment it was due. Aim:
the 95th percentile grows by less than 20 %. Prints one JSON object a phase, then the medians with
lowest and highest. ``others_cores`` is what the rest of the machine took meanwhile, the child
that reads the file among it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import time
from collections.abc import Awaitable
from typing import Any
from urllib.parse import urlsplit

import uvloop

from bench import _wire as wire
from bench.live import Load, OurDuel, at_share, open_all, spread, start_all
from tests.faults.imports import Teacher, many_questions
from tests.faults.runs import ask
from tests.site import Running, site

ASK_EVERY_S = 1.0  # as the page does by itself


class Lesson:
    """Matches at play, and the processes that serve them."""

    def __init__(self, run: Running, matches: int, rate: float) -> None:
        self._pids = wire.family(run.processes[0].pid)
        self._port = int(run.url.rpartition(":")[2])
        self._stages = ask(run, f"begin({matches})")["matches"]
        self._load = Load(rate, matches)

    async def begin(self) -> None:
        """Open all matches and let them play."""
        duels = [OurDuel(self._load, stage, n) for n, stage in enumerate(self._stages)]
        await open_all(duels, self._port)
        start_all(duels, self._load)

    async def measure(self, phase: str, work: Awaitable[None]) -> dict[str, Any]:
        """How moves fared until ``work`` was done."""
        load = self._load
        load.took_s, load.refused, load.counting = [], 0, True
        busy, mine, own = wire.machine_busy_s(), time.process_time(), wire.cpu_s(self._pids)
        start = load.clock()
        await work
        wall = load.clock() - start
        load.counting = False
        own = wire.cpu_s(self._pids) - own
        others = wire.machine_busy_s() - busy - own - (time.process_time() - mine)
        took = sorted(load.took_s)
        return {
            "phase": phase,
            "seconds": round(wall, 1),
            "moves": len(took),
            "moves_s": round(len(took) / wall, 1),
            "p50_ms": at_share(took, 0.5),
            "p95_ms": at_share(took, 0.95),
            "p99_ms": at_share(took, 0.99),
            "server_cores": round(own / wall, 2),
            "others_cores": round(others / wall, 2),
            "refused": load.refused,
        }


async def bring_in(teacher: Teacher, questions: int) -> str:
    """Paste questions and wait until the preview shows them; its path."""
    path = await asyncio.to_thread(teacher.bring_in, many_questions(questions))
    await _wait(teacher, path, f"{questions} good questions")
    return path


async def save(teacher: Teacher, path: str, title: str, questions: int) -> None:
    """Save what waits in a preview and wait until it is in the bank."""
    await asyncio.to_thread(teacher.send, f"{path}save/", title=title)
    await _wait(teacher, path, f"{questions} questions are saved in")


async def take_away(teacher: Teacher) -> None:
    """Let the worker write the set just saved into a file, and wait for it."""
    address = re.search(r"/questions/sets/[0-9a-f-]+/", teacher.page)
    assert address, teacher.page
    await asyncio.to_thread(teacher.get, f"{address[0]}export/")
    await asyncio.to_thread(teacher.send, f"{address[0]}export/qti3/")
    await _wait(teacher, urlsplit(teacher.url).path, "It is ready.")


async def _wait(teacher: Teacher, path: str, words: str) -> None:
    while words not in await asyncio.to_thread(teacher.get, path):
        await asyncio.sleep(ASK_EVERY_S)


async def rounds(run: Running, given: argparse.Namespace) -> list[dict[str, Any]]:
    """All phases of all rounds."""
    teacher = Teacher.made(run)
    lesson = Lesson(run, given.matches, given.rate)
    await lesson.begin()
    await asyncio.sleep(given.warm)
    found: list[dict[str, Any]] = []

    async def measured(phase: str, work: Awaitable[Any]) -> Any:
        task = asyncio.ensure_future(work)
        found.append(await lesson.measure(phase, _ended(task)))
        print(json.dumps(found[-1]), flush=True)
        return task.result()

    for number in range(given.rounds):
        await measured("quiet", asyncio.sleep(given.seconds))
        path = await measured("reading", bring_in(teacher, given.questions))
        await measured("saving", save(teacher, path, f"Round {number}", given.questions))
        await measured("exporting", take_away(teacher))
    return found


async def _ended(task: asyncio.Future[Any]) -> None:
    await asyncio.wait([task])


def medians(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Lowest, median and highest of each phase, and how much p95 grew beside quiet play."""
    phases: dict[str, Any] = {}
    for phase in dict.fromkeys(row["phase"] for row in rows):
        own = [row for row in rows if row["phase"] == phase]
        phases[phase] = {
            key: spread(values)
            for key in own[0]
            if key != "phase" and (values := [row[key] for row in own if row[key] is not None])
        }
    quiet = phases["quiet"]["p95_ms"][1]
    for phase in phases.keys() - {"quiet"}:
        phases[phase]["p95_grew_pct"] = round(100 * (phases[phase]["p95_ms"][1] / quiet - 1), 1)
    return phases


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure play during an import.")
    parser.add_argument("--matches", type=int, default=30)
    parser.add_argument("--rate", type=float, default=30, help="moves a second")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10, help="of quiet play")
    parser.add_argument("--warm", type=float, default=5)
    parser.add_argument("--questions", type=int, default=5_000)
    given = parser.parse_args()
    with site() as run:
        rows = uvloop.run(rounds(run, given))
    print(json.dumps(medians(rows), indent=1))


if __name__ == "__main__":
    main()
