"""What a teacher sees of files before their questions are saved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _, gettext_noop

from classroom.models import Job, Teacher
from quizzes.access import changeable_sets_of
from quizzes.formats.carries import kind
from quizzes.formats.catalog import FORMATS
from quizzes.formats.encodings import CODECS
from quizzes.formats.problems import Place, Problem
from quizzes.import_rows import Row, from_json, problems_from_json
from quizzes.models import ImportDraft, ImportedFile, Question, QuestionSet

A_PAGE = 50  # rows
LEFT_OUT = "note.field"
SHOWS = ("all", "bad", "out")

# Parts of questions as problems name them; the formats speak English.
PARTS = (
    gettext_noop("explanation"),
    gettext_noop("topics"),
    gettext_noop("difficulty"),
    gettext_noop("language"),
    gettext_noop("source"),
    gettext_noop("picture"),
    gettext_noop("distractors"),
    gettext_noop("line breaks"),
    gettext_noop("several answers may be ticked"),
)


@dataclass(frozen=True)
class Note:
    """What of a question was left out."""

    sentence: str
    text: str  # the entry itself; "" where the sentence says all


@dataclass(frozen=True)
class ShownRow:
    """A row of the preview in the words of the page."""

    row: Row
    place: str  # "line 7", "row 7"; "" where the number of the question says as much
    kind: str  # of a question, as people call it
    kind_key: str
    notes: tuple[Note, ...]
    sentence: str  # what is wrong and how to mend it
    is_new: bool = False  # just read again


@dataclass(frozen=True)
class Counts:
    """How many rows of all files are what."""

    saved: int
    bad: int  # to be mended
    unsupported: int
    out: int

    @property
    def all(self) -> int:
        """All rows."""
        return self.saved + self.bad + self.unsupported + self.out

    @property
    def waiting(self) -> int:
        """Rows that are not saved and could be."""
        return self.bad + self.unsupported


@dataclass(frozen=True)
class Preview:
    """One file of a batch, and what is to say about all of them."""

    batch: UUID
    drafts: Sequence[ImportDraft]
    draft: ImportDraft  # the one that is shown
    format: str  # title; "" when nothing fitted
    notes: tuple[str, ...]
    page: Page[Row]
    rows: Sequence[ShownRow]  # of the page
    show: str
    counts: Counts
    here: Counts  # of this file

    @property
    def suggested_title(self) -> str:
        """A title for a new set, from the name of the first file."""
        return PurePath(self.drafts[0].file_name).stem.replace("_", " ")[:120]


def preview(
    drafts: Sequence[ImportDraft], *, position: int = 0, show: str = "all", page: int | str = 1
) -> Preview:
    """The preview of a batch that has been read."""
    draft = next((one for one in drafts if one.position == position), drafts[0])
    every = {one.pk: from_json(one.rows) for one in drafts}
    rows = [row for row in every[draft.pk] if _is_shown(row, show)]
    paged = Paginator(rows, A_PAGE).get_page(page)
    return Preview(
        batch=draft.batch,
        drafts=drafts,
        draft=draft,
        format=_(FORMATS[draft.format].title) if draft.format in FORMATS else "",
        notes=tuple(sentence(found) for found in problems_from_json(draft.notes)),
        page=paged,
        rows=[shown_row(row) for row in paged],
        show=show,
        counts=counts(row for rows in every.values() for row in rows),
        here=counts(every[draft.pk]),
    )


def counts(rows: Iterable[Row]) -> Counts:
    """How many of the rows are what."""
    saved = bad = unsupported = out = 0
    for row in rows:
        if row.left_out:
            out += 1
        elif row.question is not None:
            saved += 1
        elif row.is_unsupported:
            unsupported += 1
        else:
            bad += 1
    return Counts(saved, bad, unsupported, out)


def counts_of(drafts: Iterable[ImportDraft]) -> Counts:
    """How many rows of all these files are what."""
    return counts(row for draft in drafts for row in from_json(draft.rows))


def shown_row(row: Row, *, is_new: bool = False) -> ShownRow:
    """A row in the words of the page."""
    key = kind(row.question) if row.question else ""
    return ShownRow(
        row=row,
        place=place(row.place) if row.place != Place(number=row.number) else "",
        kind=str(Question.Kind(key).label) if key else "",
        kind_key=key,
        notes=tuple(dict.fromkeys(_note(found) for found in row.notes)),
        sentence=sentence(row.problem) if row.problem else "",
        is_new=is_new,
    )


def sentence(found: Problem) -> str:
    """What is wrong and how to mend it, in the reader's language."""
    values = {name: _(value) if value in PARTS else value for name, value in found.values.items()}
    return _(found.template) % values


def _note(found: Problem) -> Note:
    return Note(sentence(found), found.text if found.code == LEFT_OUT else "")


def place(where: Place) -> str:
    """Where in the file something stands."""
    row, _colon, column = where.cell.partition(":")
    if column:
        found = _("row {row}, column {column}").format(row=row, column=column)
    elif where.cell:
        found = _("cell {cell}").format(cell=where.cell)
    elif where.row:
        found = _("row {row}").format(row=where.row)
    elif where.line:
        found = _("line {line}").format(line=where.line)
    else:
        found = _("question {number}").format(number=where.number) if where.number else ""
    return f"{where.part}, {found}" if where.part and found else where.part or found


def before(drafts: Sequence[ImportDraft], target: QuestionSet | None) -> dict[UUID, ImportedFile]:
    """The files whose questions went into the set already, by draft; what is left of one counts
    as its own."""
    if target is None:
        return {}
    known = {found.sha256: found for found in target.imported_files.select_related("by")}
    return {
        draft.pk: known[draft.sha256]
        for draft in drafts
        if draft.sha256 in known and known[draft.sha256].draft != draft.pk
    }


def targets(teacher: Teacher) -> list[QuestionSet]:
    """The sets that questions can go into."""
    return list(changeable_sets_of(teacher).order_by("title", "created_at"))


def waiting(teacher: Teacher) -> list[ImportDraft]:
    """Imports of this teacher that were not saved yet, one line a batch, the newest first."""
    drafts = ImportDraft.objects.filter(owner=teacher).defer("rows", "notes")
    lines: dict[UUID, ImportDraft] = {}
    for draft in drafts.order_by("-created_at", "position"):
        lines.setdefault(draft.batch, draft)
    return list(lines.values())


def job_of(batch: UUID, kind: str, *, owner: Teacher | None = None) -> Job | None:
    """The newest job that reads or saves the files of a batch."""
    found = Job.objects.filter(kind=kind, args__batch=str(batch))
    if owner is not None:
        found = found.filter(owner=owner)
    return found.order_by("-created_at").first()


def encodings() -> list[tuple[str, str]]:
    """The encodings by key and by what people know of them."""
    names = {
        "utf-8": _("UTF-8 (all languages)"),
        "utf-16": _("UTF-16 (all languages)"),
        "windows-1250": _("Windows-1250 (Central European)"),
        "windows-1252": _("Windows-1252 (Western European)"),
        "windows-1256": _("Windows-1256 (Arabic)"),
    }
    return [(key, names[key]) for key in CODECS]


def formats() -> list[tuple[str, str]]:
    """The formats by key and title."""
    return [(found.key, _(found.title)) for found in FORMATS.values()]


def _is_shown(row: Row, show: str) -> bool:
    match show:
        case "bad":
            return row.question is None and not row.left_out
        case "out":
            return row.left_out
        case _:
            return True
