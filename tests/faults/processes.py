"""The writer of one web process, driven by hand.

It keeps positions of its own, as a process does. Two of them on one database are two
processes, each with what it has last heard of; a new one is a process after a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.live.writer import Advance, Job, Result, Results, Task, Writer
from games.services import play


class Process:
    """``do`` returns what the writer answers, after its commit."""

    def __init__(self, seen: Callable[[str], play.Seen] = lambda match: {}) -> None:
        self._results: dict[int, Result] = {}
        self.writer = Writer(seen=seen, tell=self._tell)

    def do(self, match: object, *tasks: Task) -> list[Result]:
        """The results of tasks that waited together, in order."""
        return self.do_all(*((match, task) for task in tasks))

    def do_all(self, *tasks: tuple[object, Task]) -> list[Result]:
        """The same for tasks of several matches."""
        nobody: Any = None  # nobody awaits the future here
        jobs = [Job(str(match), task, nobody) for match, task in tasks]
        self._results.clear()
        self.writer._work(jobs)
        return [self._results[id(job)] for job in jobs]

    def _tell(self, advances: Sequence[Advance], results: Results) -> None:
        for job, result in results:
            self._results[id(job)] = result
