"""Bringing in questions: files are read, looked at, mended, and then saved all at once.

A file waits as an ``ImportDraft`` with its bytes below MEDIA_ROOT/imports. Nothing is
in the bank before ``save_import``, and there everything is, in one transaction: a short
one, since all rows are written beforehand where nobody sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Literal
from uuid import UUID, uuid4

import msgspec
from django.conf import settings
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from classroom.access import Actor, TeacherActor, access_oneself
from classroom.errors import DomainError, NotThere, TooFast
from classroom.models import Job, Teacher
from classroom.names import clean
from classroom.services import jobs
from classroom.throttle import Misses
from classroom.transactions import whole
from quizzes.access import access_import, access_import_file, access_set
from quizzes.formats import question as values
from quizzes.formats.archives import TOTAL_MAX
from quizzes.formats.catalog import FORMATS
from quizzes.formats.encodings import CODECS
from quizzes.formats.problems import Problem, problem
from quizzes.import_rows import Row, from_json, mended, rows_of, to_json, with_pictures
from quizzes.limited.child import Busy, Child, Died, turn
from quizzes.limited.files import Found, Request
from quizzes.models import ImportDraft, ImportedFile, Question, QuestionSet
from quizzes.selectors.imports import before, job_of
from quizzes.services.adding import fill_new_set, replace_questions
from quizzes.services.pictures import BadPicture, PicturesBusy, Studio
from quizzes.services.question_rows import turns
from quizzes.services.sets import NoTitle, new_set

JOB = "read_import"
SAVING = "save_import"
FILES_MAX = 20  # sent together
SMALL_BYTES = 256 * 2**10  # read while the page waits; more is a job
SMALL_QUESTIONS = 500  # saved while the page waits; more is a job
WAITING_MAX = 60  # files of one teacher in previews
IMPORTS_KEPT = timedelta(days=7)
SENDING = Misses("imports", limit=30)  # imports a minute and teacher
WAIT_S = 15.0  # of a page, for others' files to be read
JOB_WAIT_S = 300.0
READ_WITHIN_S = 60.0

Again = Literal["replace", "add", "skip"]


class NothingSent(DomainError):
    """Neither a file nor a text."""

    code = "nothing_sent"
    message = _("Choose a file, or paste your questions.")


class TooManyFiles(DomainError):
    """More than one import takes."""

    code = "too_many_files"
    message = _("Choose at most 20 files at once.")


class FileTooLarge(DomainError):
    """More bytes than any reader would take."""

    code = "file_too_large"
    message = _("These files are larger than 100 MB. Split them, or bring them in one by one.")
    status = 413


class NothingToSave(DomainError):
    """No row is good."""

    code = "nothing_to_save"
    message = _("There is no question to save yet. Correct a row, or choose another file.")


class ImportChanged(DomainError):
    """Saved, given up or mended in another window since the page was loaded."""

    code = "import_changed"
    message = _("This import was changed in another window. Load the page again.")
    status = 409


class NotSaved(DomainError):
    """The worker has saved nothing, and says why."""

    code = "not_saved"
    message = _("Nothing was saved. Try again.")
    status = 409


class SameFile(DomainError):
    """Files went into this set before: what becomes of their questions must be said."""

    code = "same_file"
    message = _("You have brought in this file before. Say what is to happen.")
    status = 409

    def __init__(self, drafts: Sequence[ImportDraft]) -> None:
        super().__init__()
        self.drafts = drafts


@dataclass(frozen=True)
class Sent:
    """A file as it came; the name is only shown."""

    name: str  # "" for a paste
    data: bytes


@dataclass(frozen=True)
class Saved:
    """What a save has done."""

    question_set: QuestionSet | None  # None: all files were skipped
    questions: int
    left: bool  # rows that are not in the bank wait in the preview


# -- sending and reading ---------------------------------------------------------------------------


def start_import(*, actor: Actor, files: Sequence[Sent], set_id: UUID | None = None) -> UUID:
    """Take in files and read them: small ones now, large ones in a job. The batch they make.

    The same file twice among them is taken once.

    Raises:
        NotThere, NotAllowed, SetArchived: ``set_id`` names a set that the actor may not change.
        NothingSent, TooManyFiles, FileTooLarge: nothing is taken in.
        TooFast: more than ``SENDING`` allows.
    """
    teacher = access_oneself(actor)
    target = access_set(actor, set_id, to="edit") if set_id else None
    different = {sha256(sent.data).hexdigest(): sent for sent in reversed(files)}
    _check_sent(list(different.values()))
    _count(teacher)
    batch = uuid4()
    drafts = [
        ImportDraft(
            owner=teacher,
            batch=batch,
            position=place,
            set=target,
            file_name=clean(sent.name)[:200],
            sha256=digest,
        )
        for place, (digest, sent) in enumerate(reversed(different.items()))
    ]
    for draft in drafts:
        path_of(draft.pk).write_bytes(different[draft.sha256].data)
    ImportDraft.objects.bulk_create(drafts)
    _forget_oldest(teacher)
    if sum(len(sent.data) for sent in different.values()) > SMALL_BYTES:
        jobs.start_job(actor=actor, kind=JOB, args={"batch": str(batch)})
    else:
        _read_now(actor, drafts)
    return batch


def read_again(*, actor: Actor, draft_id: UUID, format: str = "", encoding: str = "") -> None:
    """Read a file anew, as the teacher says; what was mended in it is lost.

    Raises:
        NotThere: no such import of the actor's, its bytes are gone, or no such format or encoding.
    """
    draft = access_import_file(actor, draft_id)
    if (format and format not in FORMATS) or (encoding and encoding not in CODECS):
        raise NotThere
    if not path_of(draft.pk).is_file():  # cleaned away; what was read of it stays
        raise NotThere
    draft.format, draft.encoding = format, encoding
    draft.state = ImportDraft.State.WAITING
    draft.save(update_fields=["format", "encoding", "state"])
    if path_of(draft.pk).stat().st_size > SMALL_BYTES:
        jobs.start_job(actor=actor, kind=JOB, args={"batch": str(draft.batch)})
    else:
        _read_now(actor, [draft])


def read_all(job: Job, tell: jobs.Progress) -> str:
    """The work of a job: read what waits of a batch."""
    drafts = ImportDraft.objects.filter(
        batch=job.args["batch"], owner=job.owner, state=ImportDraft.State.WAITING
    )
    for done, draft in enumerate(drafts):
        _read(draft, partial(_tell_part, tell, done, len(drafts)), wait_s=JOB_WAIT_S)
    return ""


def _tell_part(tell: jobs.Progress, done: int, of: int, part_pct: int) -> None:
    tell((100 * done + part_pct) // of)


def _read_now(actor: Actor, drafts: Sequence[ImportDraft]) -> None:
    """Read while the page waits; when the machine is busy leave it to a job."""
    try:
        for draft in drafts:
            _read(draft, lambda _part: None, wait_s=WAIT_S)
    except (Busy, PicturesBusy):
        jobs.start_job(actor=actor, kind=JOB, args={"batch": str(drafts[0].batch)})


def _read(draft: ImportDraft, tell: jobs.Progress, *, wait_s: float) -> None:
    try:
        data = path_of(draft.pk).read_bytes()
    except FileNotFoundError:  # given up meanwhile, or cleaned away: told as an empty file
        data = b""
    request = Request(data=data, format=draft.format, encoding=draft.encoding)
    found = _in_child(request, wait_s)
    if found is None:
        rows: list[Row] = []
        notes = [problem("file.too-hard")]
    else:
        rows, notes = rows_of(found.reading)
        with Studio(draft.owner, wait_s=wait_s) as studio:
            rows = _with_kept_pictures(studio, rows, found.reading.pictures, tell)
        draft.format, draft.encoding = found.format, found.reading.encoding
    draft.rows, draft.notes = to_json(rows), msgspec.to_builtins(notes)
    draft.state = ImportDraft.State.READ
    ImportDraft.objects.filter(pk=draft.pk).update(
        rows=draft.rows,
        notes=draft.notes,
        format=draft.format,
        encoding=draft.encoding,
        state=draft.state,
        change=F("change") + 1,
    )


def _in_child(request: Request, wait_s: float) -> Found | None:
    """What the file says; None when it wants too much time or memory.

    Raises:
        Busy: others' files are being read.
    """
    lock = settings.DATA / "imports.lock"
    with turn(lock, wait_s=wait_s), Child("files", wall_s=READ_WITHIN_S) as child:
        try:
            return msgspec.msgpack.decode(child.ask(msgspec.msgpack.encode(request)), type=Found)
        except Died:
            return None


def _with_kept_pictures(
    studio: Studio, rows: Sequence[Row], pictures: Mapping[str, bytes], tell: jobs.Progress
) -> list[Row]:
    """The rows with our own pictures, made anew; where one is refused the question stays."""
    wanted = dict.fromkeys(
        row.question.picture.ref for row in rows if row.question and row.question.picture
    )
    kept: dict[str, str] = {}
    refused: dict[str, Problem] = {}
    for done, ref in enumerate(wanted):
        if ref in pictures:
            try:
                kept[ref] = studio.make(pictures[ref]).ref
            except BadPicture as bad:
                no_room = bad.code == "picture_quota"
                refused[ref] = problem("picture.no-room" if no_room else "picture.refused")
        tell(100 * done // len(wanted))
    return [_with_picture(row, kept, refused) for row in rows]


def _with_picture(row: Row, kept: Mapping[str, str], refused: Mapping[str, Problem]) -> Row:
    if row.question is None or row.question.picture is None:
        return row
    ref = row.question.picture.ref
    notes = (*row.notes, refused[ref]) if ref in refused else row.notes
    return replace(row, question=with_pictures(row.question, kept), notes=notes)


def _check_sent(files: Sequence[Sent]) -> None:
    if not files:
        raise NothingSent
    if len(files) > FILES_MAX:
        raise TooManyFiles
    if sum(len(sent.data) for sent in files) > TOTAL_MAX:
        raise FileTooLarge


def _count(teacher: Teacher) -> None:
    if SENDING.over(str(teacher.pk)):
        raise TooFast
    SENDING.add(str(teacher.pk))


# -- the preview -----------------------------------------------------------------------------------


def mend_row(*, actor: Actor, draft_id: UUID, number: int, block: str) -> Row:
    """Read one row again, as the teacher has mended it: a question, or what is still wrong.

    Raises:
        NotThere: no such row of an import of the actor's.
    """
    row = _row(access_import_file(actor, draft_id), number)
    new = mended(row, block)
    return _put(draft_id, number, lambda _old: new)


def leave_row(*, actor: Actor, draft_id: UUID, number: int, out: bool) -> Row:
    """Leave a row out of the import, or take it in again.

    Raises:
        NotThere: no such row of an import of the actor's.
    """
    _row(access_import_file(actor, draft_id), number)
    return _put(draft_id, number, lambda old: replace(old, left_out=out))


def give_up(*, actor: Actor, batch: UUID) -> None:
    """Forget an import; the bank is as it was.

    Raises:
        NotThere: no such import of the actor's.
    """
    drafts = access_import(actor, batch)
    ImportDraft.objects.filter(pk__in=[draft.pk for draft in drafts]).delete()
    _forget_files([draft.pk for draft in drafts])


def _row(draft: ImportDraft, number: int) -> Row:
    found = next((row for row in from_json(draft.rows) if row.number == number), None)
    if found is None:
        raise NotThere
    return found


def _put(draft_id: UUID, number: int, change: Callable[[Row], Row]) -> Row:
    """Change one row; two windows that mend different rows do not undo each other."""
    while True:
        draft = ImportDraft.objects.filter(pk=draft_id).first()
        if draft is None:
            raise ImportChanged
        new = change(_row(draft, number))
        rows = to_json(new if row.number == number else row for row in from_json(draft.rows))
        if _unchanged(draft).update(rows=rows, change=F("change") + 1):
            return new


def _unchanged(draft: ImportDraft) -> QuerySet[ImportDraft]:
    """The row of the draft, unless it was changed since it was read."""
    return ImportDraft.objects.filter(pk=draft.pk, change=draft.change)


# -- saving ----------------------------------------------------------------------------------------


def save_or_start(
    *,
    actor: Actor,
    batch: UUID,
    set_id: UUID | None,
    title: str = "",
    again: Mapping[UUID, Again] | None = None,
) -> Saved | None:
    """Save a few questions now; let the worker save many, as ``saving_of`` tells: then None.

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
    noting = _Noting(drafts, saving, decisions, job=job)
    if target is None:
        new = new_set(actor=actor, title=title)
        rows = fill_new_set(actor=actor, new=new, questions=plan.questions, also=noting)
    else:
        old = _replaced([d for d in drafts if d.pk in saving], target, decisions)
        rows = replace_questions(
            actor=actor, set_id=target.pk, question_ids=old, questions=plan.questions, also=noting
        )
    left = set(ImportDraft.objects.filter(batch=batch).values_list("pk", flat=True))
    _forget_files([draft.pk for draft in drafts if draft.pk not in left])
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


def _replaced(
    drafts: Sequence[ImportDraft], target: QuestionSet, decisions: Mapping[UUID, Again]
) -> list[UUID]:
    """The questions that came from earlier imports of files that are to be replaced."""
    files = [draft.sha256 for draft in drafts if decisions.get(draft.pk) == "replace"]
    came = Question.objects.filter(
        pk__in=ImportedFile.objects.filter(set=target, sha256__in=files).values("questions"),
        set=target,
        archived_at=None,
    )
    return list(came.values_list("pk", flat=True))


_CameFrom = ImportedFile.questions.through


class _Noting:
    """Notes what came from which file, and takes the files out of the preview.

    The notes are written while the questions still wait where nobody sees them; when
    they appear, only the few rows of the files change.
    """

    def __init__(
        self,
        drafts: Sequence[ImportDraft],
        saving: Mapping[UUID, Sequence[Row]],
        decisions: Mapping[UUID, Again],
        *,
        job: Job | None,
    ) -> None:
        self._job = job
        self._drafts = drafts
        self._saving = saving
        self._decisions = decisions
        self._left = {
            draft.pk: [
                row for row in from_json(draft.rows) if not row.is_saved and not row.left_out
            ]
            for draft in drafts
            if draft.pk in saving
        }

    def aside(self, waiting: QuestionSet, rows: Sequence[Question]) -> None:
        arrived = iter(rows)
        for draft in self._drafts:
            questions = [next(arrived) for _row in self._saving.get(draft.pk, ())]
            if not questions:
                continue
            file = ImportedFile.objects.create(
                set=waiting,
                sha256=draft.sha256,
                file_name=draft.file_name,
                draft=draft.pk,
                by=draft.owner,
            )
            for piece in turns(list(dict.fromkeys(questions))):
                came = [_CameFrom(importedfile=file, question=question) for question in piece]
                whole(_CameFrom.objects.bulk_create)(came)

    def together(self, waiting: QuestionSet, target: QuestionSet) -> None:
        for draft in self._drafts:
            if draft.pk not in self._saving:  # skipped
                ImportDraft.objects.filter(pk=draft.pk).delete()
            elif self._saving[draft.pk]:
                self._use_up(draft, target)
                if waiting.pk != target.pk:
                    self._hand_over(draft, waiting, target)
        if self._job is not None:  # so that it is not saved twice if the worker dies now
            many = sum(len(rows) for rows in self._saving.values())
            done = {"saved": str(target.pk), "questions": many}
            Job.objects.filter(pk=self._job.pk).update(args=self._job.args | done)

    def _use_up(self, draft: ImportDraft, target: QuestionSet) -> None:
        left = self._left[draft.pk]
        there = _unchanged(draft)
        if left:
            done = there.update(rows=to_json(left), set=target, change=F("change") + 1)
        else:
            done, _rows = there.delete()
        if not done:
            raise ImportChanged

    def _hand_over(self, draft: ImportDraft, waiting: QuestionSet, target: QuestionSet) -> None:
        """Let the set know the file; what is not needed any more is left in ``waiting``."""
        new = ImportedFile.objects.get(set=waiting, sha256=draft.sha256)
        known = ImportedFile.objects.filter(set=target, sha256=draft.sha256).first()
        if known is not None and self._decisions.get(draft.pk) == "replace":
            ImportedFile.objects.filter(pk=known.pk).update(set=waiting, sha256=str(known.pk))
            known = None
        if known is None:
            ImportedFile.objects.filter(pk=new.pk).update(set=target)
            return
        there = _CameFrom.objects.filter(importedfile=known).values("question")
        _CameFrom.objects.filter(importedfile=new).exclude(question__in=there).update(
            importedfile=known
        )
        ImportedFile.objects.filter(pk=known.pk).update(
            file_name=new.file_name, draft=new.draft, by=new.by, at=new.at
        )


# -- files and forgetting --------------------------------------------------------------------------


def path_of(draft_id: UUID) -> Path:
    """Where the bytes of a draft lie."""
    folder = Path(settings.MEDIA_ROOT) / "imports"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / str(draft_id)


def forget_imports(*, dry: bool = False) -> int:
    """Forget previews that are a week old, and files without one."""
    old = ImportDraft.objects.filter(created_at__lt=timezone.now() - IMPORTS_KEPT)
    count = old.count()
    if not dry:
        old.delete()
        known = {str(pk) for pk in ImportDraft.objects.values_list("pk", flat=True)}
        oldest = (timezone.now() - IMPORTS_KEPT).timestamp()
        for path in path_of(uuid4()).parent.iterdir():
            if path.name not in known and path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)
    return count


def _forget_oldest(teacher: Teacher) -> None:
    """Keep the newest previews of a teacher, so that nobody fills the disk."""
    newest = ImportDraft.objects.filter(owner=teacher).order_by("-created_at", "-position")
    gone = list(newest.values_list("pk", flat=True)[WAITING_MAX:])
    if gone:
        ImportDraft.objects.filter(pk__in=gone).delete()
        _forget_files(gone)


def _forget_files(draft_ids: Sequence[UUID]) -> None:
    for draft_id in draft_ids:
        path_of(draft_id).unlink(missing_ok=True)
