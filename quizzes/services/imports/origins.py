"""Which question came from which file, so that the same file again can replace its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal
from uuid import UUID

from django.db.models import F

from classroom.models import Job
from classroom.transactions import whole
from quizzes.import_rows import Row, from_json, to_json
from quizzes.models import ImportDraft, ImportedFile, Question, QuestionSet
from quizzes.services.imports.keeping import unchanged
from quizzes.services.imports.refusals import ImportChanged
from quizzes.services.pacing import turns

Again = Literal["replace", "add", "skip"]  # what becomes of a file that was brought in before

_CameFrom = ImportedFile.questions.through


def replaced(
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


class Noting:
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
        there = unchanged(draft)
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
