"""PostgreSQL and Redis of the tests' own, on free ports: tests kill and flush them."""

from __future__ import annotations

import contextlib
import os
import pwd
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


class Missing(Exception):
    """A program that a service needs is not installed. The message names it."""


# Below those that the system gives to whoever asks for any; each process of the tests has its
# own among ten.
_OURS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 10
_PORTS = range(10_000 + _OURS, 30_000, 10)


def free_port() -> int:
    """A port that nothing listens on now, and that nobody gets by chance.

    One of those that the system gives away may be taken by another test's server, or by
    a line that goes out, before its own server has started or while that starts again.
    """
    while True:
        port = random.SystemRandom().choice(_PORTS)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def postgres_programs() -> Path:
    """The folder of the newest PostgreSQL installed.

    Raises:
        Missing: none is.
    """
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: float(p.parts[-3])
    )
    if found:
        return found[-1].parent
    if initdb := shutil.which("initdb"):
        return Path(initdb).parent
    raise Missing("PostgreSQL is not installed (apt install postgresql)")


def redis_program() -> str:
    """The Redis server.

    Raises:
        Missing: it is not installed.
    """
    found = shutil.which("redis-server")
    if not found:
        raise Missing("Redis is not installed (apt install redis-server)")
    return found


def nginx_program() -> str:
    """The web server in front, which Debian keeps where users do not look.

    Raises:
        Missing: it or the program that makes its certificate is not installed.
    """
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if not found:
        raise Missing("nginx is not installed (apt install nginx)")
    if not shutil.which("openssl"):
        raise Missing("openssl is not installed (apt install openssl)")
    return found


def _until_open(port: int, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise TimeoutError(f"nothing listens on port {port} after {seconds} s")


@dataclass
class Postgres:
    """A cluster in a folder of its own, fast and unsafe: it holds nothing worth keeping."""

    programs: Path
    folder: Path
    port: int

    @property
    def log(self) -> str:
        """What it wrote so far."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def start(self) -> None:
        """Start it (again) and wait until it answers."""
        fast = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
        where = f"-p {self.port} -c listen_addresses=127.0.0.1"
        sockets = f"-c unix_socket_directories={self.folder}"
        self._run(
            "pg_ctl",
            *("-D", str(self.folder / "data"), "-w", "-l", str(self.folder / "log")),
            *("-o", f"{where} {sockets} {fast}", "start"),
        )

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast`` or, as if the power failed, ``immediate``."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def create(self, name: str) -> str:
        """Make an empty database and return its address."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "app", name)
        return f"postgresql://app@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*_as_postgres(), str(self.programs / program), *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}")


def _as_postgres() -> list[str]:
    """PostgreSQL refuses root, so root becomes its user."""
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if _root() else []


def _root() -> bool:
    return os.geteuid() == 0


@contextlib.contextmanager
def postgres() -> Iterator[Postgres]:
    """A running cluster; gone afterwards.

    Raises:
        Missing: PostgreSQL is not installed.
    """
    programs = postgres_programs()
    folder = Path(tempfile.mkdtemp(prefix="civictable-pg-"))
    if _root():
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    cluster = Postgres(programs, folder, free_port())
    try:
        cluster._run(
            "initdb",
            *("-D", str(folder / "data"), "-A", "trust", "-U", "app", "-E", "UTF8"),
            *("--locale=C.UTF-8", "--no-sync"),
        )
        cluster.start()
        yield cluster
    finally:
        if (folder / "data" / "postmaster.pid").exists():
            cluster.stop("immediate")
        shutil.rmtree(folder)


@dataclass
class Redis:
    """A server that keeps nothing on disk."""

    program: str
    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Its address for settings."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it (again) and wait until it listens."""
        self.process = subprocess.Popen(
            [
                *(self.program, "--port", str(self.port), "--bind", "127.0.0.1"),
                *("--save", "", "--appendonly", "no", "--dir", str(self.folder)),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _until_open(self.port)

    def stop(self) -> None:
        """End it at once, as a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextlib.contextmanager
def redis() -> Iterator[Redis]:
    """A running server; gone afterwards.

    Raises:
        Missing: Redis is not installed.
    """
    program = redis_program()
    folder = Path(tempfile.mkdtemp(prefix="civictable-redis-"))
    server = Redis(program, folder, free_port())
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)
