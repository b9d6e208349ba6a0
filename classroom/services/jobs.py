"""Long work as a row: the row is the truth, the queue only a hint (docs/architecture.md).

An app registers what a kind of job does with ``register``. The work gets the job
and a function to tell its progress, writes outside transactions, and returns the
name of the file it left in ``folder()``, or an empty string. It may be run twice.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from kombu.exceptions import OperationalError as QueueAway

from classroom.access import Actor, TeacherActor, access_job
from classroom.errors import DomainError, NotThere
from classroom.models import Job
from classroom.transactions import is_passing, patient, whole

log = logging.getLogger(__name__)

Progress = Callable[[int], None]  # tells the share done in per cent
Work = Callable[[Job, Progress], str]

TASK = "classroom.run_job"
STUCK_AFTER = timedelta(minutes=5)  # without a sign of life
MOST_ATTEMPTS = 3
TELL_EVERY_S = 1.0

_works: dict[str, Work] = {}


class NotStuck(DomainError):
    """Only a failed or silent job is done again."""

    code = "not_stuck"
    message = _("This is still being worked on. Wait a moment.")
    status = 409


def register(kind: str, work: Work) -> None:
    """Say what a kind of job does. Call it in ``AppConfig.ready``."""
    _works[kind] = work


def folder() -> Path:
    """Where results are kept; made when missing."""
    path = Path(settings.MEDIA_ROOT) / "jobs"
    path.mkdir(parents=True, exist_ok=True)
    return path


@whole
def start_job(*, actor: Actor, kind: str, args: dict[str, Any]) -> Job:
    """Queue a job for this teacher. Access to what ``args`` names is the caller's check.

    Raises:
        NotThere: no such kind of job, or no teacher.
    """
    if not isinstance(actor, TeacherActor) or kind not in _works:
        raise NotThere
    job = Job.objects.create(owner=actor.teacher, kind=kind, args=args)
    _queue(job.pk)
    return job


def run(job_id: UUID) -> None:
    """Do one job. A job that is done, failed for good, or under way elsewhere is left alone.

    Where the database had no time it is done again, like one whose worker ended in the middle.
    """
    job = _taken(job_id)
    if job is None:
        return
    try:
        result = _works[job.kind](job, _progress_of(job))
    except DomainError as refusal:
        _end(job, Job.State.FAILED, message=str(refusal.message))
    except Exception as error:
        if _may_pass(error) and job.attempts < MOST_ATTEMPTS:
            log.warning("Job %s (%s) waits for the database: %s", job.pk, job.kind, error)
            _wait_again(job)
            return
        log.exception("Job %s (%s) failed.", job.pk, job.kind)
        _end(job, Job.State.FAILED, message=str(_("Something went wrong on our side. Try again.")))
    else:
        _end(job, Job.State.DONE, result=result)


@whole
def try_again(*, actor: Actor, job_id: UUID) -> Job:
    """Queue a failed or silent job once more.

    Raises:
        NotThere: absent, or somebody else's.
        NotStuck: it is waiting or being worked on.
    """
    job = access_job(actor, job_id)
    if job.state != Job.State.FAILED and not is_stuck(job):
        raise NotStuck
    _wait_again(job)
    return job


def requeue() -> int:
    """Queue what a worker left behind when it ended; called when a worker starts.

    A job that took three workers with it is given up.
    """
    left = Job.objects.filter(state__in=[Job.State.WAITING, Job.State.RUNNING])
    count = 0
    for job in left:
        if job.attempts >= MOST_ATTEMPTS:
            _end(
                job,
                Job.State.FAILED,
                message=str(_("This was tried three times and did not work.")),
            )
        else:
            _wait_again(job)
            count += 1
    return count


def send_waiting() -> None:
    """Queue again what waits; called when a worker has found a queue that was away.

    It may have taken nothing meanwhile, or have forgotten what it took. Sent twice is done once.
    """
    for job_id in Job.objects.filter(state=Job.State.WAITING).values_list("pk", flat=True):
        _send(job_id)


def is_stuck(job: Job) -> bool:
    """Whether a job has given no sign of life for five minutes."""
    since = job.told_at or job.started_at or job.created_at
    live = job.state in {Job.State.WAITING, Job.State.RUNNING}
    return live and timezone.now() - since > STUCK_AFTER


def result_file(*, actor: Actor, job_id: UUID) -> Path:
    """The file that a finished job left.

    Raises:
        NotThere: absent, somebody else's, not done, or the file is gone.
    """
    job = access_job(actor, job_id)
    path = folder() / Path(job.result).name
    if job.state != Job.State.DONE or not job.result or not path.is_file():
        raise NotThere
    return path


def _queue(job_id: UUID) -> None:
    transaction.on_commit(partial(_send, job_id))


def _send(job_id: UUID) -> None:
    try:
        current_app.signature(TASK, args=[str(job_id)]).apply_async(ignore_result=True)
    except QueueAway as error:  # the job waits until a worker has found the queue again
        log.warning("The queue did not take job %s: %s", job_id, error)


@patient
def _taken(job_id: UUID) -> Job | None:
    """The job, if nobody else has it in hand."""
    taken = Job.objects.filter(pk=job_id, state=Job.State.WAITING).update(
        state=Job.State.RUNNING, started_at=timezone.now(), attempts=F("attempts") + 1
    )
    return Job.objects.select_related("owner").get(pk=job_id) if taken else None


def _may_pass(error: Exception) -> bool:
    return isinstance(error, OperationalError) and is_passing(error)


@patient
def _wait_again(job: Job) -> None:
    job.state = Job.State.WAITING
    job.progress_pct = 0
    job.message = ""
    job.told_at = timezone.now()
    job.save(update_fields=["state", "progress_pct", "message", "told_at"])
    _queue(job.pk)


@patient
def _end(job: Job, state: Job.State, *, message: str = "", result: str = "") -> None:
    Job.objects.filter(pk=job.pk).update(
        state=state,
        message=message[:300],
        result=result,
        finished_at=timezone.now(),
        **({"progress_pct": 100} if state == Job.State.DONE else {}),
    )


def _progress_of(job: Job) -> Progress:
    told = 0.0

    def tell(done_pct: int) -> None:
        nonlocal told
        if time.monotonic() - told >= TELL_EVERY_S:
            told = time.monotonic()
            try:
                Job.objects.filter(pk=job.pk).update(
                    progress_pct=max(0, min(done_pct, 99)), told_at=timezone.now()
                )
            except OperationalError as error:  # told next time; the work does not hang on it
                if not is_passing(error):
                    raise

    return tell
