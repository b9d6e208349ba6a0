"""How fast live matches run: this program beside its peers, in the same run.

    python -m bench.live --rounds 5 --seconds 3 --node-modules DIR --floor DIR

200 matches with two sockets each, over the loopback. A move counts when **both**
sockets of its match have the new board. Ours is the whole program as a school
starts it: Corruption!, students with sessions, a view per role, every move
committed with ``synchronous=FULL`` before anybody hears of it. The peers play a
little game in which a die moves a pawn: boardgame.io keeps it in memory (never
durable), the floor is the plainest Django and Channels server that stores it.

Closed loop: each match always has one move under way. Open loop: so many moves a
second, and latency counts from the moment a move was due; with ``--pages`` once more while
others open pages of the site. Servers run on the first
core, the client on the second. On a machine with other work compare the processor
time a move (``us_a_move``) and mind ``others_cores``; rates suffer from neighbours.
Prints one JSON object a line, then the medians.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import uvloop
from msgspec import Raw, Struct

from bench import _wire as wire
from tests.faults.nemesis import web_process
from tests.faults.runs import ask
from tests.services import free_port
from tests.site import site

HERE = Path(__file__).resolve().parent
OPEN_AT_ONCE = 20


class Offer(Struct):
    """A move on offer, as far as a player needs it."""

    move: Raw
    act: bool


class Bounds(Struct):
    """An amount to be chosen."""

    move: dict[str, Any]
    field: str
    minimum: int


class Decision(Struct):
    """What the team has to answer."""

    decision: int
    moves: list[Offer] = []
    amount: Bounds | None = None


class Frame(Struct):
    """An observation, as far as a player needs it."""

    version: int = 0
    decision: Decision | None = None


_frame = msgspec.json.Decoder(Frame)


class Load:
    """All matches of a run, and how long their moves took."""

    def __init__(self, rate: float, count: int) -> None:
        self.rate = rate
        self.count = count
        self.playing = True
        self.counting = False
        self.took_s: list[float] = []
        self.refused = 0
        self.clock = time.perf_counter

    def done(self, seconds: float) -> None:
        """Both sockets have a board."""
        if self.counting:
            self.took_s.append(seconds)


class Duel:
    """One match and its two sockets; subclasses speak a server's language."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.version = 0
        self.seen = 0
        self.busy = False
        self.over = False  # somebody has won
        self.due = 0.0
        self.asked_at = 0.0
        self.timer: asyncio.TimerHandle | None = None
        self.lines: list[wire.Line] = []

    def move(self) -> None:
        """Send the next move."""
        raise NotImplementedError

    def start(self, due: float) -> None:
        """Begin to play; ``due`` counts in the open loop only."""
        self.due = due
        self.go_on()

    def go_on(self) -> None:
        """Play the next move now or when it is due."""
        if self.over or self.busy or self.timer is not None or not self.load.playing:
            return
        now = self.load.clock()
        if self.load.rate:
            wait_s = self.due - now
            if wait_s > 0.0003:
                self.timer = asyncio.get_running_loop().call_later(wait_s, self._fire)
                return
            self.asked_at = self.due
            self.due += self.load.count / self.load.rate
        else:
            self.asked_at = now
        self.busy = True
        self.move()

    def _fire(self) -> None:
        self.timer = None
        self.go_on()

    def shown(self, version: int) -> None:
        """A socket got the board of this version."""
        if version <= self.version:
            return
        self.seen += 1
        if self.seen < 2:
            return
        self.seen, self.version, self.busy = 0, version, False
        self.load.done(self.load.clock() - self.asked_at)
        self.go_on()


class OurDuel(Duel):
    """Corruption! on Civic Table; each side takes one of the moves on offer."""

    def __init__(self, load: Load, stage: dict[str, Any], number: int) -> None:
        super().__init__(load)
        self._stage = stage
        self._chance = random.Random(number)
        self._open: tuple[int, Decision] | None = None

    async def open(self, port: int) -> None:
        """Connect both players and wait for their boards."""
        self._first = [asyncio.get_running_loop().create_future() for _side in (0, 1)]
        for side in (0, 1):
            cookie = f"Cookie: {self._stage['cookie']}={self._stage['sessions'][side]}\r\n"
            line = await wire.connect(
                port,
                f"/ws/match/{self._stage['match']}/",
                lambda text, side=side: self._hear(side, text),
                headers=cookie,
            )
            self.lines.append(line)
            await asyncio.wait_for(self._first[side], 60)

    def _hear(self, side: int, text: bytes) -> None:
        if text.startswith(b'{"type":"observation"'):
            frame = _frame.decode(text)
            if frame.decision is not None:
                self._open = (side, frame.decision)
            if not self._first[side].done():
                self.version = frame.version
                self._first[side].set_result(None)
                return
            self.shown(frame.version)
        elif text.startswith(b'{"type":"ended"'):
            self.over = True
        elif text.startswith(b'{"type":"refused"'):
            self.load.refused += 1
            asyncio.get_running_loop().call_later(0.1, self.move)

    def move(self) -> None:
        assert self._open is not None
        side, decision = self._open
        if decision.amount is not None:
            amount = decision.amount
            move = msgspec.json.encode({**amount.move, amount.field: amount.minimum})
            kind = b"vote"
        else:
            offer = self._chance.choice(decision.moves)
            move, kind = bytes(offer.move), b"move" if offer.act else b"vote"
        self.lines[side].send(
            b'{"type":"%s","request_id":"%020x","decision":%d,"move":%s}'
            % (kind, self._chance.getrandbits(80), decision.decision, move)
        )


class BoardgameDuel(Duel):
    """The little game on boardgame.io, in the frames of socket.io."""

    async def open(self, port: int) -> None:
        """Make a match, join it twice, and wait until both are in step."""
        self._port, self._turn = port, 0
        self._id = (await self._post("/games/race/create", {"numPlayers": 2}))["matchID"]
        self._secrets: list[str] = []
        for side in (0, 1):
            joined = await self._post(
                f"/games/race/{self._id}/join", {"playerID": str(side), "playerName": f"p{side}"}
            )
            self._secrets.append(joined["playerCredentials"])
            ready = asyncio.get_running_loop().create_future()
            line = await wire.connect(
                port,
                "/socket.io/?EIO=4&transport=websocket",
                lambda text, side=side, ready=ready: self._hear(side, text, ready),
            )
            self.lines.append(line)
            await asyncio.wait_for(ready, 60)

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return await asyncio.to_thread(_post, f"http://127.0.0.1:{self._port}{path}", body)

    def _hear(self, side: int, text: bytes, ready: asyncio.Future[None]) -> None:
        if text[:1] == b"2":
            self.lines[side].send(b"3")
        elif text[:1] == b"0":
            # The line is not in ``lines`` yet: it answers its own greeting.
            asyncio.get_running_loop().call_soon(self._greet, side)
        elif text[:2] == b"40":
            asked = ["sync", self._id, str(side), self._secrets[side], 2]
            self.lines[side].send(b"42/race," + json.dumps(asked).encode())
        elif text.startswith(b'42/race,["sync"') and not ready.done():
            ready.set_result(None)
        elif text.startswith(b'42/race,["update"'):
            start = text.index(b'"_stateID":') + 11
            end = start
            while 48 <= text[end] <= 57:
                end += 1
            self.shown(int(text[start:end]))

    def _greet(self, side: int) -> None:
        if len(self.lines) <= side:
            asyncio.get_running_loop().call_later(0.01, self._greet, side)
        else:
            self.lines[side].send(b"40/race,")

    def move(self) -> None:
        side, self._turn = self._turn, 1 - self._turn
        action = (
            '42/race,["update",{"type":"MAKE_MOVE","payload":{"type":"roll","args":[],'
            f'"playerID":"{side}","credentials":"{self._secrets[side]}"}}}},'
            f'{self.version},"{self._id}","{side}"]'
        )
        self.lines[side].send(action.encode())


class FloorDuel(Duel):
    """The little game on the plain Channels server."""

    def __init__(self, load: Load, number: int) -> None:
        super().__init__(load)
        self._number, self._turn = number, 0

    async def open(self, port: int) -> None:
        """Connect both players."""
        for side in (0, 1):
            path = f"/ws/{self._number}/{side}"
            self.lines.append(await wire.connect(port, path, self._hear))

    def _hear(self, text: bytes) -> None:
        start = text.index(b":") + 1
        self.shown(int(text[start : text.index(b",", start)]))

    def move(self) -> None:
        side, self._turn = self._turn, 1 - self._turn
        self.lines[side].send(b'{"m":"roll","s":%d}' % self.version)


def _post(address: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return dict(json.load(answer))


class Readers:
    """People who open pages of our program, so many a second, while others play."""

    def __init__(self, server: Server, rate: float) -> None:
        self._rate = rate
        self._port, self._stages = server.port, server.stages
        self._under_way: set[asyncio.Task[None]] = set()
        self.took_s: list[float] = []

    async def read(self, seconds: float) -> None:
        """Play pages of students, desks of matches and lessons, lists of classes."""
        for number in range(int(seconds * self._rate)):
            stage = self._stages[number % len(self._stages)]
            path, session = (
                (f"/matches/{stage['match']}/play/", stage["sessions"][0]),
                (f"/matches/{stage['match']}/desk/", stage["teacher"]),
                (f"/lessons/{stage['lesson']}/desk/", stage["teacher"]),
                ("/classes/", stage["teacher"]),
            )[number % 4]
            task = asyncio.create_task(self._open(path, f"{stage['cookie']}={session}"))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
            await asyncio.sleep(1 / self._rate)
        await asyncio.gather(*self._under_way)

    async def _open(self, path: str, cookie: str) -> None:
        start = time.perf_counter()
        await asyncio.to_thread(_get, f"http://127.0.0.1:{self._port}{path}", cookie)
        self.took_s.append(time.perf_counter() - start)


def _get(address: str, cookie: str) -> bytes:
    request = urllib.request.Request(address, headers={"Cookie": cookie})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return bytes(answer.read())


# -- servers ---------------------------------------------------------------------------------


class Server:
    """A server that runs: where it listens, its processes, and how a match on it is opened."""

    def __init__(self, name: str, port: int, pids: list[int], main: int) -> None:
        self.name = name
        self.port = port
        self.pids = pids
        self.main = main
        self.stages: list[dict[str, Any]] = []
        self.begin: Callable[[], list[dict[str, Any]]] = list  # further matches, where it has to

    def duel(self, load: Load, number: int) -> Any:
        """A match that has not been opened."""
        match self.name:
            case "civic table":
                return OurDuel(load, self.stages[number], number)
            case "boardgame.io, in memory":
                return BoardgameDuel(load)
            case _:
                return FloorDuel(load, number)


@contextlib.contextmanager
def ours(matches: int) -> Iterator[Server]:
    """The whole program with its launcher and worker."""
    with site() as run:
        port = int(run.url.rpartition(":")[2])
        pids = wire.family(run.processes[0].pid)
        server = Server("civic table", port, pids, web_process(run.url))
        server.begin = lambda: ask(run, f"begin({matches})")["matches"]
        yield server


@contextlib.contextmanager
def _started(name: str, command: list[str], port: int, **how: Any) -> Iterator[Server]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
    try:
        _wait_for(port)
        yield Server(name, port, [process.pid], process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _wait_for(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/games", timeout=1).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"nothing listens on port {port}")


@contextlib.contextmanager
def boardgameio(modules: Path) -> Iterator[Server]:
    """boardgame.io's own server; ``modules``: the folder that holds node_modules."""
    port = free_port()
    env = {**os.environ, "PORT": str(port), "NM": str(modules)}
    command = ["node", "--expose-gc", str(HERE / "peers" / "boardgameio" / "server.mjs")]
    with _started("boardgame.io, in memory", command, port, env=env) as server:
        yield server


@contextlib.contextmanager
def floor(folder: Path, data: Path) -> Iterator[Server]:
    """Django's ORM in ``atomic()`` and ``group_send``, nothing else."""
    port = free_port()
    env = {**os.environ, "DBFILE": str(data / "floor.db"), "DB": "orm", "SYNC": "FULL"}
    subprocess.run([sys.executable, "floor.py"], cwd=folder, env=env, check=True)
    command = [sys.executable, "-m", "uvicorn", "floor:application", "--port", str(port)]
    command += ["--log-level", "error", "--ws-per-message-deflate", "false"]
    with _started("floor: Channels and ORM", command, port, cwd=folder, env=env) as server:
        yield server


# -- rounds ----------------------------------------------------------------------------------


async def open_all(duels: Sequence[Any], port: int) -> None:
    """Connect both players of every match, some matches at a time."""
    for start in range(0, len(duels), OPEN_AT_ONCE):
        await asyncio.gather(*(duel.open(port) for duel in duels[start : start + OPEN_AT_ONCE]))


def start_all(duels: Sequence[Duel], load: Load) -> None:
    """Let all play; in the open loop the moves fall due evenly."""
    first = load.clock() + 0.05
    for number, duel in enumerate(duels):
        duel.start(first + (number / load.rate if load.rate else 0))


class Stage:
    """All matches of a round on one server."""

    def __init__(self, server: Server, count: int) -> None:
        self.server = server
        self.load = Load(0, count)
        self._duels: list[Any] = []
        self._socket_kib = 0.0

    async def open(self) -> None:
        """Begin new matches, since those of before come to an end, and connect their players."""
        for duel in self._duels:
            for line in duel.lines:
                line.close()
        self.server.stages = await asyncio.to_thread(self.server.begin)
        self._duels = [self.server.duel(self.load, number) for number in range(self.load.count)]
        await asyncio.sleep(0.5)
        before = wire.memory_kib(self.server.main)
        await open_all(self._duels, self.server.port)
        await asyncio.sleep(0.5)
        used = wire.memory_kib(self.server.main) - before
        self._socket_kib = used / (2 * len(self._duels))

    async def play(
        self, rate: float, warm_s: float, seconds: float, pages: float = 0
    ) -> dict[str, Any]:
        """One round: begin, measure, come to rest. ``pages``: opened by others, a second."""
        load = self.load
        load.rate, load.playing = rate, True
        start_all(self._duels, load)
        await asyncio.sleep(warm_s)
        readers = Readers(self.server, pages)
        reading = asyncio.create_task(readers.read(seconds if pages else 0))
        found = await _measure(self.server, load, rate, seconds)
        await reading
        found["pages"], found["page_p50_ms"] = pages, at_share(sorted(readers.took_s), 0.5)
        found["over"] = sum(duel.over for duel in self._duels)
        load.playing = False
        await asyncio.sleep(1.5)  # moves under way come to rest
        return found | {"kib_a_socket": round(self._socket_kib, 1)}


async def play(servers: list[Server], given: argparse.Namespace) -> list[dict[str, Any]]:
    """Each rate in turn (0: closed loop), round by round on one server after the other.

    So they meet the machine in the same moods: its cores are not equally fast all the time.
    """
    stages = [Stage(server, given.matches) for server in servers]
    found = []
    for rate in (float(rate) for rate in given.rates.split(",")):
        for _round in range(given.rounds):
            for stage in stages:
                await stage.open()
                beside = [0, given.pages] if given.pages and rate and stage.server.stages else [0]
                for pages in beside:
                    found.append(await stage.play(rate, given.warm, given.seconds, pages))
                    print(json.dumps(found[-1]), flush=True)
    return found


async def _measure(server: Server, load: Load, rate: float, seconds: float) -> dict[str, Any]:
    load.took_s, load.refused = [], 0
    memory, cpu = wire.memory_kib(server.main), wire.cpu_s(server.pids)
    mine, busy, start = time.process_time(), wire.machine_busy_s(), load.clock()
    load.counting = True
    await asyncio.sleep(seconds)
    load.counting = False
    wall = load.clock() - start
    cpu = wire.cpu_s(server.pids) - cpu
    mine = time.process_time() - mine
    others = wire.machine_busy_s() - busy - cpu - mine
    took = sorted(load.took_s)
    moves = len(took)
    return {
        "server": server.name,
        "rate": rate or "closed",
        "moves": moves,
        "moves_s": round(moves / wall, 1),
        "us_a_move": round(cpu / moves * 1e6) if moves else None,
        "p50_ms": at_share(took, 0.5),
        "p95_ms": at_share(took, 0.95),
        "p99_ms": at_share(took, 0.99),
        "server_cores": round(cpu / wall, 2),
        "client_cores": round(mine / wall, 2),
        "others_cores": round(others / wall, 2),
        "bytes_a_move_growth": round(
            (wire.memory_kib(server.main) - memory) * 1024 / max(1, moves)
        ),
        "refused": load.refused,
    }


def at_share(took_s: list[float], share: float) -> float | None:
    """Below which so large a share of the times lies, in ms; None if there are none."""
    if not took_s:
        return None
    return round(1000 * took_s[min(len(took_s) - 1, int(len(took_s) * share))], 2)


def spread(values: Sequence[float]) -> list[float]:
    """Lowest, median and highest."""
    return [min(values), round(median(values), 2), max(values)]


def medians(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Median with lowest and highest, for each server, rate and number of pages."""
    groups: dict[tuple[str, Any, float], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["server"], row["rate"], row["pages"]), []).append(row)
    return [
        {"server": server, "rate": rate, "pages": pages, "rounds": len(group)}
        | {
            key: spread(values)
            for key in group[0]
            if key not in {"rate", "pages"}
            and isinstance(group[0][key], int | float)
            and (values := [row[key] for row in group if row[key] is not None])
        }
        for (server, rate, pages), group in groups.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure live moves.")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--rates", default="0,200,800", help="moves a second; 0: closed loop")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--warm", type=float, default=2, help="seconds before each round")
    parser.add_argument("--node-modules", type=Path, help="folder with boardgame.io installed")
    parser.add_argument("--floor", type=Path, help="folder with the floor's server")
    parser.add_argument("--data", type=Path, default=Path("/tmp"))
    parser.add_argument(
        "--pages", type=float, default=0, help="open rates once more, with so many pages a second"
    )
    parser.add_argument("--only", default="", help="servers whose name holds this")
    given = parser.parse_args()
    servers: list[tuple[str, Any]] = [("civic table", lambda: ours(given.matches))]
    if given.node_modules:
        servers.append(("boardgame.io", lambda: boardgameio(given.node_modules)))
    if given.floor:
        servers.append(("floor", lambda: floor(given.floor, given.data)))
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(make()) for name, make in servers if given.only in name]
        for server in running:
            wire.pin(server.pids, 0)
        os.sched_setaffinity(0, {1})
        rows = uvloop.run(play(running, given))
        os.sched_setaffinity(0, {0, 1})
    print(json.dumps({"medians": medians(rows)}, indent=1))


if __name__ == "__main__":
    main()
