"""The one thread of a process that writes moves (docs/architecture.md).

It takes what waits, of all matches, judges it against the positions it holds and
commits it as one transaction; only then is anybody answered. All changes of
positions in this process happen here, so two threads never judge by different ones.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from msgspec import Struct
from msgspec.structs import replace

from classroom import transactions
from games.models import Match
from games.position import Position
from games.selectors import positions
from games.services import chances, log, play, steady
from games.services.codes import Refusal
from games.services.log import Change, LostCompare
from games.services.play import Accepted, Refused, RulesBroken, Submission

logger = logging.getLogger("games.live")

LARGEST_BATCH = 64
MORE_TRIES = 3  # where the database ended one of two that were in each other's way
LONGEST_QUEUE = 2000  # further ones are told to try again

Answer = Accepted | Refused
Result = Answer | Position | None
Advance = tuple[Position, tuple[Accepted, ...]]  # a new position and how it came about


class Settle(Struct, frozen=True):
    """Look at a team's vote again."""

    seat: int


class Expire(Struct, frozen=True):
    """Play for those whose time is over."""

    started_at: float = 0  # when this process began: what was open before gets some grace


class Reload(Struct, frozen=True):
    """Somebody else may have written: read the match anew."""


class Explain(Struct, frozen=True):
    """A member asks that the teacher explains the open question."""

    student: str
    decision: int


Task = Submission | Settle | Expire | Reload | Explain


Told = Callable[[Result], None]


class Job(Struct):
    match: str
    task: Task
    told: Told


Results = list[tuple[Job, Result]]


class Writer(threading.Thread):
    """Call ``put``; after each commit ``tell`` is called in this thread, once for the batch."""

    def __init__(
        self,
        *,
        seen: Callable[[str], play.Seen],
        tell: Callable[[Sequence[Advance], Results], None],
    ) -> None:
        super().__init__(name="match-writer", daemon=True)
        self._seen = seen
        self._tell = tell
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._positions: dict[str, Position] = {}

    def put(self, match: str, task: Task, told: Told) -> None:
        """Hand in work; answered after the commit, with ``busy`` at once when too much waits.

        ``told`` goes back with the result; whoever is told of the batch calls it.
        """
        if self._queue.qsize() >= LONGEST_QUEUE:
            told(Refused.of(Refusal.BUSY))
        else:
            self._queue.put(Job(match, task, told))

    def held(self, match: str) -> Position | None:
        """The position by which the next move of a match is judged, if it is held."""
        return self._positions.get(match)

    def forget(self, match: str) -> None:
        """Hold this match no longer; nobody here watches it."""
        self._positions.pop(match, None)

    def stop(self) -> None:
        """Finish what waits, then end."""
        self._queue.put(None)
        self.join()

    def run(self) -> None:
        try:
            while (jobs := self._take()) is not None:
                self._work(jobs)
        finally:
            connection.close()

    def _take(self) -> list[Job] | None:
        job = self._queue.get()
        jobs: list[Job] = []
        while job is not None:
            jobs.append(job)
            if len(jobs) == LARGEST_BATCH:
                return jobs
            try:
                job = self._queue.get_nowait()
            except queue.Empty:
                return jobs
        if jobs:
            self._queue.put(None)
        return jobs or None

    def _work(self, jobs: Sequence[Job]) -> None:
        # The second try stands outside the handler: what fails then is told by itself in the log.
        if self._is_done(jobs):
            return
        for job in jobs:
            self._positions.pop(job.match, None)
        if len(jobs) > 1:
            for job in jobs:
                self._work([job])
        else:
            self._once_more(jobs[0])

    def _is_done(self, jobs: Sequence[Job]) -> bool:
        """Whether all jobs have their answers; else somebody else was first with one of them."""
        try:
            self._commit_again(jobs)
        except (OperationalError, InterfaceError):
            # Locked for too long, or the database went away: nothing happened.
            logger.warning("The database did not take %s moves in time.", len(jobs), exc_info=True)
            connection.close()
            self._answer(jobs, Refused.of(Refusal.BUSY))
        except (LostCompare, DatabaseError):
            return False
        except Exception:
            logger.exception("The writer failed on %s jobs.", len(jobs))
            self._answer(jobs, Refused.of(Refusal.SERVER_ERROR))
        return True

    def _once_more(self, job: Job) -> None:
        try:
            self._commit([job])
        except LostCompare:
            self._answer([job], Refused.of(Refusal.BUSY))
        except (DatabaseError, InterfaceError):
            logger.warning("The database refused a move.", exc_info=True)
            connection.close()
            self._answer([job], Refused.of(Refusal.BUSY))
        except Exception:
            logger.exception("The writer failed on a job.")
            self._answer([job], Refused.of(Refusal.SERVER_ERROR))

    def _commit_again(self, jobs: Sequence[Job]) -> None:
        """Commit, as often as that may help (case CC-11)."""
        for left in reversed(range(MORE_TRIES + 1)):
            try:
                self._commit(jobs)
            except OperationalError as error:
                if not left or not transactions.is_conflict(error):
                    raise
                transactions.step_aside()
                for job in jobs:
                    self._positions.pop(job.match, None)
            else:
                return

    def _commit(self, jobs: Sequence[Job]) -> None:
        """Judge all, write all, then tell all."""
        before: dict[str, Position] = {}
        after: dict[str, Position] = {}
        happened: dict[str, list[Accepted]] = {}
        answers: list[Result] = []
        for job in jobs:
            try:
                position = self._position(job, before, after, happened)
                answer, steps = self._judge(job, position)
                if job.match not in happened and _is_outdated(position, job.task, answer, steps):
                    position = before[job.match] = after[job.match] = self._loaded(job.match)
                    answer, steps = self._judge(job, position)
            except Match.DoesNotExist:
                answers.append(Refused.of(Refusal.NOT_FOUND))
                continue
            answers.append(answer)
            if steps:
                happened.setdefault(job.match, []).extend(steps)
                after[job.match] = steps[-1].position
        changes = [
            Change(before=before[match], happened=tuple(steps)) for match, steps in happened.items()
        ]
        if any(step.record or step.votes for steps in happened.values() for step in steps):
            with transaction.atomic():
                log.write(changes)
        self._positions.update(after)
        self._tell(
            [(position, tuple(happened.get(match, ()))) for match, position in after.items()],
            list(zip(jobs, answers, strict=True)),
        )

    def _position(
        self,
        job: Job,
        before: dict[str, Position],
        after: dict[str, Position],
        happened: Mapping[str, Sequence[Accepted]],
    ) -> Position:
        """The position that a job is judged by; loaded where it must be."""
        match = job.match
        ahead = (
            isinstance(job.task, Submission)
            and match in self._positions
            and (job.task.decision > self._positions[match].version)
        )
        wanted = isinstance(job.task, Reload) or ahead
        if wanted and match not in happened:
            before[match] = after[match] = self._loaded(match)
        elif match not in after:
            position = self._positions.get(match)
            if position is None:
                position = after[match] = positions.load(match)
            before[match] = position
            return position
        return after[match]

    def _loaded(self, match: str) -> Position:
        loaded, held = positions.load(match), self._positions.get(match)
        return loaded if held is None else _stages_kept(held, loaded)

    def _judge(self, job: Job, position: Position) -> tuple[Result, list[Accepted]]:
        at = steady.now()
        try:
            match job.task:
                case Submission() as submission:
                    submission = replace(submission, at=at, bot_delay_s=chances.bot_delay_s())
                    answer = play.submit(
                        position, submission, seen=self._seen(job.match), chances=chances.live
                    )
                    if isinstance(answer, Refused):
                        answer = _earlier(position, submission) or answer
                    changed = isinstance(answer, Accepted) and answer.position is not position
                    return answer, [answer] if changed else []  # type: ignore[list-item]
                case Settle(seat):
                    settled = play.settle(
                        position,
                        seat,
                        at=at,
                        seen=self._seen(job.match),
                        chances=chances.live,
                        bot_delay_s=chances.bot_delay_s(),
                    )
                    return settled, [settled] if settled else []
                case Expire(started_at):
                    return None, self._expire(position, at, started_at)
                case Explain(student, decision):
                    answer = play.explained(position, student=student, decision=decision, at=at)
                    return answer, [answer] if isinstance(answer, Accepted) else []
                case Reload():
                    return position, []
        except RulesBroken as error:
            logger.exception("Match %s is frozen: %s", position.match, error)
            frozen = play.stopped(
                position, kind="freeze", status="frozen", at=at, data={"error": str(error)}
            )
            return Refused.of(Refusal.FROZEN), [frozen]

    def _expire(self, position: Position, at: float, started_at: float) -> list[Accepted]:
        steps: list[Accepted] = []
        for due in play.expired(position, at, started_at=started_at):
            submission = replace(due, bot_delay_s=chances.bot_delay_s())
            answer = play.submit(position, submission, seen={}, chances=chances.live)
            if isinstance(answer, Accepted):
                position = answer.position
                steps.append(answer)
        seat = play.deserted(position)
        if seat is not None:
            steps.append(play.paused(position, at=at, why="deserted", seat=seat))
        return steps

    def _answer(self, jobs: Sequence[Job], answer: Answer) -> None:
        self._tell((), [(job, answer) for job in jobs])


def _earlier(position: Position, submission: Submission) -> Answer | None:
    """The answer to a request that was carried out so long ago that the position forgot it."""
    if submission.request_id is None or submission.request_id in position.answered:
        return None
    earlier = positions.answer_to(position.match, submission.request_id)
    return None if earlier is None else play.repeated(position, submission, earlier)


def _is_outdated(position: Position, task: Task, answer: Result, steps: Sequence[Accepted]) -> bool:
    """Whether nothing came of a task by what this process had last heard of and is no longer so.

    Who is refused, and the clock that says something is due, know of newer things, perhaps.
    """
    nothing = isinstance(answer, Refused) or (isinstance(task, Expire) and not steps)
    return (
        nothing and not Match.objects.filter(pk=position.match, version=position.version).exists()
    )


def _stages_kept(held: Position, loaded: Position) -> Position:
    """When a silent stage ended is held in memory alone."""
    kept = {
        opened.decision.seat: held.open_since_s[opened.decision.seat]
        for opened in loaded.timing.opened
        if opened.decision.seat in held.open_since_s
        and (old := held.opened(opened.decision.seat)) is not None
        and old.version == opened.version
    }
    return replace(loaded, open_since_s=kept) if kept else loaded
