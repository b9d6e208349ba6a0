"""One run of the kill harness: site, clients, nemesis, quiet, verdict."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import psycopg
import pytest

from tests.faults import checks
from tests.faults.nemesis import Nemesis
from tests.faults.players import Client, History, Table
from tests.faults.proxy import Proxy, proxy
from tests.site import Running, site

# A handshake that a fault cuts off may leave the client library's socket to the collector.
LINES_BREAK = pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <.*(_SelectorTransport|socket.socket)"
    ":pytest.PytestUnraisableExceptionWarning"
)
MATCHES = 8
CATCH_UP_S = 12.0  # F4: after the last fault every board is right within it

SABOTAGE = Path(__file__).parent / "sabotage"
# Ends of processes and of databases leave their marks in the logs; nothing else may.
EXPECTED = {
    "sqlite": (),
    "postgres": (
        "OperationalError",
        "InterfaceError",
        "ConnectionError",
        "ConnectionRefusedError",
        "ConnectionResetError",  # of Redis, killed while somebody listens
        "IncompleteReadError",
        "PoolTimeout",
        "AdminShutdown",
        "redis.exceptions",
    ),
}


@dataclass
class Verdict:
    """What came of a run."""

    seed: int
    wrong: list[str]
    faults: dict[str, int]
    counts: dict[str, int]
    kills: int
    seconds: float
    catch_up_s: float | None  # until the last board was right; None: never
    log: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return json.dumps({**vars(self), "wrong": self.wrong[:20]}, indent=1)


async def run(
    folder: Path,
    *,
    seed: int,
    kills: int,
    moves: int,
    database: Literal["sqlite", "postgres"] = "sqlite",
    sabotage: str = "",
    matches: int = MATCHES,
) -> Verdict:
    """Play ``matches`` matches through at least so many kills and acknowledged moves."""
    env = {"PYTHONPATH": str(SABOTAGE), "CIVIC_SABOTAGE": sabotage} if sabotage else {}
    processes = 1 if database == "sqlite" else 2
    with site(processes=processes, database=database, env=env) as running:
        for text in EXPECTED[database]:
            running.forgive(text)
        if sabotage == "ack_before_commit":
            running.forgive("database is locked")  # for as long as it dawdles
        if database == "postgres" and sabotage != "late_to_disk":
            _commit_for_good(running)
        if sabotage == "no_guard":
            ask(running, "drop_unique()")

        def nemesis(proxies: Sequence[Proxy], table: Table) -> Nemesis:
            return Nemesis(running, proxies, table, random.Random(seed), kills=kills, moves=moves)

        return await play(running, folder, nemesis, seed=seed, matches=matches)


def _commit_for_good(running: Running) -> None:
    """The tests' PostgreSQL answers before it has written; here a commit has to be one."""
    with psycopg.connect(running.env["DATABASE_URL"], autocommit=True) as line:
        line.execute("ALTER ROLE app SET synchronous_commit = on")
        line.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with psycopg.connect(running.env["DATABASE_URL"], autocommit=True) as line:
        assert line.execute("SHOW synchronous_commit").fetchone() == ("on",)


def ask(running: Running, call: str) -> dict[str, Any]:
    """What ``tests.faults.stored`` says about the site's database."""
    said = running.manage("shell", "-c", f"from tests.faults import stored; stored.{call}")
    return dict(json.loads([line for line in said.splitlines() if line.startswith("{")][-1]))


class Harm(Protocol):
    """Whoever does harm during a run; it ends when enough is done."""

    done: Counter[str]

    @property
    def kills(self) -> int: ...

    async def rage(self) -> None: ...


async def play(
    running: Running,
    folder: Path,
    nemesis: Callable[[Sequence[Proxy], Table], Harm],
    *,
    seed: int,
    matches: int = MATCHES,
) -> Verdict:
    """Matches of bot clients for as long as a nemesis rages, then quiet, then the verdict."""
    begun = (await asyncio.to_thread(ask, running, f"begin({matches})"))["matches"]
    table, start = Table(), time.monotonic()
    async with AsyncExitStack() as stack:
        proxies = [
            await stack.enter_async_context(proxy(int(url.rpartition(":")[2])))
            for url in running.urls
        ]
        clients = []
        for number, stage in enumerate(begun):
            for place in (0, 1, None):
                history = History(folder / f"{number}-{place}.jsonl")
                stack.callback(history.close)
                name = f"{seed} {number} {place}"
                clients.append(Client(table, stage, place, proxies, history, name))
        # Also where the run fails: a client that is only cancelled may not hear of it.
        stack.callback(setattr, table, "closing", True)
        playing = [asyncio.create_task(client.run()) for client in clients]
        harm = nemesis(proxies, table)
        raging = asyncio.create_task(harm.rage())
        done, _ = await asyncio.wait({raging, *playing}, return_when=asyncio.FIRST_COMPLETED)
        still = stood_still(done, harm)
        table.playing = False
        table.counts["seconds of faults"] = round(time.monotonic() - start)
        catch_up_s, stored = await _quiet(running, clients)
        table.closing = True
        await asyncio.gather(*playing)
    return Verdict(
        seed=seed,
        wrong=still + await asyncio.to_thread(checks.wrong, clients, stored),
        faults=dict(harm.done),
        counts=dict(table.counts)
        | {"cuts": sum(p.cuts for p in proxies), "bytes lost": sum(p.lost for p in proxies)},
        kills=harm.kills,
        seconds=round(time.monotonic() - start, 1),
        catch_up_s=catch_up_s,
    )


def stood_still(ended: Iterable[asyncio.Task[None]], harm: Harm) -> list[str]:
    """What made a run end before its time; what came of the moves is looked at all the same.

    A client never ends by itself: what it raises goes on.
    """
    found = []
    for task in ended:
        try:
            task.result()
        except TimeoutError:
            found.append(f"play stood still after {dict(harm.done)}")
    return found


async def _quiet(running: Running, clients: list[Client]) -> tuple[float | None, dict[str, Any]]:
    """Let everything come to rest; how long the boards took, and what is stored."""
    start, rest_s = time.monotonic(), 60.0
    while not all(client.idle for client in clients) and time.monotonic() - start < rest_s:
        await asyncio.sleep(0.05)
    start, catch_up_s = time.monotonic(), None
    while time.monotonic() - start < CATCH_UP_S:
        newest: dict[str, int] = {}
        for client in clients:
            newest[client.match] = max(newest.get(client.match, 0), client.board["version"])
        if all(client.board["version"] == newest[client.match] for client in clients):
            catch_up_s = round(time.monotonic() - start, 2)
            break
        await asyncio.sleep(0.05)
    names = ", ".join(repr(match) for match in {client.match for client in clients})
    return catch_up_s, await asyncio.to_thread(ask, running, f"tell({names})")
