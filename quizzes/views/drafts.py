"""What the editor keeps while somebody writes: a few words of JSON for its script."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from classroom.views.asking import teacher_of
from quizzes.forms.typed import key, moment, number, typed
from quizzes.models import Draft
from quizzes.services.drafts import DraftElsewhere, discard_draft, keep_draft, keep_new_draft


@login_required
@require_POST
def keep(request: HttpRequest, question_id: UUID) -> HttpResponse:
    try:
        draft = keep_draft(
            actor=teacher_of(request),
            question_id=question_id,
            entries=typed(request.POST),
            base=number(request.POST, "base"),
            seen=moment(request.POST, "seen"),
        )
    except DraftElsewhere as refusal:
        return _elsewhere(refusal)
    return JsonResponse(_kept(draft))


@login_required
@require_POST
def keep_new(request: HttpRequest, set_id: UUID) -> HttpResponse:
    try:
        draft = keep_new_draft(
            actor=teacher_of(request),
            set_id=set_id,
            draft_id=key(request.POST, "draft"),
            entries=typed(request.POST),
            seen=moment(request.POST, "seen"),
        )
    except DraftElsewhere as refusal:
        return _elsewhere(refusal)
    return JsonResponse(_kept(draft))


@login_required
@require_POST
def discard(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    draft = discard_draft(actor=teacher_of(request), draft_id=draft_id)
    messages.success(request, _("The draft was discarded."))
    if draft.question_id:
        return redirect("quizzes:question", draft.question_id)
    return redirect("quizzes:set", draft.set_id)


def said(draft: Draft) -> str:
    """When the draft was kept, in words."""
    at = time_format(timezone.localtime(draft.saved_at), "H:i")
    return _("Kept as a draft, {time}").format(time=at)


def _kept(draft: Draft) -> dict[str, str]:
    return {"draft": str(draft.pk), "seen": draft.saved_at.isoformat(), "said": said(draft)}


def _elsewhere(refusal: DraftElsewhere) -> JsonResponse:
    """What is there instead, so that the user can go on with either."""
    there = refusal.draft
    body = {"code": refusal.code, "message": str(refusal.message)}
    body |= _kept(there) if there else {"draft": "", "seen": "", "said": ""}
    return JsonResponse(body, status=refusal.status)
