"""Keeping what is typed until it is saved.

One open form, one draft: a form names the draft it goes on with and when that was
kept last. If another tab has kept other words since, nothing is overwritten; the
form is told and its user chooses.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, access_oneself
from classroom.errors import DomainError, NotThere
from classroom.transactions import whole
from quizzes.access import access_question, access_set
from quizzes.entries import LONGEST, Entries, length
from quizzes.models import Draft, Question, QuestionSet

MOST_NEW = 20  # drafts of new questions in one set
DRAFTS_KEPT = timedelta(days=180)  # since the last word: over the longest holidays
PIECE = 200  # drafts of one transaction


class DraftElsewhere(DomainError):
    """The draft is not as this form knows it. ``draft`` is what is there, None if it is gone."""

    code = "draft_elsewhere"
    message = _("This question is open in another window too, and other words were kept there.")
    status = 409

    def __init__(self, draft: Draft | None) -> None:
        super().__init__()
        self.draft = draft


class TooMuchText(DomainError):
    """More than any question can hold."""

    code = "too_much_text"
    message = _("This is more than a question can hold. Shorten it.")


class TooManyDrafts(DomainError):
    """Many new questions were begun and left."""

    code = "too_many_drafts"
    message = _("Many drafts wait in this set. Save or discard some of them first.")


def keep_draft(
    *, actor: Actor, question_id: UUID, entries: Entries, base: int, seen: datetime | None
) -> Draft:
    """Keep what is typed for a question. ``base`` is the version that was open.

    ``seen`` is when the draft that the form goes on with was kept, None for a first one.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_question``, to edit.
        DraftElsewhere: another window has kept, saved or discarded it since.
        TooMuchText: more than any question can hold.
    """
    question = access_question(actor, question_id, to="edit")
    check_length(entries)
    there = Draft.objects.filter(teacher=access_oneself(actor), question=question)
    if seen is None:
        draft = _new(actor, question.set, entries, question=question, base=base)
        try:
            whole(draft.save)(force_insert=True)
        except IntegrityError:
            raise DraftElsewhere(there.first()) from None
        return draft
    return _go_on(list(there[:1]), entries, base=base, seen=seen)


def keep_new_draft(
    *, actor: Actor, set_id: UUID, draft_id: UUID | None, entries: Entries, seen: datetime | None
) -> Draft:
    """Keep what is typed for a new question of a set; without ``draft_id`` as a draft of its own.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_set``, to edit.
        DraftElsewhere, TooMuchText: see ``keep_draft``.
        TooManyDrafts: ``MOST_NEW`` wait in the set.
    """
    question_set = access_set(actor, set_id, to="edit")
    check_length(entries)
    mine = Draft.objects.filter(teacher=access_oneself(actor), set=question_set, question=None)
    if draft_id is None or seen is None:
        if mine.count() >= MOST_NEW:
            raise TooManyDrafts
        draft = _new(actor, question_set, entries)
        draft.save(force_insert=True)
        return draft
    return _go_on(list(mine.filter(pk=draft_id)), entries, base=0, seen=seen)


def discard_draft(*, actor: Actor, draft_id: UUID) -> Draft:
    """Forget a draft of one's own; what it was.

    Raises:
        NotThere: absent, or somebody else's.
    """
    draft = Draft.objects.filter(pk=draft_id, teacher=access_oneself(actor)).first()
    if draft is None:
        raise NotThere
    Draft.objects.filter(pk=draft.pk).delete()
    return draft


def drop_draft(*, actor: Actor, draft_id: UUID | None, seen: datetime | None) -> None:
    """Forget the draft of a form that was saved, unless another window has kept other words."""
    if draft_id is not None and seen is not None:
        Draft.objects.filter(pk=draft_id, teacher=access_oneself(actor), saved_at=seen).delete()


def forget_drafts(*, dry: bool = False) -> int:
    """Forget drafts in which nobody has typed for half a year; how many."""
    old = Draft.objects.filter(saved_at__lt=timezone.now() - DRAFTS_KEPT)
    count = old.count()
    while not dry and (piece := list(old.values_list("pk", flat=True)[:PIECE])):
        Draft.objects.filter(pk__in=piece).delete()
    return count


def _new(
    actor: Actor,
    question_set: QuestionSet,
    entries: Entries,
    *,
    question: Question | None = None,
    base: int = 0,
) -> Draft:
    return Draft(
        teacher=access_oneself(actor),
        set=question_set,
        question=question,
        kind=entries.kind,
        base=base,
        fields=msgspec.to_builtins(entries),
        saved_at=timezone.now(),
    )


def _go_on(there: list[Draft], entries: Entries, *, base: int, seen: datetime) -> Draft:
    """Write over the draft if it is the one that the form has seen."""
    if not there:
        raise DraftElsewhere(None)
    (draft,) = there
    draft.kind = entries.kind
    draft.base = base
    draft.fields = msgspec.to_builtins(entries)
    draft.saved_at = timezone.now()
    unchanged = Draft.objects.filter(pk=draft.pk, saved_at=seen)
    if not unchanged.update(
        kind=draft.kind, base=draft.base, fields=draft.fields, saved_at=draft.saved_at
    ):
        raise DraftElsewhere(Draft.objects.filter(pk=draft.pk).first())
    return draft


def check_length(entries: Entries) -> None:
    """Raise ``TooMuchText`` for more than any question can hold."""
    if length(entries) > LONGEST:
        raise TooMuchText
