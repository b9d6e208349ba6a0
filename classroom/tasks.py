"""What a worker does: one job by its id, and at its start what was left behind."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from celery import bootsteps, current_app, shared_task
from celery.signals import worker_ready

from classroom.services import jobs


@shared_task(name=jobs.TASK)  # type: ignore[untyped-decorator]
def run_job(job_id: str) -> None:
    """Do one job."""
    jobs.run(UUID(job_id))


@worker_ready.connect  # type: ignore[untyped-decorator]
def take_up(**_sent: Any) -> None:
    """Queue again what an earlier worker did not finish."""
    jobs.requeue()


class TakeUpWaiting(bootsteps.StartStopStep):  # type: ignore[misc]  # comes without types
    """A part of the worker that begins anew each time it has found its queue."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, parent: Any) -> None:
        """The first time ``take_up`` does more."""
        if parent.restart_count > 0:
            jobs.send_waiting()


current_app.steps["consumer"].add(TakeUpWaiting)
