"""Two who changed the same question: the second sees both texts and chooses, field by field."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from classroom.access import TeacherActor
from classroom.errors import NotThere
from classroom.views.asking import teacher_of
from quizzes.access import QuestionArchived, access_question
from quizzes.entries import Entries, Unfinished, entries_of, question_of
from quizzes.forms.typed import number
from quizzes.models import Draft, Question, QuestionVersion
from quizzes.rendering import shown
from quizzes.selectors.comparing import FIELDS, compare, differs, merge
from quizzes.selectors.drafts import draft_of, typed as typed_in
from quizzes.services.drafts import drop_draft, keep_draft
from quizzes.services.editing import EditConflict, save_question


def begin(
    request: HttpRequest,
    actor: TeacherActor,
    question: Question,
    theirs: QuestionVersion,
    *,
    mine: Entries,
    base: int,
) -> HttpResponse:
    """Keep what was to be saved as the draft, then show both texts."""
    there = draft_of(actor.teacher, question)
    keep_draft(
        actor=actor,
        question_id=question.pk,
        entries=mine,
        base=base,
        seen=there.saved_at if there else None,
    )
    return _page(request, question, theirs, mine, base)


@login_required
@require_POST
def merge_versions(request: HttpRequest, question_id: UUID) -> HttpResponse:
    """Save what was chosen of both texts, or go on writing with it."""
    actor = teacher_of(request)
    question = access_question(actor, question_id, to="edit")
    theirs = question.versions.filter(number=number(request.POST, "theirs")).first()
    draft = draft_of(actor.teacher, question)
    if theirs is None or draft is None:
        raise NotThere
    act = request.POST.get("act", "edit")
    chosen: Iterable[str] = (name for name in FIELDS if request.POST.get(name) == "mine")
    if act in ("theirs", "mine"):
        chosen = FIELDS if act == "mine" else ()
    merged = merge(entries_of(theirs.value), typed_in(draft), take_mine=chosen)
    if act == "theirs":
        drop_draft(actor=actor, draft_id=draft.pk, seen=draft.saved_at)
        messages.success(request, _("The other text stays. Yours was discarded."))
        return redirect("quizzes:question", question.pk)
    if act == "edit":
        return _write_on(actor, question, draft, merged, theirs.number)
    try:
        version = save_question(
            actor=actor,
            question_id=question.pk,
            question=question_of(merged),
            base=theirs.number,
        )
    except EditConflict as conflict:
        return begin(request, actor, question, conflict.theirs, mine=merged, base=theirs.number)
    except QuestionArchived as refusal:
        messages.error(request, str(refusal.message))
        return redirect("quizzes:question", question.pk)
    except Unfinished:
        messages.warning(request, _("This is not complete yet. Correct it, then save."))
        return _write_on(actor, question, draft, merged, theirs.number)
    drop_draft(actor=actor, draft_id=draft.pk, seen=draft.saved_at)
    messages.success(request, _("Saved as version {number}.").format(number=version.number))
    return redirect("quizzes:question", question.pk)


def _write_on(
    actor: TeacherActor, question: Question, draft: Draft, merged: Entries, base: int
) -> HttpResponse:
    keep_draft(actor=actor, question_id=question.pk, entries=merged, base=base, seen=draft.saved_at)
    return redirect("quizzes:question", question.pk)


def _page(
    request: HttpRequest, question: Question, theirs: QuestionVersion, mine: Entries, base: int
) -> HttpResponse:
    """Both texts. Where only one of the two was changed, that one is proposed."""
    started = question.versions.filter(number=base).first()
    origin = entries_of(started.value) if started else None
    their_entries = entries_of(theirs.value)
    fields = [
        {
            "compared": field,
            "both_changed": origin is None
            or (differs(field.name, origin, mine) and differs(field.name, origin, their_entries)),
            "take_mine": origin is None or differs(field.name, origin, mine),
        }
        for field in compare(their_entries, mine)
        if field.changed
    ]
    return render(
        request,
        "quizzes/editor_conflict.html",
        {
            "question": question,
            "question_set": question.set,
            "theirs": theirs,
            "fields": fields,
            "their_shown": shown(their_entries),
            "my_shown": shown(mine),
        },
        status=409,
    )
