"""Children are stopped in order, started again when they die, given up when they keep dying."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator

import pytest

from launcher import Stop, supervisor
from launcher.supervisor import Log, Supervisor


class FakeChild:
    """A child whose death the test decides."""

    log = "web.log"

    def __init__(self, name: str, told: list[str]) -> None:
        self.name = name
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


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def children(told) -> list[FakeChild]:
    return [FakeChild("web server", told), FakeChild("worker", told)]


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


def test_five_deaths_within_a_minute_stop_all(children, told):
    def look() -> None:
        children[0].code = 1

    with pytest.raises(Stop, match="The web server ended 5 times within a minute"):
        Supervisor(children, told.append).run(look=look)

    assert told.count("start web server") == 5
    assert told[-2:] == ["stop web server", "stop worker"]


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
