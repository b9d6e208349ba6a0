"""What goes wrong in a run of the kill harness, drawn from a printed seed."""

from __future__ import annotations

import asyncio
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path

import psycopg
from redis import Redis

from launcher.site import Site
from tests.faults.players import Table
from tests.faults.proxy import Proxy
from tests.site import Running, answers, spawn

DEATHS_A_MINUTE = 3  # the launcher gives up at five
BACK_S = 120.0

PROCESS_FAULTS = ("kill", "kill", "term", "kill")
LINE_FAULTS = ("stop", "lost", "cut")
SERVICE_FAULTS = (
    *("redis killed", "postgres restarted", "redis flushed", "backends terminated"),
    *("redis stands still", "postgres stands still", "redis is full", "redis only reads"),
    "redis has another password",
)
STILL_S = 4.0  # longer than anybody waits for a database


class Nemesis:
    """Does harm to a site while it is played on."""

    def __init__(
        self,
        run: Running,
        proxies: Sequence[Proxy],
        table: Table,
        chance: random.Random,
        *,
        kills: int,
        moves: int,
    ) -> None:
        self._run = run
        self._proxies = proxies
        self._table = table
        self._chance = chance
        self._wanted = kills, moves
        self._deaths: deque[float] = deque(maxlen=DEATHS_A_MINUTE)
        self.done: Counter[str] = Counter()

    @property
    def kills(self) -> int:
        """How often a process was ended while it served."""
        return self.done["kill"] + self.done["term"]

    async def rage(self) -> None:
        """So many ends of processes and at least so many acknowledged moves, all mixed."""
        kills, moves = self._wanted
        faults = list(LINE_FAULTS)
        if self._run.redis is not None:
            faults += SERVICE_FAULTS
        turn = 0
        while self.kills < kills or self._table.counts["ok"] < moves:
            if self.kills < kills:
                await self._progress(10)
                await self._end_process(PROCESS_FAULTS[self.kills % len(PROCESS_FAULTS)])
            await self._progress(10)
            await self._do(faults[turn % len(faults)])
            turn += 1

    async def _progress(self, moves: int) -> None:
        """Wait until play goes on: a fault that hits nothing proves nothing."""
        wanted = self._table.counts["ok"] + moves
        async with asyncio.timeout(BACK_S):
            while self._table.counts["ok"] < wanted:
                await asyncio.sleep(0.02)
        await asyncio.sleep(self._chance.uniform(0, 0.4))

    async def _end_process(self, how: str) -> None:
        """The launcher starts its own again; we do so for the others."""
        place = self._chance.randrange(len(self._run.urls))
        if place == 0 and not await self._launcher_has_patience():
            place = len(self._run.urls) - 1
        url = self._run.urls[place]
        pid = web_process(url)
        os.kill(pid, signal.SIGKILL if how == "kill" else signal.SIGTERM)
        self.done[how] += 1
        if place > 0:
            process = self._run.processes[place]
            await asyncio.to_thread(process.wait, BACK_S)
            other = Site(data=self._run.data, port=_port(url))
            other.python = Path(sys.executable)
            log = self._run.data / f"web-{place + 1}.log"
            self._run.processes[place] = spawn(other.web_command(), self._run.env, log)
        async with asyncio.timeout(BACK_S):
            while not await _serves(url, other_than=pid):
                await asyncio.sleep(0.1)
        if len(self._run.urls) > 1:
            self._spread()

    def _spread(self) -> None:
        """All browsers had gone to the process that was left: now they choose anew."""
        for proxy in self._proxies:
            proxy.cut()

    async def _launcher_has_patience(self) -> bool:
        """Whether its own process may die now; with one process alone, wait for it."""
        now = time.monotonic()
        if len(self._deaths) == DEATHS_A_MINUTE and now - self._deaths[0] < 61:
            if len(self._run.urls) > 1:
                return False
            await asyncio.sleep(61 - (now - self._deaths[0]))
        self._deaths.append(time.monotonic())
        return True

    async def _do(self, fault: str) -> None:
        self.done[fault] += 1
        match fault:
            case "stop":
                pid = web_process(self._chance.choice(self._run.urls))
                os.kill(pid, signal.SIGSTOP)
                await asyncio.sleep(3)
                os.kill(pid, signal.SIGCONT)
            case "lost":
                await self._lose_answers()
            case "cut":
                self._line().cut()
            case "redis killed":
                assert self._run.redis is not None
                self._run.redis.stop()
                await asyncio.sleep(1)
                await asyncio.to_thread(self._run.redis.start)
            case "redis flushed":
                assert self._run.redis is not None
                with Redis.from_url(self._run.redis.address) as redis:
                    await asyncio.to_thread(redis.flushall)
            case "redis stands still":
                await self._still([self._redis_pid()])
            case "redis is full":
                await self._redis_for_a_while(
                    "CONFIG SET maxmemory-policy noeviction",
                    "CONFIG SET maxmemory 1",
                    after=("CONFIG SET maxmemory 0",),
                )
            case "redis only reads":
                await self._redis_for_a_while("REPLICAOF 127.0.0.1 1", after=("REPLICAOF NO ONE",))
            case "redis has another password":
                await self._redis_for_a_while(
                    "CONFIG SET requirepass other",
                    "CLIENT KILL TYPE pubsub",
                    "CLIENT KILL TYPE normal SKIPME yes",
                    after=("CONFIG SET requirepass ''",),
                )
            case "postgres stands still":
                await self._still(self._postgres_pids())
            case "postgres restarted":
                assert self._run.postgres is not None
                await asyncio.to_thread(self._run.postgres.stop, "immediate")
                await asyncio.to_thread(self._run.postgres.start)
            case "backends terminated":
                await asyncio.to_thread(self._terminate)

    def _line(self) -> Proxy:
        """One of those that carry play: after the end of a process all may be with the other."""
        busy = [proxy for proxy in self._proxies if proxy.lines]
        return self._chance.choice(busy or self._proxies)

    async def _lose_answers(self) -> None:
        """Until there were some to lose."""
        async with asyncio.timeout(BACK_S):
            lost = 0
            while not lost:
                proxy = self._line()
                before = proxy.lost
                await proxy.lose_answers(0.7)
                lost = proxy.lost - before

    async def _still(self, pids: Sequence[int]) -> None:
        """Processes that hear everything and answer nothing, as over a line that is half dead."""
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(STILL_S)
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def _redis_pid(self) -> int:
        assert self._run.redis is not None
        assert self._run.redis.process is not None
        return self._run.redis.process.pid

    def _postgres_pids(self) -> list[int]:
        assert self._run.postgres is not None
        first = (self._run.postgres.folder / "data" / "postmaster.pid").read_text().split()[0]
        children = subprocess.run(
            ["pgrep", "-P", first], capture_output=True, text=True, check=False
        )
        return [int(pid) for pid in (first, *children.stdout.split())]

    async def _redis_for_a_while(self, *commands: str, after: Sequence[str]) -> None:
        assert self._run.redis is not None
        with Redis.from_url(self._run.redis.address, single_connection_client=True) as redis:
            for command in commands:
                await asyncio.to_thread(redis.execute_command, *shlex.split(command))
            await asyncio.sleep(STILL_S)
            for command in after:
                await asyncio.to_thread(redis.execute_command, *shlex.split(command))

    def _terminate(self) -> None:
        with psycopg.connect(self._run.env["DATABASE_URL"], autocommit=True) as line:
            line.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


def web_process(url: str) -> int:
    """The process that serves a site; what it starts has its name for a moment, so the oldest."""
    found = subprocess.run(
        ["pgrep", "-o", "-f", f"config.asgi:application .*--port {_port(url)} "],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(found.stdout)


async def _serves(url: str, *, other_than: int) -> bool:
    if not await asyncio.to_thread(answers, url):
        return False
    try:
        return web_process(url) != other_than
    except subprocess.CalledProcessError:
        return False


def _port(url: str) -> int:
    return int(url.rpartition(":")[2])
