"""The real program as the tests drive it: a subprocess with its own data folder and ports.

``with site() as run:`` starts ``civic.py`` as a school does: one web process and
a worker on SQLite. With more processes or PostgreSQL it starts what a bigger
installation runs: several web servers and a worker on their own PostgreSQL and
Redis. Either way the block ends with the whole process group gone, and fails
when a traceback stands in a log.

Only the first start of a site makes tables, decks and static files, and that costs
more than the rest of it. So it is done once for all tests of a process, whose sites
begin with copies; who tests a first start passes an empty folder as ``data``.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPException
from pathlib import Path
from typing import Literal, TypeVar

from launcher.site import Site
from tests.services import Postgres, Redis, free_port, postgres, redis

ROOT = Path(__file__).resolve().parent.parent
READY_S = 180.0  # a start takes 4 s; this is for machines with much else to do
PATIENCE_S = 180.0
LOOK_EVERY_S = 0.01
LAST_SIGNS = 6_000  # of the logs, in a failure
STOP_S = 40.0


T = TypeVar("T")


def until(look: Callable[[], T], *, tell: Callable[[], str] = lambda: "") -> T:
    """What ``look`` finds, once it finds something. In a failure ``tell`` says more."""
    end = time.monotonic() + PATIENCE_S
    while not (found := look()):
        assert time.monotonic() < end, f"It did not happen in time. {tell()}"
        time.sleep(LOOK_EVERY_S)
    return found


@dataclass
class Running:
    """A site that answers. ``url`` is its first web process; ``urls`` are all of them."""

    data: Path
    urls: list[str]
    processes: list[subprocess.Popen[bytes]]
    env: dict[str, str]
    logs: list[Path]
    postgres: Postgres | None = None
    redis: Redis | None = None
    forgiven: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Address of the (first) web process, without a slash at its end."""
        return self.urls[0]

    @property
    def output(self) -> str:
        """What the program said at its terminal."""
        return self.logs[0].read_text(encoding="utf-8", errors="replace")

    def first_link(self) -> str:
        """The link that makes the administrator, as the program printed it."""
        end = time.monotonic() + READY_S
        while "End with Ctrl-C." not in self.output and time.monotonic() < end:
            time.sleep(0.05)  # it answers a little before it says so
        found = re.search(r"http://\S+/accounts/invitation/\S+", self.output)
        assert found, f"no first link in:\n{self.output}"
        return found[0]

    def manage(self, *arguments: str, check: bool = True) -> str:
        """Run one of Django's commands on this site's data and return what it printed."""
        return _manage(self.env, *arguments, check=check)

    def log_text(self) -> str:
        """All logs of the site together."""
        files = [*sorted((self.data / "logs").glob("*.log")), *self.logs]
        return "\n".join(
            path.read_text(encoding="utf-8", errors="replace") for path in files if path.exists()
        )

    def children(self) -> dict[str, int]:
        """Process ids of web server (``uvicorn``) and worker (``celery``), while they run."""
        launcher = self.processes[0].pid
        found = {}
        for pid in Path(f"/proc/{launcher}/task/{launcher}/children").read_text("ascii").split():
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
                continue
            for name in ("uvicorn", "celery"):
                if f"-m {name}" in command:
                    found[name] = int(pid)
        return found

    def until(self, look: Callable[[], T]) -> T:
        """What ``look`` finds, once it finds something; else what the program said last."""
        return until(look, tell=lambda: f"{self._ends()}\n{self.log_text()[-LAST_SIGNS:]}")

    def _ends(self) -> str:
        return f"exit codes of what was started: {[p.poll() for p in self.processes]}"

    def forgive(self, text: str) -> None:
        """Do not fail for tracebacks that end in a line with this text: the test provokes them."""
        self.forgiven.append(text)

    def stop(self) -> None:
        """Ask the program to end, as TERM does, and wait for it."""
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            process.wait(STOP_S)


@contextlib.contextmanager
def site(
    processes: int = 1,
    database: Literal["sqlite", "postgres"] = "sqlite",
    env: Mapping[str, str] | None = None,
    *,
    data: Path | None = None,
    options: tuple[str, ...] = (),
    seed: int | None = None,
) -> Iterator[Running]:
    """Start the program, wait for ``/healthz``, yield it, end it.

    ``data``: keep using this folder (first starts, restarts); otherwise one that was started
    once before, removed afterwards.
    ``options``: more words for ``civic.py``.
    ``seed``: of the dice and decks; then the web process runs alone, without launcher and worker.

    Raises:
        tests.services.Missing: PostgreSQL or Redis is needed and not installed.
    """
    with contextlib.ExitStack() as stack:
        if data is None:
            folder = Path(tempfile.mkdtemp(prefix="civictable-site-"))
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            shutil.copytree(_started_once(), folder, dirs_exist_ok=True)
        else:
            folder = data
        extra = dict(env or {})
        cluster = server = None
        if database == "postgres" or processes > 1:
            cluster = stack.enter_context(postgres())
            server = stack.enter_context(redis())
            extra |= {"DATABASE_URL": cluster.create("site"), "REDIS_URL": server.address}
        if seed is None:
            running = _start(folder, processes, extra, options)
        else:
            running = _start_seeded(folder, extra, seed)
        running.postgres, running.redis = cluster, server
        stack.callback(_end, running)
        _wait_until_ready(running)
        yield running
        running.stop()
        _fail_on_tracebacks(running)


@cache
def _started_once() -> Path:
    """A data folder as a first start leaves it; removed when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="civictable-started-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    env = _clean({}, folder) | {"DJANGO_SETTINGS_MODULE": "config.settings.production"}
    _manage(env, "prepare")
    return folder


def _start(folder: Path, count: int, extra: dict[str, str], options: tuple[str, ...]) -> Running:
    env = _clean(extra, folder)
    ports = [free_port() for _ in range(count)]
    terminal = folder / "terminal.log"
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "civic.py", "--port", str(ports[0]), "--data", str(folder), *options]
    processes = [spawn(command, env, terminal)]
    first = Site(data=folder, port=ports[0])
    first.python = Path(sys.executable)
    logs = [terminal]
    running = Running(
        data=folder,
        urls=[f"http://127.0.0.1:{port}" for port in ports],
        processes=processes,
        env=env | {"DJANGO_SETTINGS_MODULE": "config.settings.production"},
        logs=logs,
    )
    if count > 1:  # civic.py prepares the site and runs one; the others join it
        _wait_for(running, running.urls[:1])
        for number, port in enumerate(ports[1:], start=2):
            log = folder / f"web-{number}.log"
            logs.append(log)
            other = Site(data=folder, port=port)
            other.python = Path(sys.executable)
            processes.append(spawn(other.web_command(), running.env, log))
    return running


def _clean(extra: Mapping[str, str], folder: Path) -> dict[str, str]:
    """This environment without what belongs to a site, and then the site's own."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("CIVIC_")}
    for name in ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"):
        clean.pop(name, None)
    return clean | dict(extra) | {"CIVIC_DATA": str(folder), "PYTHONUNBUFFERED": "1"}


def _start_seeded(folder: Path, extra: dict[str, str], seed: int) -> Running:
    """A web process whose dice are known. ``civic.py`` has no way to ask for that."""
    env = {"DJANGO_SETTINGS_MODULE": "tests.seeded_settings"} | _clean(extra, folder)
    env["CIVIC_TEST_SEED"] = str(seed)
    port = free_port()
    terminal = folder / "terminal.log"
    folder.mkdir(parents=True, exist_ok=True)
    alone = Site(data=folder, port=port)
    alone.python = Path(sys.executable)
    url = f"http://127.0.0.1:{port}"
    running = Running(data=folder, urls=[url], processes=[], env=env, logs=[terminal])
    prepared = json.loads(running.manage("prepare", "--qr", "").splitlines()[-1])
    terminal.write_text(f"{url}{prepared['first_path']}\nEnd with Ctrl-C.\n", encoding="utf-8")
    running.processes.append(spawn(alone.web_command(), env, terminal))
    return running


def _manage(env: Mapping[str, str], *arguments: str, check: bool = True) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        cwd=ROOT,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not check or done.returncode == 0, done.stderr
    return done.stdout


def spawn(command: list[str], env: Mapping[str, str], log: Path) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own, with its output in a log."""
    with log.open("ab") as out:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _wait_until_ready(running: Running) -> None:
    _wait_for(running, running.urls)


def _wait_for(running: Running, urls: list[str]) -> None:
    end = time.monotonic() + READY_S
    for url in urls:
        while not answers(url):
            ended = [p.returncode for p in running.processes if p.poll() is not None]
            assert not ended, f"the site ended with {ended}:\n{running.log_text()}"
            assert time.monotonic() < end, f"not ready after {READY_S} s:\n{running.log_text()}"
            time.sleep(0.1)


def answers(url: str) -> bool:
    """Whether a web process says that it is well."""
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except (OSError, HTTPException):
        return False


def _end(running: Running) -> None:
    """Whatever happened: nothing of the site is left running."""
    for process in running.processes:
        if process.poll() is None:
            process.terminate()
    for process in running.processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _fail_on_tracebacks(running: Running) -> None:
    text = running.log_text()
    blocks = re.findall(
        r"^Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)*(\S.*)", text, re.M
    )
    unforgiven = [
        last for last in blocks if not any(allowed in last for allowed in running.forgiven)
    ]
    assert not unforgiven, f"tracebacks in the logs: {unforgiven}\n{text}"
