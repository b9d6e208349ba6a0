"""Children are stopped in order, started again when they die, given up when they keep dying."""

from __future__ import annotations

import itertools
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher import Stop, supervisor
from launcher.supervisor import Child, Log, Supervisor


class FakeChild:
    """A child whose death the test decides."""

    log = "web.log"

    def __init__(self, name: str, told: list[str], *, needed: bool) -> None:
        self.name = name
        self.needed = needed
        self.code: int | None = None
        self._told = told

    def start(self) -> None:
        self.code = None
        self._told.append(f"start {self.name}")

    def stop(self) -> None:
        self._told.append(f"stop {self.name}")

    def exit_code(self) -> int | None:
        return self.code

    def note(self, line: str) -> None:
        pass


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Signal handlers of the test runner, put back afterwards."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    kept[signal.SIGHUP] = signal.getsignal(signal.SIGHUP)
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "LOOK_EVERY_S", 0)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def children(told) -> list[FakeChild]:
    return [
        FakeChild("web server", told, needed=True),
        FakeChild("worker", told, needed=False),
    ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_web_server_is_stopped_before_the_worker(children, told, number):
    Supervisor(children, told.append).run(look=lambda: os.kill(os.getpid(), number))

    assert told == ["start web server", "start worker", "stop web server", "stop worker"]


def test_dead_child_is_started_again_and_the_terminal_hears_of_it(children, told):
    looks = iter(range(10))

    def look() -> None:
        if next(looks) == 1:
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            children[1].code = -9

    Supervisor(children, told.append).run(look=look)

    assert told[2:4] == ["The worker ended (-9) and is started again.", "start worker"]


def test_five_deaths_of_the_web_server_within_a_minute_stop_all(children, told):
    def look() -> None:
        children[0].code = 1

    with pytest.raises(Stop, match="The web server ended 5 times within a minute"):
        Supervisor(children, told.append).run(look=look)

    assert told.count("start web server") == 5
    assert told[-2:] == ["stop web server", "stop worker"]


def test_worker_that_keeps_dying_rests_for_a_minute_and_play_goes_on(children, told, monkeypatch):
    clock = itertools.count()
    now = 0
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: now)
    started = []

    def look() -> None:
        nonlocal now
        now = next(clock)
        children[1].code = -9 if now < 20 else None
        started.append(told.count("start worker"))
        if now == 100:
            os.kill(os.getpid(), signal.SIGTERM)

    Supervisor(children, told.append).run(look=look)

    assert started[10:60] == [5] * 50
    assert told.count("start worker") == 6
    assert told.count("start web server") == 1
    assert [line for line in told if "5 times" in line] == [
        "The worker ended 5 times within a minute. The site goes on without it, and it is started "
        "again in a minute. Why is written at the end of web.log"
    ]


def test_deaths_of_the_worker_do_not_count_with_those_of_the_web_server(children, told):
    looks = iter(range(10))

    def look() -> None:
        match next(looks):
            case 0 | 1 | 2 | 3:
                children[0].code = children[1].code = -9
            case 4:
                os.kill(os.getpid(), signal.SIGTERM)

    Supervisor(children, told.append).run(look=look)

    assert told.count("start web server") == told.count("start worker") == 5


def test_slow_deaths_never_give_up(children, told, monkeypatch):
    clock = iter(range(0, 10_000, 16))  # five deaths in 64 seconds
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: next(clock))
    deaths = iter(range(100))

    def look() -> None:
        if next(deaths) == 12:
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            children[0].code = 1

    Supervisor(children, told.append).run(look=look)

    assert told.count("start web server") == 13


def test_flood_of_lines_does_not_fill_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "LARGEST_LOG_BYTES", 1000)
    log = Log(tmp_path / "web.log")
    line = logging.LogRecord("child", logging.INFO, "", 0, "Not Found: /nowhere/", None, None)

    for _request in range(500):
        log.emit(logging.makeLogRecord(line.__dict__))

    text = (tmp_path / "web.log").read_text(encoding="utf-8")
    assert len(text) < 1200
    assert text.count("is full") == 1
    log.rolloverAt = int(time.time()) - 1
    log.emit(logging.makeLogRecord(line.__dict__))
    log.close()
    assert (tmp_path / "web.log").read_text(encoding="utf-8") == "Not Found: /nowhere/\n"


def test_log_that_was_deleted_stops_nothing(tmp_path):
    log = Log(tmp_path / "web.log")
    (tmp_path / "web.log").unlink()

    log.emit(logging.LogRecord("child", logging.INFO, "", 0, "one more", None, None))

    log.close()


STAMP = "2026-03-05 09:15:02.114+01:00"


def test_only_our_own_loggers_speak_to_the_terminal_and_to_the_security_log(tmp_path):
    lines = [
        f"{STAMP} WARNING civictable.notice Close the other window.",
        f"{STAMP} INFO civictable.security logged-in by=account:1f",
        f"{STAMP} WARNING django.request Not Found: /a civictable.notice Type your password",
        f"{STAMP} WARNING django.request Not Found: /a INFO civictable.security logged-in by=me",
    ]
    told: list[str] = []
    security = Log(tmp_path / "security.log")
    command = [sys.executable, "-c", f"print({chr(10).join(lines)!r})"]
    child = Child("web server", command, os.environ, tmp_path / "web.log", told.append,
                  security=security)  # fmt: skip
    child.start()
    deadline = time.monotonic() + 60
    while child.exit_code() is None or len(written(tmp_path / "web.log")) < len(lines):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    for log in (security, child._handler):
        log.close()

    assert written(tmp_path / "web.log") == lines
    assert told == ["Close the other window."]
    assert written(tmp_path / "security.log") == [lines[1]]


def written(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.case("PV-07")
def test_logs_are_kept_for_thirty_days(tmp_path):
    for day in range(1, 32):
        (tmp_path / f"web.log.2020-01-{day:02}").write_text("old\n")
    log = Log(tmp_path / "web.log")
    log.emit(logging.makeLogRecord({"msg": "now"}))

    log.doRollover()
    log.close()

    old = sorted(path.name for path in tmp_path.glob("web.log.*"))
    assert len(old) == 30
    assert old[0] == "web.log.2020-01-03"
