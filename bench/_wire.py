"""A WebSocket client that costs little, and what a process has used: for the load programs.

A load client in Python must not be the bottleneck of what it measures, so frames
are cut out of the bytes here and nothing is checked that a test checks elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

TICKS = os.sysconf("SC_CLK_TCK")


class Line(asyncio.Protocol):
    """One socket. ``hear`` gets the bytes of each text frame."""

    def __init__(self, host: str, path: str, headers: str, hear: Callable[[bytes], None]) -> None:
        self._ask = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{headers}"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}\r\n\r\n"
        ).encode()
        self._hear = hear
        self._rest = b""
        self._open = False
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.bytes = 0  # of frames

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._ask)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(exc or ConnectionError("refused"))

    def close(self) -> None:
        """Hang up."""
        self.transport.close()

    def send(self, text: bytes) -> None:
        """One text frame, masked with zeros."""
        size = len(text)
        if size < 126:
            head = bytes((0x81, 0x80 | size))
        else:
            head = bytes((0x81, 0xFE)) + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + text)

    def data_received(self, data: bytes) -> None:
        data = self._rest + data if self._rest else data
        if not self._open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.ready.set_exception(ConnectionError(head[:80].decode("latin-1")))
                return
            self._open = True
            self.ready.set_result(None)
        place, end_of_data = 0, len(data)
        while end_of_data - place >= 2:
            size, start = data[place + 1], place + 2
            if size == 126:
                size, start = int.from_bytes(data[place + 2 : place + 4], "big"), place + 4
            elif size == 127:
                size, start = int.from_bytes(data[place + 2 : place + 10], "big"), place + 10
            if start + size > end_of_data:
                break
            code = data[place] & 15
            if code == 1:
                self.bytes += size
                self._hear(data[start : start + size])
            elif code == 9:  # ping
                body = data[start : start + size]
                self.transport.write(bytes((0x8A, 0x80 | size)) + b"\0\0\0\0" + body)
            place = start + size
        self._rest = data[place:]


async def connect(
    port: int, path: str, hear: Callable[[bytes], None], *, headers: str = ""
) -> Line:
    """A socket that is open.

    Raises:
        ConnectionError: the server refused it.
    """
    loop = asyncio.get_running_loop()
    _transport, line = await loop.create_connection(
        lambda: Line(f"127.0.0.1:{port}", path, headers, hear), "127.0.0.1", port
    )
    await asyncio.wait_for(line.ready, 60)
    return line


def family(pid: int) -> list[int]:
    """A process and all that it started."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found = [pid]
    for each in found:
        found += parents.get(each, [])
    return found


def cpu_s(pids: list[int]) -> float:
    """Seconds of processor time that the processes have used."""
    used = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        used += int(fields[11]) + int(fields[12])
    return used / TICKS


def memory_kib(pid: int) -> int:
    """Memory that is this process's own."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private"))


def machine_busy_s() -> float:
    """Processor seconds used by everybody on this machine since it started."""
    user, nice, system, _idle, _wait, irq, soft, *_ = map(
        int, Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    )
    return (user + nice + system + irq + soft) / TICKS


def pin(pids: list[int], core: int) -> None:
    """Let the processes run on one core only, with all their threads."""
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended meanwhile
            for task in Path(f"/proc/{pid}/task").iterdir():
                os.sched_setaffinity(int(task.name), {core})
