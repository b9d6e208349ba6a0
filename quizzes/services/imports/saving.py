"""The good rows of an import go into the bank: all of them or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from classroom.access import Actor, TeacherActor, access_oneself
from classroom.models import Job
from classroom.names import clean
from classroom.services import jobs
from quizzes.access import access_import, access_set
from quizzes.formats import question as values
from quizzes.import_rows import Row, from_json
from quizzes.models import ImportDraft, QuestionSet
from quizzes.selectors.imports import before, job_of
from quizzes.services.adding import fill_new_set, replace_questions
from quizzes.services.imports.keeping import forget_files
from quizzes.services.imports.origins import Again, Noting, replaced
from quizzes.services.imports.preview import give_up
from quizzes.services.imports.refusals import ImportChanged, NothingToSave, NotSaved, SameFile
from quizzes.services.sets import NoTitle, new_set

SAVING = "save_import"
SMALL_QUESTIONS = 500  # saved while the page waits; more is a job


@dataclass(frozen=True)
class Saved:
    """What a save has done."""

    question_set: QuestionSet | None  # None: all files were skipped
    questions: int
    left: bool  # rows that are not in the bank wait in the preview


def save_or_start(
    *,
    actor: Actor,
    batch: UUID,
    set_id: UUID | None,
    title: str = "",
    again: Mapping[UUID, Again] | None = None,
) -> Saved | None:
    """Save a few questions now; let the worker save many, as ``take_saved`` tells: then None.

    Raises:
        ImportChanged: the worker is at it already; or see ``save_import``.
    """
    plan = _plan(actor=actor, batch=batch, set_id=set_id, title=title, again=again)
    job = job_of(batch, SAVING)
    if job is not None and job.state in (Job.State.WAITING, Job.State.RUNNING):
        raise ImportChanged
    if len(plan.questions) <= SMALL_QUESTIONS:
        return save_import(actor=actor, batch=batch, set_id=set_id, title=title, again=again)
    args = {
        "batch": str(batch),
        "set": str(set_id or ""),
        "title": title,
        "again": {str(draft_id): word for draft_id, word in (again or {}).items()},
    }
    jobs.start_job(actor=actor, kind=SAVING, args=args)
    return None


def save_all(job: Job, tell: jobs.Progress) -> str:
    """The work of a job: save a batch. What it has done stands in its ``args``."""
    if "saved" in job.args:  # a worker ended between the last transaction and its sign
        return ""
    args = job.args
    save_import(
        actor=TeacherActor(job.owner),
        batch=UUID(args["batch"]),
        set_id=UUID(args["set"]) if args["set"] else None,
        title=args["title"],
        again={UUID(draft_id): word for draft_id, word in args["again"].items()},
        job=job,
    )
    return ""


def take_saved(*, actor: Actor, batch: UUID) -> Saved | None:
    """What the worker has saved of a batch, told once; None while it has not ended.

    Raises:
        NotSaved: why it has saved nothing.
    """
    job = job_of(batch, SAVING)
    if job is None or job.owner != access_oneself(actor):
        return None
    if job.state == Job.State.FAILED:
        Job.objects.filter(pk=job.pk).delete()
        raise NotSaved(job.message)
    if job.state != Job.State.DONE:
        return None
    Job.objects.filter(pk=job.pk).delete()
    question_set = access_set(actor, UUID(job.args["saved"]))
    left = ImportDraft.objects.filter(batch=batch, owner=job.owner).exists()
    return Saved(question_set, job.args["questions"], left=left)


def save_import(
    *,
    actor: Actor,
    batch: UUID,
    set_id: UUID | None,
    title: str = "",
    again: Mapping[UUID, Again] | None = None,
    job: Job | None = None,
) -> Saved:
    """Put the good rows into a set, or into a new one with ``title``: all of them or none.

    Rows that are not good stay in the preview, to be mended and saved later.

    Raises:
        NotThere: no such import of the actor's; or see ``access_set``.
        NotAllowed, SetArchived, SetFull, NoTitle: nothing is saved.
        ImportChanged: a file is still being read, or was changed in another window.
        NothingToSave: no row is good.
        SameFile: ``again`` says nothing about a file that is in the set already.
    """
    plan = _plan(actor=actor, batch=batch, set_id=set_id, title=title, again=again)
    drafts, target, decisions = plan.drafts, plan.target, plan.decisions
    saving = plan.saving
    if not saving:
        give_up(actor=actor, batch=batch)
        return Saved(None, 0, left=False)
    noting = Noting(drafts, saving, decisions, job=job)
    if target is None:
        new = new_set(actor=actor, title=title)
        rows = fill_new_set(actor=actor, new=new, questions=plan.questions, also=noting)
    else:
        old = replaced([d for d in drafts if d.pk in saving], target, decisions)
        rows = replace_questions(
            actor=actor, set_id=target.pk, question_ids=old, questions=plan.questions, also=noting
        )
    left = set(ImportDraft.objects.filter(batch=batch).values_list("pk", flat=True))
    forget_files([draft.pk for draft in drafts if draft.pk not in left])
    return Saved(rows[0].set, len(rows), left=bool(left))


@dataclass(frozen=True)
class _Plan:
    """What a save will do."""

    drafts: list[ImportDraft]
    target: QuestionSet | None  # None: a new set
    decisions: Mapping[UUID, Again]
    saving: Mapping[UUID, list[Row]]  # by draft, without those that are skipped
    questions: list[values.Question]


def _plan(
    *,
    actor: Actor,
    batch: UUID,
    set_id: UUID | None,
    title: str,
    again: Mapping[UUID, Again] | None,
) -> _Plan:
    """What a save will do; refusals as ``save_import`` says, but for a full set."""
    drafts = access_import(actor, batch)
    if any(draft.state != ImportDraft.State.READ for draft in drafts):
        raise ImportChanged
    target = access_set(actor, set_id, to="edit") if set_id else None
    if target is None and not clean(title):
        raise NoTitle
    decisions = _decisions(drafts, target, again or {})
    taken = [draft for draft in drafts if decisions.get(draft.pk) != "skip"]
    saving = {draft.pk: [r for r in from_json(draft.rows) if r.is_saved] for draft in taken}
    questions = [row.question for rows in saving.values() for row in rows if row.question]
    if taken and not questions:
        raise NothingToSave
    return _Plan(drafts, target, decisions, saving, questions)


def _decisions(
    drafts: Sequence[ImportDraft], target: QuestionSet | None, again: Mapping[UUID, Again]
) -> Mapping[UUID, Again]:
    """What becomes of each file that is in the set already; the others are added."""
    known = before(drafts, target)
    asked = [draft for draft in drafts if draft.pk in known and draft.pk not in again]
    if asked:
        raise SameFile(asked)
    return {draft_id: again[draft_id] for draft_id in known}
