"""Bot clients of the kill harness: they play, write down what they saw, and come back.

Each client keeps a history of its own, written through to the disk before it goes
on. One line is one JSON list: ``["invoke", id, decision]``, ``["ok", id, version]``,
``["refused", id, code]``, ``["again", id, version]`` (a second answer to the same
request), ``["view", version, digest]``.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidMessage, WebSocketException

from tests.faults.proxy import Proxy

PACE_S = 0.12  # between two messages of one browser: the limit is ten a second
PATIENCE_S = 4.0  # then the same request is sent once more
PING_S = 10.0
CLOCKS = {"deadline_ms", "since_ms"}
NOT_FINAL = {"busy", "too_fast", "server_error"}  # ask again with the same id


def digest(value: Any) -> str:
    """A fingerprint of a plain value, the same whatever the order of its keys."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def shown(frame: Any) -> Any:
    """What an observation says, but for clocks and for the events that came with it."""
    match frame:
        case dict():
            return {
                key: shown(value)
                for key, value in frame.items()
                if key not in CLOCKS and key != "events"
            }
        case list():
            return [shown(value) for value in frame]
        case _:
            return frame


class History:
    """What one client saw, line by line on the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("ab", buffering=0)

    def note(self, *line: Any, through: bool = True) -> None:
        """Append a line; ``through``: it has reached the disk before this returns."""
        self._file.write(json.dumps(line).encode() + b"\n")
        if through:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def lines(self) -> list[list[Any]]:
        """All that was noted."""
        return [json.loads(line) for line in self.path.read_text().splitlines()]


class Table:
    """What all clients of a run share: whether play goes on, and counts of what happened."""

    def __init__(self) -> None:
        self.playing = True
        self.closing = False
        self.counts: Counter[str] = Counter()


class Client:
    """One browser: a student's play page, or a board that only looks on."""

    def __init__(
        self,
        table: Table,
        stage: dict[str, Any],
        place: int | None,
        proxies: Sequence[Proxy],
        history: History,
        seed: str,
    ) -> None:
        self.match: str = stage["match"]
        self.place = place  # None: the board
        self.viewer = "teacher" if place is None else str(place)
        self.history = history
        self.board: dict[str, Any] = {"version": 0}
        self.pending: dict[str, Any] | None = None  # the request that waits for its answer
        self._table = table
        self._proxies = proxies
        self._chance = random.Random(seed)
        session = stage["teacher"] if place is None else stage["sessions"][place]
        self._cookie = f"{stage['cookie']}={session}"
        self._answered: set[int] = set()  # decisions that need no further request
        self._doubled: dict[str, int] = {}  # id: answers still to come for duplicates
        self._sent_at = 0.0
        self._through = proxies[0]

    @property
    def idle(self) -> bool:
        """Nothing of this client is under way."""
        return self.pending is None and not any(self._doubled.values())

    async def run(self) -> None:
        """Play until the table closes; a broken line is opened again."""
        while not self._table.closing:
            self._through = self._chance.choice(self._proxies)
            try:
                async with self._connect(self._through) as line:
                    self._table.counts["connected"] += 1
                    self._doubled.clear()
                    self._answered.clear()  # who is asked the same again answers again
                    await self._serve(line)
            except (WebSocketException, InvalidHandshake, InvalidMessage, OSError, TimeoutError):
                self._table.counts["broken"] += 1
                await asyncio.sleep(self._chance.uniform(0.1, 0.6))

    def _connect(self, proxy: Proxy) -> connect:
        address = f"127.0.0.1:{proxy.port}"
        board = "" if self.place is not None else "?board=1"
        return connect(
            f"ws://{address}/ws/match/{self.match}/{board}",
            origin=f"http://{address}",  # type: ignore[arg-type]
            additional_headers={"Cookie": self._cookie},
            max_size=2**20,
            open_timeout=10,
            close_timeout=1,
            ping_interval=None,
        )

    async def _serve(self, line: ClientConnection) -> None:
        if self.pending is not None:  # was it carried out? Only the server knows.
            self._table.counts["unknown"] += 1
            await self._send(line, self.pending)
        pinged = heard = time.monotonic()
        while not self._table.closing:
            try:
                text = await asyncio.wait_for(line.recv(), 0.5)
            except TimeoutError:
                text = None
            now = time.monotonic()
            if text is not None:
                heard = now
                await self._hear(line, json.loads(text))
            if now - heard > 25:
                raise TimeoutError  # the heartbeat comes every 10 s: this line is dead
            if now - pinged > PING_S:
                pinged = now
                await line.send('{"type":"ping"}')
            if self.pending is not None and now - self._sent_at > PATIENCE_S:
                self._table.counts["resent"] += 1
                await self._send(line, self.pending)
            await self._play(line)

    async def _play(self, line: ClientConnection) -> None:
        """Answer the decision that the team owes."""
        decision = self.board.get("decision")
        if not self._table.playing or self.place is None or self.pending is not None:
            return
        if decision is None or decision["decision"] in self._answered:
            return
        if "amount" in decision:
            amount = decision["amount"]
            chosen = self._chance.randint(amount["minimum"], amount["maximum"])
            move, act = {**amount["move"], amount["field"]: chosen}, False
        else:
            offered = self._chance.choice(decision["moves"])
            move, act = offered["move"], offered["act"]
        request = f"{self._chance.getrandbits(80):020x}"
        self.pending = {
            "type": "move" if act else "vote",
            "request_id": request,
            "decision": decision["decision"],
            "move": move,
        }
        self.history.note("invoke", request, decision["decision"])
        if self._chance.random() < 0.04:
            await self._from_two_tabs(line, self.pending)
            return
        await self._send(line, self.pending)
        if self._chance.random() < 0.06:  # an impatient finger
            self._doubled[request] = self._doubled.get(request, 0) + 1
            self._table.counts["doubled"] += 1
            await self._send(line, self.pending)

    async def _from_two_tabs(self, line: ClientConnection, message: dict[str, Any]) -> None:
        """The same request at the same moment on two processes, where there are two."""
        other = next((p for p in self._proxies if p is not self._through), self._through)
        async with self._connect(other) as tab:
            while json.loads(await asyncio.wait_for(tab.recv(), 10))["type"] != "observation":
                pass
            await self._send(line, message)
            await tab.send(json.dumps(message))
            self._table.counts["two tabs"] += 1
            while True:
                answer = json.loads(await asyncio.wait_for(tab.recv(), 10))
                if answer["type"] == "accepted":
                    self.history.note("again", answer["request_id"], answer["version"])
                elif answer["type"] == "refused":
                    self.history.note("late", answer["request_id"], answer["code"])
                else:
                    continue
                return

    async def _send(self, line: ClientConnection, message: dict[str, Any]) -> None:
        await asyncio.sleep(max(0.0, self._sent_at + PACE_S - time.monotonic()))
        self._sent_at = time.monotonic()
        await line.send(json.dumps(message))

    async def _hear(self, line: ClientConnection, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "observation" if frame["version"] >= self.board["version"]:
                if frame["version"] > self.board["version"] + 1 > 1:
                    self._table.counts["gaps"] += 1
                self.board = frame
                seen = digest(frame["observation"])
                self.history.note("view", frame["version"], seen, through=False)
            case "observation":
                self._table.counts["older views"] += 1
            case "accepted":
                await self._accepted(line, frame["request_id"], frame["version"])
            case "refused":
                self._refused(frame["request_id"], frame["code"])

    async def _accepted(self, line: ClientConnection, request: str, version: int) -> None:
        if self.pending is None or self.pending["request_id"] != request:
            self.history.note("again", request, version)
            self._settle_double(request)
            return
        message, self.pending = self.pending, None
        self.history.note("ok", request, version)
        self._answered.add(message["decision"])
        self._table.counts["ok"] += 1
        if self._chance.random() < 0.06:  # acknowledged, and sent again all the same
            self._doubled[request] = self._doubled.get(request, 0) + 1
            self._table.counts["doubled"] += 1
            await self._send(line, message)

    def _refused(self, request: str, code: str) -> None:
        self._table.counts[f"refused {code}"] += 1
        if self.pending is None or self.pending["request_id"] != request:
            self.history.note("late", request, code)
            self._settle_double(request)
        elif code not in NOT_FINAL:
            self._answered.add(self.pending["decision"])
            self.pending = None
            self.history.note("refused", request, code)

    def _settle_double(self, request: str) -> None:
        if self._doubled.get(request, 0):
            self._doubled[request] -= 1
