"""The outside of a child: started by a page or a worker, ended when it takes too long."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

from quizzes.limited.program import put, take

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

ROOT = Path(__file__).resolve().parents[2]
LOOK_EVERY_S = 0.05
_KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP")  # of our environment; no secret among them


class Died(Exception):
    """The child ended on a request: too long, too much memory, or broken by it."""


class Busy(Exception):
    """Others had their turn for longer than we wait."""


class Child:
    """A program of this package, alive inside ``with``. After ``Died`` the next request gets
    a new one."""

    def __init__(self, module: str, *, wall_s: float) -> None:
        self._module = f"quizzes.limited.{module}"
        self._wall_s = wall_s
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    @property
    def pid(self) -> int | None:
        """Process id, None before the first request."""
        return self._process.pid if self._process else None

    def ask(self, request: bytes) -> bytes:
        """The answer to one request.

        Raises:
            Died: there was none, or not in time.
        """
        process = self._process or self._start()
        timer = threading.Timer(self._wall_s, process.kill)
        timer.start()
        try:
            put(cast("BinaryIO", process.stdin), request)
            answer = take(cast("BinaryIO", process.stdout))
        except OSError:
            answer = None
        finally:
            timer.cancel()
        if answer is None:
            self._end()
            raise Died
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", self._module],
            cwd=ROOT,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            with suppress(BrokenPipeError), process:  # closes the pipes and waits
                pass


@contextmanager
def turn(lock: Path, *, wait_s: float) -> Iterator[None]:
    """Have the machine for oneself: of all processes that name ``lock`` one is inside.

    The operating system holds the lock, so it ends with its process.

    Raises:
        Busy: it was not free within ``wait_s``.
    """
    end = time.monotonic() + wait_s
    fd = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not _locked(fd):
            if time.monotonic() >= end:
                raise Busy
            time.sleep(LOOK_EVERY_S)
        yield
    finally:
        os.close(fd)


def _locked(fd: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
