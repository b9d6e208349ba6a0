"""Taking questions away: a set as a file of any of the formats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.utils.translation import gettext as _

from classroom.access import Actor, TeacherActor
from classroom.errors import NotThere
from classroom.models import Job
from classroom.services import jobs
from quizzes.access import access_set
from quizzes.formats import question as values
from quizzes.formats.catalog import FORMATS, Format
from quizzes.models import Picture, QuestionSet
from quizzes.selectors.questions import in_set, newest_versions
from quizzes.services.pictures import contents

JOB = "write_export"
SMALL_QUESTIONS = 500  # written while the page waits; more is a job
SMALL_PICTURES_BYTES = 20 * 2**20
NAME_MAX = 60
# What stands behind the title where the ending does not say the format.
_MARKED = frozenset(("aiken", "moodle", "qti2", "qti12", "qti3", "kahoot"))
_NO_NAME = re.compile(r"[\W_]+")
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Export:
    """The questions of a set as they are now, in one format."""

    question_set: QuestionSet
    format: Format
    questions: tuple[values.Question, ...]
    pictures: dict[str, Picture]  # by reference; empty where the format has no place for them

    @property
    def is_large(self) -> bool:
        """Whether writing it is for the worker."""
        size = sum(picture.bytes for picture in self.pictures.values())
        return len(self.questions) > SMALL_QUESTIONS or size > SMALL_PICTURES_BYTES

    @property
    def file_name(self) -> str:
        """The title as a name that every system takes."""
        return f"{self.stem}.{self.format.extensions[0]}"

    @property
    def stem(self) -> str:
        """The file name without its ending."""
        stem = _NO_NAME.sub("-", self.question_set.title).strip("-")[:NAME_MAX].strip("-")
        if not stem or _DEVICES.fullmatch(stem):
            stem = f"questions-{stem}".strip("-")
        return f"{stem}-{self.format.key}" if self.format.key in _MARKED else stem

    def written(self) -> bytes:
        """The file."""
        return self.format.write(self.questions, contents(self.pictures))


def export(*, actor: Actor, set_id: UUID, format: str) -> Export:
    """What a file of the set will hold.

    Raises:
        NotThere: no such format, or no set that the actor may see.
    """
    question_set = access_set(actor, set_id)
    if format not in FORMATS:
        raise NotThere
    found = FORMATS[format]
    rows = list(in_set(question_set))
    versions = newest_versions(rows)
    shown = [versions[row.pk] for row in rows]
    pictures = {version.picture.ref: version.picture for version in shown if version.picture}
    return Export(
        question_set=question_set,
        format=found,
        questions=tuple(version.value for version in shown),
        pictures=pictures if "picture" in found.carries.fields else {},
    )


def start_export(*, actor: Actor, set_id: UUID, format: str) -> Job:
    """Let the worker write the file.

    Raises:
        NotThere: see ``export``.
    """
    export(actor=actor, set_id=set_id, format=format)
    return jobs.start_job(actor=actor, kind=JOB, args={"set": str(set_id), "format": format})


def write_file(job: Job, tell: jobs.Progress) -> str:
    """The work of a job: the file, below the folder of jobs."""
    found = export(
        actor=TeacherActor(job.owner), set_id=UUID(job.args["set"]), format=job.args["format"]
    )
    tell(30)
    name = f"{found.stem}-{job.pk.hex[:8]}.{found.format.extensions[0]}"
    (jobs.folder() / name).write_bytes(found.written())
    return name


def template() -> bytes:
    """A workbook with an example of each common kind, in the reader's language, to write over."""
    return FORMATS["xlsx"].write(
        (
            values.SingleChoice(
                stem=_("Who decides on the budget of a town?"),
                choices=(_("The mayor alone"), _("The council"), _("A bank"), _("Nobody")),
                right=1,
                explanation=_("The council decides, in public."),
                topics=(_("budget"),),
            ),
            values.SeveralRight(
                stem=_("Which of these are paid from taxes?"),
                choices=(_("Schools"), _("Roads"), _("Birthday presents")),
                right=(0, 1),
            ),
            values.TrueFalse(stem=_("Meetings of the council are public."), right=True),
            values.ShortAnswer(
                stem=_("Who leads the council?"), accepted=(_("the mayor"), _("mayor"))
            ),
            values.Numeric(stem=_("How many votes has each citizen?"), right=Decimal(1)),
        ),
        {},
    )


def losses_of(questions: Sequence[values.Question], found: Format) -> tuple[int, frozenset[str]]:
    """How many of the questions a format leaves out, and which parts of the others."""
    problems = found.losses(questions)
    gone = {p.place.number for p in problems if not p.is_note}
    return len(gone), frozenset(p.values["what"] for p in problems if p.is_note)
