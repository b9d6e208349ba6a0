"""The bell rings: many students join their lessons within a minute, all from one address.

    python -m bench.bell --students 300 --within 15

Every student does what a browser does: open the page for the code, type it, tap a
name, open the waiting page and its socket. Then all sockets are cut at once and
come back within ``--back`` seconds, and at last the web server is killed and all come
back once more. Prints one JSON object with how many failed and how long each step
took; nobody may be refused for coming from the school's one address.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import time
from collections import Counter
from typing import Any

import uvloop

from bench import _wire as wire
from tests.faults.nemesis import web_process
from tests.faults.runs import ask
from tests.site import Running, site

A_CLASS = 40
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Refused(Exception):
    """The site answered something else than a browser expects. The message says what."""


class Browser:
    """A student's browser: cookies, one connection, a socket."""

    def __init__(self, port: int, code: str, student: str, told: Counter[str]) -> None:
        self._port = port
        self._code = code
        self._student = student
        self._told = told
        self._cookies: dict[str, str] = {}
        self._lesson = ""
        self._line: wire.Line | None = None

    async def join(self) -> float:
        """From the page for the code to the first frame of the waiting page; seconds it took."""
        start = time.perf_counter()
        line = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            page = await self._ask(line, "GET", "/join/", 200)
            where = await self._post(line, "/join/", page, code=self._code)
            self._lesson = where.split("/")[2]
            page = await self._ask(line, "GET", where, 200)
            where = await self._post(
                line, f"/lessons/{self._lesson}/join/students/{self._student}/", page
            )
            await self._ask(line, "GET", where, 200)
        finally:
            line[1].close()
        await self._socket()
        return time.perf_counter() - start

    async def come_back(self) -> float:
        """Open the socket again, trying until it works; seconds it took."""
        start = time.perf_counter()
        while time.perf_counter() - start < 120:
            try:
                await self._socket()
            except (OSError, TimeoutError):
                await asyncio.sleep(0.5)
            else:
                return time.perf_counter() - start
        raise Refused("no socket within two minutes")

    def cut(self) -> None:
        """Lose the line, as in a lift."""
        if self._line is not None:
            self._line.transport.abort()
            self._line = None

    async def _socket(self) -> None:
        heard = asyncio.get_running_loop().create_future()

        def hear(_text: bytes) -> None:
            if not heard.done():
                heard.set_result(None)

        self._line = await wire.connect(
            self._port,
            f"/ws/lesson/{self._lesson}/?waiting=1",
            hear,
            headers=f"Cookie: {self._cookie()}\r\n",
        )
        await asyncio.wait_for(heard, 60)

    async def _post(self, line: Streams, path: str, page: str, **fields: str) -> str:
        token = _TOKEN.search(page)
        if token is None:
            raise Refused(f"no form on the page before {path}")
        body = "&".join(
            f"{key}={value}" for key, value in {"csrfmiddlewaretoken": token[1], **fields}.items()
        )
        return await self._ask(line, "POST", path, 302, body)

    async def _ask(
        self, line: Streams, method: str, path: str, expected: int, body: str = ""
    ) -> str:
        """The body of the answer, or where it leads."""
        reader, writer = line
        host = f"127.0.0.1:{self._port}"
        form = (
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
            if body
            else ""
        )
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            f"Cookie: {self._cookie()}\r\n{form}\r\n{body}".encode()
        )
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 120)).decode("latin-1")
        text = await self._body(reader, head)
        status = int(head.split(" ", 2)[1])
        self._told[str(status)] += 1
        for name, value in re.findall(r"(?im)^set-cookie: ([^=]+)=([^;\r]*)", head):
            self._cookies[name] = value
        if status != expected:
            raise Refused(f"{method} {path} answers {status}")
        if expected == 302:
            return re.findall(r"(?im)^location: (\S+)", head)[0]
        return text

    async def _body(self, reader: Any, head: str) -> str:
        if length := re.search(r"(?im)^content-length: (\d+)", head):
            return (await reader.readexactly(int(length[1]))).decode()
        parts = []
        while size := int((await reader.readline()).split(b";")[0], 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        return b"".join(parts).decode()

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())


async def _spread(work: list[Any], within_s: float) -> tuple[list[float], Counter[str]]:
    """Start all, evenly over the time; how long each took, and what went wrong."""
    failed: Counter[str] = Counter()

    async def one(place: int, task: Any) -> float | None:
        await asyncio.sleep(within_s * place / len(work))
        try:
            return float(await task())
        except (Refused, OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            failed[f"{type(error).__name__}: {error}"[:120]] += 1
            return None

    took = await asyncio.gather(*(one(place, task) for place, task in enumerate(work)))
    return sorted(seconds for seconds in took if seconds is not None), failed


def _summary(took: list[float], failed: Counter[str]) -> dict[str, Any]:
    def at(share: float) -> float | None:
        return round(took[min(len(took) - 1, int(len(took) * share))], 3) if took else None

    return {
        "done": len(took),
        "failed": dict(failed),
        "p50_s": at(0.5),
        "p95_s": at(0.95),
        "p99_s": at(0.99),
        "max_s": at(1),
    }


async def ring(run: Running, given: argparse.Namespace) -> dict[str, Any]:
    """Join, reconnect, restart."""
    classes = (await asyncio.to_thread(ask, run, f"lessons({given.students}, {A_CLASS})"))[
        "lessons"
    ]
    port, told = int(run.url.rpartition(":")[2]), Counter[str]()
    browsers = [
        Browser(port, lesson["code"], student, told)
        for lesson in classes
        for student in lesson["students"]
    ]
    pid, start = web_process(run.url), time.perf_counter()
    before, used, busy = wire.memory_kib(pid), wire.cpu_s([pid]), wire.machine_busy_s()
    joined = await _spread([browser.join for browser in browsers], given.within)
    wall = time.perf_counter() - start
    found: dict[str, Any] = {
        "students": len(browsers),
        "lessons": len(classes),
        "within_s": given.within,
        "join": _summary(*joined),
        "server_ms_a_join": round((wire.cpu_s([pid]) - used) * 1000 / len(browsers), 1),
        "kib_a_student": round((wire.memory_kib(pid) - before) / len(browsers), 1),
        "others_cores": round(
            (wire.machine_busy_s() - busy - (wire.cpu_s([pid]) - used)) / wall, 2
        ),
    }
    for browser in browsers:
        browser.cut()
    back = await _spread([browser.come_back for browser in browsers], given.back)
    found["reconnect"] = _summary(*back)
    os.kill(pid, signal.SIGKILL)
    restarted = await _spread([browser.come_back for browser in browsers], 0)
    found["restart"] = _summary(*restarted)
    found["answers"] = dict(told)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Let a school join at once.")
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--within", type=float, default=15, help="seconds in which they come")
    parser.add_argument("--back", type=float, default=5, help="seconds in which they come back")
    given = parser.parse_args()
    with site() as run:
        run.forgive("")
        print(json.dumps(uvloop.run(ring(run, given)), indent=1))


if __name__ == "__main__":
    main()
