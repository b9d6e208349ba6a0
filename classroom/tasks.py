"""What a worker does: one job by its id, and at its start what was left behind."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from celery import shared_task
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
