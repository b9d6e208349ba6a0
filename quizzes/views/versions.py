"""All versions of a question: who saved what when, any two compared, any one restored."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from classroom.errors import NotThere
from classroom.views.asking import teacher_of
from quizzes.access import QuestionArchived, access_question, may_change_text
from quizzes.entries import entries_of
from quizzes.forms.typed import number
from quizzes.models import QuestionVersion
from quizzes.rendering import shown
from quizzes.selectors.comparing import compare
from quizzes.selectors.questions import versions
from quizzes.services.editing import EditConflict, restore_version

A_PAGE = 30  # versions


@login_required
@require_GET
def index(request: HttpRequest, question_id: UUID) -> HttpResponse:
    """The list, and two of them side by side: the newest with the one before unless chosen."""
    question = access_question(teacher_of(request), question_id)
    page = Paginator(versions(question), A_PAGE).get_page(request.GET.get("page"))
    after = number(request.GET, "after") or question.number
    before = number(request.GET, "before") or max(1, after - 1)
    chosen = versions(question).filter(number__in=[before, after])
    pair = {version.number: version for version in chosen}
    if before not in pair or after not in pair:
        raise NotThere
    return render(
        request,
        "quizzes/editor_versions.html",
        {
            "question": question,
            "question_set": question.set,
            "page": page,
            "numbers": range(question.number, 0, -1),
            "before": pair[before],
            "after": pair[after],
            "fields": _fields(pair[before], pair[after]),
            "shown": shown(entries_of(pair[after].value)),
            "may_change": may_change_text(question),
        },
    )


@login_required
@require_POST
def restore(request: HttpRequest, question_id: UUID) -> HttpResponse:
    """Make an old version the newest."""
    old = number(request.POST, "version")
    try:
        made = restore_version(
            actor=teacher_of(request),
            question_id=question_id,
            number=old,
            base=number(request.POST, "base"),
        )
    except EditConflict:
        messages.warning(
            request, _("Somebody has saved a newer version just now. Look at it, then restore.")
        )
        return redirect("quizzes:versions", question_id)
    except QuestionArchived as refusal:
        messages.error(request, str(refusal.message))
        return redirect("quizzes:versions", question_id)
    messages.success(
        request,
        _("Version {old} is back, as version {new}.").format(old=old, new=made.number),
    )
    return redirect("quizzes:question", question_id)


def _fields(before: QuestionVersion, after: QuestionVersion) -> list[object]:
    compared = compare(entries_of(before.value), entries_of(after.value))
    return [field for field in compared if field.changed]
