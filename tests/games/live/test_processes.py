"""Live play on the real program: one process on SQLite, two on PostgreSQL and Redis."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from redis import Redis
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.games.live.sockets import PATIENCE_S
from tests.site import Running, site

PLACES = [  # each of them started once: all its tests in one worker
    pytest.param((1, "sqlite"), id="sqlite", marks=pytest.mark.xdist_group("processes-sqlite")),
    pytest.param(
        (2, "postgres"),
        id="postgres",
        marks=[pytest.mark.services, pytest.mark.xdist_group("processes-postgres")],
    ),
]


@pytest.fixture(scope="module", params=PLACES)
def run(request: pytest.FixtureRequest) -> Iterator[Running]:
    """The site, one of each kind for all tests of this page."""
    processes, database = request.param
    with site(processes=processes, database=database) as running:
        yield running


@pytest.fixture(scope="module")
def classes(run: Running) -> list[dict[str, Any]]:
    """A class with a match that has begun for each test; a test pops its own."""
    return list(_stage(run, "begin(12)")["classes"])


def _stage(run: Running, call: str) -> dict[str, Any]:
    said = run.manage("shell", "-c", f"from tests.games import stage; stage.{call}")
    lines = [line for line in said.splitlines() if line.startswith("{")]
    return dict(json.loads(lines[-1])) if lines else {}


class Player:
    """One browser of a student, on one of the site's processes."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.board: dict[str, Any] = {}
        self.boards: list[int] = []
        self.accepted: dict[str, int] = {}
        self.asked: set[int] = set()

    async def next(self, timeout_s: float = 10) -> dict[str, Any]:
        """The next frame."""
        frame: dict[str, Any] = json.loads(await asyncio.wait_for(self.line.recv(), timeout_s))
        if frame["type"] == "observation":
            self.board = frame
            self.boards.append(frame["version"])
        if frame["type"] == "accepted":
            self.accepted[frame["request_id"]] = frame["version"]
        return frame

    async def answer(self, chance: random.Random) -> None:
        """Send one of the moves on offer, if the team owes one."""
        decision = self.board.get("decision")
        if decision is None or decision["decision"] in self.asked:
            return
        self.asked.add(decision["decision"])
        if "amount" in decision:
            amount = decision["amount"]
            move = {**amount["move"], amount["field"]: amount["minimum"]}
            act = False
        else:
            offered = chance.choice(decision["moves"])
            move, act = offered["move"], offered["act"]
        await self.line.send(
            json.dumps(
                {
                    "type": "move" if act else "vote",
                    "request_id": uuid4().hex,
                    "decision": decision["decision"],
                    "move": move,
                }
            )
        )


@asynccontextmanager
async def _player(run: Running, stage: dict[str, Any], place: int, *, process: int = 0) -> Any:
    url = run.urls[process % len(run.urls)]
    async with connect(
        f"{url.replace('http', 'ws', 1)}/ws/match/{stage['match']}/",
        additional_headers={"Cookie": f"{stage['cookie']}={stage['sessions'][place]}"},
        origin=url,  # type: ignore[arg-type]
        max_size=2**20,
    ) as line:
        yield Player(line)


async def _play(players: list[Player], versions: int) -> None:
    """Play until all have seen so many versions."""
    chance = random.Random(5)

    async def one(player: Player) -> None:
        while player.board.get("version", 0) < versions and player.board.get("status") != "ended":
            frame = await player.next()
            if frame["type"] == "refused" and frame["code"] == "too_fast":
                await asyncio.sleep(0.2)  # a quick machine lets nobody play as fast as it can
                player.asked.clear()
                await player.answer(chance)
            if frame["type"] == "observation":
                await player.answer(chance)

    await asyncio.gather(*map(one, players))


async def _closed(player: Player) -> int | None:
    """The code with which the server closes the socket."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                await player.next()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


async def test_two_play_whichever_process_serves_them(
    run: Running, classes: list[dict[str, Any]]
) -> None:
    stage = classes.pop()
    async with AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(_player(run, stage, place, process=place))
            for place in (0, 1)
        ]
        await _play(players, 40)

    for player in players:
        assert player.boards == sorted(player.boards)
    assert players[0].board["version"] >= 40
    stored = _stage(run, f"log_of({stage['match']!r})")["records"]
    assert [version for version, _request in stored] == list(range(1, len(stored) + 1))
    by_request = {request: version for version, request in stored if request}
    for player in players:
        for request, version in player.accepted.items():
            assert by_request[request] == version
    assert "0 of them wrong" in run.manage("check_matches")


@pytest.mark.case("AZ-18", "CC-07")
async def test_kick_by_another_process_closes_the_socket_by_itself(
    run: Running, classes: list[dict[str, Any]]
) -> None:
    stage = classes.pop()
    async with _player(run, stage, 0, process=1) as ana:
        await ana.next()
        _stage(run, f"kick({stage['students'][0]!r})")  # in a process of its own, without sockets
        code = await _closed(ana)

    assert code in {4401, 4404}
    with pytest.raises(InvalidStatus):
        async with _player(run, stage, 0):
            pass


@pytest.mark.case("WS-01", "WS-02")
@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://[::1", "http://127.0.0.1:1"]
)
async def test_server_refuses_other_origins_and_unknown_browsers(
    run: Running, classes: list[dict[str, Any]], origin: str | None
) -> None:
    stage = classes.pop()
    address = f"{run.url.replace('http', 'ws', 1)}/ws/match/{stage['match']}/"
    cookie = {"Cookie": f"{stage['cookie']}={stage['sessions'][0]}"}

    for headers, asked in ((cookie, origin), ({}, run.url)):
        with pytest.raises(InvalidStatus) as refused:
            async with connect(address, additional_headers=headers, origin=asked):  # type: ignore[arg-type]
                pass
        assert refused.value.response.status_code == 403


@pytest.mark.case("WS-03", "WS-04")
async def test_large_frames_end_the_socket_and_nothing_is_compressed(
    run: Running, classes: list[dict[str, Any]]
) -> None:
    stage = classes.pop()
    async with _player(run, stage, 0) as ana:
        await ana.next()
        assert ana.line.protocol.extensions == []
        await ana.line.send("x" * 17_000)
        code = await _closed(ana)

    assert code == 1009


async def test_hub_of_each_process_catches_up_when_hints_are_lost(
    run: Running, classes: list[dict[str, Any]]
) -> None:
    """Written by a process that sends no hint at all."""
    stage = classes.pop()
    async with AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(_player(run, stage, place, process=place))
            for place in (0, 1)
        ]
        for player in players:
            await player.next()
        if run.redis is not None:
            Redis.from_url(run.redis.address).flushall()
        _stage(run, f"pause({stage['match']!r})")

        async with asyncio.timeout(PATIENCE_S):
            for player in players:
                while player.board.get("status") != "paused":
                    await player.next()


def _web_process(run: Running) -> int:
    """The process that serves the site."""
    port = run.url.rpartition(":")[2]
    found = subprocess.run(
        ["pgrep", "-o", "-f", f"config.asgi:application .*--port {port} "],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(found.stdout)


@pytest.mark.case("CF-01")
async def test_acknowledged_moves_survive_a_kill(tmp_path: Path) -> None:
    data = tmp_path / "data"
    acknowledged: dict[str, int] = {}
    with site(data=data) as run:
        (stage,) = _stage(run, "begin(1)")["classes"]
        run.forgive("")
        async with AsyncExitStack() as stack:
            players = [
                await stack.enter_async_context(_player(run, stage, place)) for place in (0, 1)
            ]
            playing = asyncio.create_task(_play(players, 10_000))
            while len(players[0].accepted) < 12:
                await asyncio.sleep(0.01)
            os.kill(_web_process(run), signal.SIGKILL)
            with pytest.raises((ConnectionClosed, TimeoutError)):
                await playing
        for player in players:
            acknowledged |= player.accepted
    with site(data=data) as run:
        stored = _stage(run, f"log_of({stage['match']!r})")["records"]
        assert "0 of them wrong" in run.manage("check_matches")
        async with _player(run, stage, 0) as ana:
            assert (await ana.next())["version"] == len(stored)

    by_request = {request: version for version, request in stored if request}
    assert acknowledged.items() <= by_request.items()
    assert len(acknowledged) >= 12
