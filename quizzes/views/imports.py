"""Bringing questions in: files or a paste, a preview that can be mended, saved at once."""

from __future__ import annotations

from typing import get_args
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRefresh

from classroom.access import TeacherActor
from classroom.errors import DomainError, NotThere
from classroom.models import Job
from classroom.views.asking import teacher_of
from quizzes.access import access_import, access_import_file, access_set
from quizzes.formats.archives import TOTAL_MAX
from quizzes.formats.reading import TEXT_FILE_MAX
from quizzes.forms.typed import number as typed_number
from quizzes.import_rows import Row, block_of, from_json
from quizzes.models import ImportDraft, QuestionSet
from quizzes.selectors import imports as selectors
from quizzes.services import imports as services
from quizzes.services.imports import Again, Saved, Sent


@login_required
@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """GET: choose files or paste. POST: take them in and go to the preview."""
    actor = teacher_of(request)
    asked = request.GET.get("set") or request.POST.get("set") or ""
    target = access_set(actor, _uuid(asked), to="edit") if asked else None
    if request.method == "POST":
        try:
            batch = services.start_import(
                actor=actor, files=_sent(request), set_id=target.pk if target else None
            )
        except DomainError as refusal:
            if refusal.status >= 500 or isinstance(refusal, NotThere):
                raise
            return _index(request, actor, target, refusal)
        return redirect("quizzes:preview_import", batch)
    return _index(request, actor, target)


@login_required
@require_GET
def preview(request: HttpRequest, batch: UUID) -> HttpResponse:
    """The rows of a batch; while it is being read, a page that waits."""
    actor = teacher_of(request)
    job = selectors.job_of(batch, services.SAVING, owner=actor.teacher)
    if job is None:
        drafts = access_import(actor, batch)
        if any(draft.state != ImportDraft.State.READ for draft in drafts):
            return _waiting(request, batch, selectors.job_of(batch, services.JOB))
    elif job.state in (Job.State.WAITING, Job.State.RUNNING):
        return _waiting(request, batch, job, saving=True)
    elif "HX-Request" not in request.headers:
        return _ended(request, actor, batch)
    if "HX-Request" in request.headers:
        return HttpResponseClientRefresh()
    return _preview(request, drafts, drafts[0].set)


@login_required
@require_POST
def read(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Read one file again in the format and encoding that the teacher says."""
    actor = teacher_of(request)
    draft = access_import_file(actor, draft_id)
    services.read_again(
        actor=actor,
        draft_id=draft_id,
        format=request.POST.get("format", ""),
        encoding=request.POST.get("encoding", ""),
    )
    return redirect(_address(draft))


@login_required
@require_POST
def row(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Mend one row, leave it out, or take it in again."""
    actor = teacher_of(request)
    number = typed_number(request.POST, "number")
    draft = access_import_file(actor, draft_id)
    match request.POST.get("act"):
        case "leave" | "take" as act:
            changed = services.leave_row(
                actor=actor, draft_id=draft_id, number=number, out=act == "leave"
            )
        case _:
            block = _block(request, draft, number)
            changed = services.mend_row(actor=actor, draft_id=draft_id, number=number, block=block)
    if "HX-Request" not in request.headers:
        return redirect(f"{_address(draft, request.POST.get('asked', ''))}#row-{number}")
    drafts = access_import(actor, draft.batch)
    return render(
        request,
        "quizzes/_import_changed.html",
        {
            "draft": draft,
            "shown": selectors.shown_row(changed, is_new=True),
            "counts": selectors.counts_of(drafts),
            "asked": request.POST.get("asked", ""),
        },
    )


@login_required
@require_POST
def save(request: HttpRequest, batch: UUID) -> HttpResponse:
    """Put the good rows into a set."""
    actor = teacher_of(request)
    asked = request.POST.get("set", "")
    target = access_set(actor, _uuid(asked), to="edit") if asked else None
    try:
        saved = services.save_or_start(
            actor=actor,
            batch=batch,
            set_id=target.pk if target else None,
            title=request.POST.get("title", ""),
            again=_again(request),
        )
    except services.SameFile:
        return _preview(request, access_import(actor, batch), target, status=409)
    except DomainError as refusal:
        if isinstance(refusal, NotThere) or refusal.status >= 500:
            raise
        messages.error(request, str(refusal.message))
        return redirect("quizzes:preview_import", batch)
    if saved is None:
        return redirect("quizzes:preview_import", batch)
    if saved.question_set is None:
        messages.info(request, _("Nothing was brought in; the set is as it was."))
        return redirect("quizzes:set", target.pk) if target else redirect("quizzes:sets")
    return _say_saved(request, batch, saved, saved.question_set)


@login_required
@require_POST
def give_up(request: HttpRequest, batch: UUID) -> HttpResponse:
    services.give_up(actor=teacher_of(request), batch=batch)
    messages.info(request, _("The import is given up. Nothing was saved."))
    return redirect("quizzes:import")


# -- reading requests and drawing ------------------------------------------------------------------


def _waiting(
    request: HttpRequest, batch: UUID, job: Job | None, *, saving: bool = False
) -> HttpResponse:
    template = "_import_waiting" if "HX-Request" in request.headers else "import_waiting"
    context = {"batch": batch, "job": job, "saving": saving}
    return render(request, f"quizzes/{template}.html", context)


def _ended(request: HttpRequest, actor: TeacherActor, batch: UUID) -> HttpResponse:
    """Say once what the worker has saved, or why it has not."""
    try:
        saved = services.take_saved(actor=actor, batch=batch)
    except services.NotSaved as refusal:
        messages.error(request, str(refusal.message))
        return redirect("quizzes:preview_import", batch)
    if saved is None or saved.question_set is None:
        return redirect("quizzes:preview_import", batch)
    return _say_saved(request, batch, saved, saved.question_set)


def _say_saved(
    request: HttpRequest, batch: UUID, saved: Saved, question_set: QuestionSet
) -> HttpResponse:
    said = ngettext(
        "{count} question is saved in “{title}”.",
        "{count} questions are saved in “{title}”.",
        saved.questions,
    )
    messages.success(request, said.format(count=saved.questions, title=question_set.title))
    if saved.left:
        messages.warning(request, _("The rows below are not saved yet. Correct them or give up."))
        return redirect("quizzes:preview_import", batch)
    return redirect("quizzes:set", question_set.pk)


def _index(
    request: HttpRequest,
    actor: TeacherActor,
    target: QuestionSet | None,
    refusal: DomainError | None = None,
) -> HttpResponse:
    context = {
        "target": target,
        "refusal": refusal,
        "text": request.POST.get("text", ""),
        "most": TEXT_FILE_MAX,
        "waiting": selectors.waiting(actor.teacher),
        "formats": selectors.formats(),
    }
    status = refusal.status if refusal else 200
    return render(request, "quizzes/import.html", context, status=status)


def _preview(
    request: HttpRequest,
    drafts: list[ImportDraft],
    target: QuestionSet | None,
    status: int = 200,
) -> HttpResponse:
    show = request.GET.get("show", "all")
    shown = selectors.preview(
        drafts,
        position=typed_number(request.GET, "file"),
        show=show if show in selectors.SHOWS else "all",
        page=request.GET.get("page", 1),
    )
    asked = request.GET.copy()
    asked.pop("page", None)
    return render(
        request,
        "quizzes/import_preview.html",
        {
            "preview": shown,
            "target": target,
            "targets": selectors.targets(drafts[0].owner),
            "before": selectors.before(drafts, target),
            "formats": selectors.formats(),
            "encodings": selectors.encodings(),
            "asked": asked.urlencode(),
            "title": request.POST.get("title", shown.suggested_title),
        },
        status=status,
    )


def _sent(request: HttpRequest) -> list[Sent]:
    """The files and the pasted text. Sizes are judged before anything is read."""
    files = request.FILES.getlist("files")
    if sum(sent.size or 0 for sent in files) > TOTAL_MAX:
        raise services.FileTooLarge
    found = [Sent(sent.name or "", sent.read()) for sent in files]
    text = request.POST.get("text", "")
    if text.strip():
        found.append(Sent("", text.encode("utf-8", "replace")))
    return found


def _block(request: HttpRequest, draft: ImportDraft, number: int) -> str:
    """The mended row as typed: one text, or the cells of a row of a table."""
    cells = request.POST.getlist("cell")
    if not cells:
        return request.POST.get("block", "")
    old = next((one for one in from_json(draft.rows) if one.number == number), Row(number=0))
    return block_of(old, cells)


def _again(request: HttpRequest) -> dict[UUID, Again]:
    """What is to become of files that were brought in before, by draft."""
    found: dict[UUID, Again] = {}
    for name, value in request.POST.items():
        if name.startswith("again-") and value in get_args(Again):
            found[_uuid(name.removeprefix("again-"))] = value  # type: ignore[assignment]
    return found


def _address(draft: ImportDraft, asked: str = "") -> str:
    address = reverse("quizzes:preview_import", args=[draft.batch])
    return f"{address}?{asked or f'file={draft.position}'}"


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise NotThere from None
