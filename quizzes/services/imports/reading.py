"""Files are taken in and read: small ones while the page waits, large ones in a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from uuid import UUID, uuid4

import msgspec
from django.conf import settings
from django.db.models import F
from msgspec.structs import replace

from classroom.access import Actor, access_oneself
from classroom.errors import NotThere, TooFast
from classroom.models import Job, Teacher
from classroom.names import clean
from classroom.services import jobs
from classroom.throttle import Misses
from quizzes.access import access_import_file, access_set
from quizzes.formats.archives import TOTAL_MAX
from quizzes.formats.catalog import FORMATS
from quizzes.formats.encodings import CODECS
from quizzes.formats.problems import Problem, problem
from quizzes.import_rows import Row, rows_of, to_json, with_pictures
from quizzes.limited.child import Busy, Child, Died, turn
from quizzes.limited.files import Found, Request
from quizzes.models import ImportDraft
from quizzes.services.imports.keeping import forget_oldest, path_of
from quizzes.services.imports.refusals import FileTooLarge, NothingSent, TooManyFiles
from quizzes.services.pictures import BadPicture, PicturesBusy, Studio

JOB = "read_import"
FILES_MAX = 20  # sent together
SMALL_BYTES = 256 * 2**10  # read while the page waits; more is a job
SENDING = Misses("imports", limit=30)  # imports a minute and teacher
WAIT_S = 15.0  # of a page, for others' files to be read
JOB_WAIT_S = 300.0
READ_WITHIN_S = 60.0


@dataclass(frozen=True)
class Sent:
    """A file as it came; the name is only shown."""

    name: str  # "" for a paste
    data: bytes


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
    forget_oldest(teacher)
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
