"""Web server and worker as children: started, watched, started again, stopped in order."""

from __future__ import annotations

import logging
import logging.handlers
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from launcher import ROOT, Stop

DEATHS = 5  # of one child
DEATHS_WITHIN_S = 60.0
LOOK_EVERY_S = 0.2
REST_S = 60.0  # of a child that the site can do without, when it keeps dying
STOP_S = 15.0  # what a child gets to end by itself
KEEP_LOG_DAYS = 30
LARGEST_LOG_BYTES = 50 * 1024 * 1024  # of a day: a flood of refusals must not fill the disk
# Lines of these two loggers of ours: the first are meant for the person at the terminal, the
# second are kept by themselves. Where a line says who wrote it, and nowhere else: an address
# that somebody made up can hold these words, too.
_WRITER = r"\d{4}-\d\d-\d\d [\d:.+-]+ [A-Z]+ civictable\."
NOTICE = re.compile(_WRITER + "notice (?P<text>.*)")
SECURITY = re.compile(_WRITER + "security ")


class Log(logging.handlers.TimedRotatingFileHandler):
    """A file for each day; when it is full, it says so and waits for the next."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, when="midnight", backupCount=KEEP_LOG_DAYS, encoding="utf-8")
        self._full = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write the line if the day's file still takes it."""
        written = os.fstat(self.stream.fileno()).st_size if self.stream else 0
        full = written >= LARGEST_LOG_BYTES
        if full and not self.shouldRollover(record):
            if self._full:
                return
            record.msg = "The log of this day is full; what follows is left out."
        self._full = full
        super().emit(record)


class Child:
    """One program that is kept alive. Its output goes to a log file of its own."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        env: Mapping[str, str],
        log: Path,
        tell: Callable[[str], None],
        *,
        security: Log | None = None,
        needed: bool = True,
    ) -> None:
        self.name = name
        self.log = log
        self.needed = needed  # the site is nothing without it
        self._command = command
        self._env = dict(env)
        self._tell = tell
        self._process: subprocess.Popen[str] | None = None
        self._handler = Log(log)
        self._security = security

    @property
    def pid(self) -> int | None:
        """Process id of the running program."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it, in its own process group: Ctrl-C reaches the launcher alone."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "launcher.child", str(os.getpid()), *self._command],
            cwd=ROOT,
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        threading.Thread(target=self._pump, args=(self._process,), daemon=True).start()

    def exit_code(self) -> int | None:
        """How it ended, or None while it runs."""
        return self._process.poll() if self._process else None

    def stop(self) -> None:
        """Ask it to end, wait, then end it."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def kill(self) -> None:
        """End it at once."""
        if self._process and self._process.poll() is None:
            self._process.kill()

    def note(self, line: str) -> None:
        """Write a line of the launcher itself into the log."""
        now = datetime.now().astimezone().isoformat(" ", "milliseconds")
        self._write(f"{now} launcher: {line}")

    def _write(self, line: str) -> None:
        self._handler.emit(_record(line))

    def _pump(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self._take(line.rstrip("\n"))

    def _take(self, line: str) -> None:
        self._write(line)
        if self._security is not None and SECURITY.match(line):
            self._security.emit(_record(line))
        if notice := NOTICE.match(line):
            self._tell(notice["text"].strip())


def _record(line: str) -> logging.LogRecord:
    return logging.LogRecord("child", logging.INFO, "", 0, line, None, None)


class Supervisor:
    """Keeps children alive until it is asked to end."""

    def __init__(self, children: Sequence[Child], tell: Callable[[str], None]) -> None:
        self._children = children
        self._tell = tell
        self._deaths: dict[str, deque[float]] = {
            child.name: deque(maxlen=DEATHS) for child in children
        }
        self._rests: dict[str, float] = {}  # until when, by the name of a child
        self._ending = threading.Event()

    def run(self, *, look: Callable[[], None]) -> None:
        """Start the children in order and watch them; ``look`` is called five times a second.

        Returns when asked to end by Ctrl-C, TERM or a closed terminal. The
        children are stopped in the order in which they were given.

        Raises:
            Stop: one that is needed died five times within a minute.
        """
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._asked)
        try:
            for child in self._children:
                child.start()
            while not self._ending.wait(LOOK_EVERY_S):
                for child in self._children:
                    if child.name in self._rests:
                        self._perhaps_again(child)
                    elif child.exit_code() is not None:
                        self._died(child)
                look()
        finally:
            for child in self._children:
                child.stop()

    def _asked(self, _number: int, _frame: object) -> None:
        if self._ending.is_set():  # asked twice: no more patience
            for child in self._children:
                child.kill()
        self._ending.set()

    def _died(self, child: Child) -> None:
        now, deaths = time.monotonic(), self._deaths[child.name]
        deaths.append(now)
        code = child.exit_code()
        child.note(f"{child.name} ended with {code}")
        if len(deaths) < DEATHS or now - deaths[0] >= DEATHS_WITHIN_S:
            self._tell(f"The {child.name} ended ({code}) and is started again.")
            child.start()
            return
        often = f"The {child.name} ended {DEATHS} times within a minute"
        if child.needed:
            raise Stop(f"{often}, so all was stopped. Why is written at the end of {child.log}")
        self._tell(
            f"{often}. The site goes on without it, and it is started again in a minute. "
            f"Why is written at the end of {child.log}"
        )
        self._rests[child.name] = now + REST_S

    def _perhaps_again(self, child: Child) -> None:
        if time.monotonic() >= self._rests[child.name]:
            del self._rests[child.name]
            child.start()
