"""Breaks the program on purpose: negative controls of the kill harness, and ends at named points.

With this folder on ``PYTHONPATH`` Python imports this module at its start.
``CIVIC_SABOTAGE`` names what is broken once the module concerned is loaded. ``dies_…`` ends the
process at a point of a move; ``CIVIC_SABOTAGE_ONCE`` is the file that it leaves, and it dies only
as long as there is none. ``CIVIC_ON_DISK`` is a folder for copies of what was forced to the disk.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import signal
import sys
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any


def ack_before_commit(writer: ModuleType) -> None:
    """Players are answered first; the commit follows a moment later."""
    commit, write = writer.Writer._commit, writer.log.write

    def early(self, jobs):
        def write_late(changes):
            asked = {job.task.request_id: job for job in jobs if hasattr(job.task, "request_id")}
            steps = [step for change in changes for step in change.happened if step.record]
            self._tell((), [(asked[s.record.request_id], s) for s in steps if s.record.request_id])
            time.sleep(0.2)
            write(changes)

        writer.log.write = write_late
        try:
            commit(self, jobs)
        finally:
            writer.log.write = write

    writer.Writer._commit = early


def synchronous(writer: ModuleType, *, how: str) -> None:
    """Commits on SQLite that the system may keep to itself: not as with ``FULL``."""
    commit = writer.Writer._commit

    def carelessly(self, jobs):
        with importlib.import_module("django.db").connection.cursor() as cursor:
            cursor.execute(f"PRAGMA synchronous={how}")
        commit(self, jobs)

    writer.Writer._commit = carelessly


def no_guard(log: ModuleType) -> None:
    """The compare-and-set is gone; the test drops the constraints from the database."""
    compare = 'AND "version" = %s'
    assert compare in log.UPDATE_MATCH
    log.UPDATE_MATCH = log.UPDATE_MATCH.replace(compare, "AND %s >= 0")


def no_heartbeat(watch: ModuleType) -> None:
    """Processes neither tell each other of new versions nor look for them."""

    async def silent(*_: object) -> None:
        """Say nothing."""

    sys.modules["games.live.hints"].give = silent
    watch.look = silent


MOVES_BEFORE = 8  # of people, that go well


class Death:
    """The end of a process at a move that was chosen before."""

    def __init__(self) -> None:
        self._left = MOVES_BEFORE
        self._mark = Path(os.environ["CIVIC_SABOTAGE_ONCE"])

    def is_due(self, requests: list[str]) -> bool:
        """Whether it comes with these moves, by the ids of their requests."""
        if not requests or self._mark.exists():
            return False
        self._left -= 1
        return self._left == 0

    def come(self, requests: list[str]) -> None:
        """Leave the mark, then end as by ``kill -9``."""
        self._mark.write_text("\n".join(requests))
        os.kill(os.getpid(), signal.SIGKILL)


def _requests(steps: Iterable[Any]) -> list[str]:
    """The ids of the moves of people among what happened."""
    return [step.record.request_id for step in steps if step.record and step.record.request_id]


def dies_writing(writer: ModuleType, *, after: bool) -> None:
    """In the transaction, before or after the rows are written."""
    death, write = Death(), writer.log.write

    def dying(changes):
        requests = _requests(step for change in changes for step in change.happened)
        due = death.is_due(requests)
        if due and not after:
            death.come(requests)
        write(changes)
        if due:
            death.come(requests)

    writer.log.write = dying


def dies_telling(hub: ModuleType, *, shown: bool, answered: bool) -> None:
    """After the commit: nobody knows, the boards alone were sent, or the answers, too."""
    death, tell = Death(), hub.Hub._told

    def dying(self, advances, results):
        requests = _requests(step for _position, happened in advances for step in happened)
        due = death.is_due(requests)
        if due and not shown:
            death.come(requests)
        tell(self, advances, () if due and not answered else results)
        if due:  # what was said is under way by then
            self._loop.call_later(0.2, death.come, requests)

    hub.Hub._told = dying


BROKEN = {
    "ack_before_commit": ("games.live.writer", ack_before_commit),
    "synchronous_off": ("games.live.writer", partial(synchronous, how="OFF")),
    "synchronous_normal": ("games.live.writer", partial(synchronous, how="NORMAL")),
    "no_guard": ("games.services.log", no_guard),
    "no_heartbeat": ("games.live.watch", no_heartbeat),
    "dies_before_write": ("games.live.writer", partial(dies_writing, after=False)),
    "dies_in_transaction": ("games.live.writer", partial(dies_writing, after=True)),
    "dies_after_commit": ("games.live.hub", partial(dies_telling, shown=False, answered=False)),
    "dies_after_board": ("games.live.hub", partial(dies_telling, shown=True, answered=False)),
    "dies_after_answer": ("games.live.hub", partial(dies_telling, shown=True, answered=True)),
}


class Saboteur(importlib.abc.MetaPathFinder):
    """Breaks one module right after it was loaded."""

    def __init__(self, module: str, breaks) -> None:
        self._module, self._breaks = module, breaks

    def find_spec(self, name, path, target=None):
        if name != self._module:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        load, breaks = spec.loader.exec_module, self._breaks

        def exec_module(module):
            load(module)
            breaks(module)

        spec.loader.exec_module = exec_module
        return spec


wanted = os.environ.get("CIVIC_SABOTAGE")
if wanted in BROKEN:  # "late_to_disk" is left to the database
    sys.meta_path.insert(0, Saboteur(*BROKEN[wanted]))
if folder := os.environ.get("CIVIC_ON_DISK"):
    import on_disk

    copies = on_disk.keep(Path(folder))  # for as long as the process lives
