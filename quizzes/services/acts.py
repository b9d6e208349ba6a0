"""One act on many questions: on a few while the page waits, on more by the worker.

A thousand questions take half a second of the processor, and the web process has games to
serve.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

import msgspec
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from classroom.access import Actor, TeacherActor, access_job
from classroom.errors import DomainError, NotThere
from classroom.models import Job
from classroom.services import jobs
from quizzes.access import access_questions
from quizzes.models import Question, QuestionSet
from quizzes.selectors.questions import newest
from quizzes.services.adding import copy_questions, replace_questions
from quizzes.services.arranging import (
    archive_questions,
    delete_questions,
    move_questions,
    restore_questions,
)
from quizzes.services.tagging import tag_questions

JOB = "act_on_questions"
SMALL_QUESTIONS = 500  # changed while the page waits; more is a job

Act = Literal["tag", "untag", "move", "copy", "archive", "restore", "delete"]


class NoTarget(DomainError):
    """Nothing to move or copy into."""

    code = "no_target"
    message = _("Choose a set first.")


class Wish(Struct, frozen=True, kw_only=True):
    """What is to be done with which questions."""

    act: Act
    question_ids: tuple[UUID, ...]
    topics: tuple[str, ...] = ()
    to: UUID | None = None  # the set to move or copy into


def act_or_start(*, actor: Actor, wish: Wish, back: str) -> int | Job:
    """Act on a few questions now: how many; let the worker act on many, then lead ``back``.

    Raises:
        NoTarget: the act needs a set; or what the act itself raises.
    """
    if wish.act in ("move", "copy") and wish.to is None:
        raise NoTarget
    if len(wish.question_ids) <= SMALL_QUESTIONS:
        return act_on(actor=actor, wish=wish)
    args = {"wish": msgspec.to_builtins(wish), "back": back}
    return jobs.start_job(actor=actor, kind=JOB, args=args)


def act_on(*, actor: Actor, wish: Wish) -> int:
    """Do it; how many questions it concerned.

    Raises:
        NotThere, DomainError: see the service of each act.
    """
    ids = wish.question_ids
    match wish.act:
        case "tag":
            return tag_questions(actor=actor, question_ids=ids, add=wish.topics)
        case "untag":
            return tag_questions(actor=actor, question_ids=ids, remove=wish.topics)
        case "move":
            return move_questions(actor=actor, question_ids=ids, to=_target(wish))
        case "copy":
            return len(copy_questions(actor=actor, question_ids=ids, to=_target(wish)))
        case "archive":
            return archive_questions(actor=actor, question_ids=ids)
        case "restore":
            return restore_questions(actor=actor, question_ids=ids)
        case "delete":
            return delete_questions(actor=actor, question_ids=ids)


def act_all(job: Job, tell: jobs.Progress) -> str:
    """The work of a job. How many questions it concerned stands in its ``args`` afterwards."""
    if "many" in job.args:  # a worker ended between the last transaction and its sign
        return ""
    actor, wish = TeacherActor(job.owner), msgspec.convert(job.args["wish"], Wish)
    if wish.act == "copy":  # everything else may be done twice
        copied = newest(access_questions(actor, wish.question_ids))
        sign = _Sign(job, len(copied))
        replace_questions(
            actor=actor, set_id=_target(wish), question_ids=(), questions=copied, also=sign
        )
    else:
        _sign(job, act_on(actor=actor, wish=wish))
    return ""


def take_acted(*, actor: Actor, job_id: UUID) -> Job:
    """The job of an act; one that has ended is told once.

    Raises:
        NotThere: no such job of the actor's.
    """
    job = access_job(actor, job_id)
    if job.kind != JOB:
        raise NotThere
    if job.state in (Job.State.DONE, Job.State.FAILED):
        Job.objects.filter(pk=job.pk).delete()
    return job


def _target(wish: Wish) -> UUID:
    if wish.to is None:
        raise NoTarget
    return wish.to


class _Sign:
    """Signs a job in the transaction in which copies appear, so that they are made once."""

    def __init__(self, job: Job, many: int) -> None:
        self._job = job
        self._many = many

    def aside(self, waiting: QuestionSet, rows: Sequence[Question]) -> None:
        """Nothing is written beforehand."""

    def together(self, waiting: QuestionSet, target: QuestionSet) -> None:
        _sign(self._job, self._many)


def _sign(job: Job, many: int) -> None:
    Job.objects.filter(pk=job.pk).update(args=job.args | {"many": many})
