"""Breaks the program on purpose: the negative controls of the kill harness.

With this folder on ``PYTHONPATH`` Python imports this module at its start.
``CIVIC_SABOTAGE`` names what is broken once the module concerned is loaded.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
import time
from types import ModuleType


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


BROKEN = {
    "ack_before_commit": ("games.live.writer", ack_before_commit),
    "no_guard": ("games.services.log", no_guard),
    "no_heartbeat": ("games.live.watch", no_heartbeat),
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
