"""Writing questions: one form for all kinds, a preview beside it, nothing typed is lost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from msgspec import structs

from classroom.access import TeacherActor
from classroom.errors import DomainError, NotThere
from classroom.views.asking import teacher_of
from quizzes.access import QuestionArchived, access_question, access_set, may_change_text
from quizzes.entries import (
    KINDS,
    Entries,
    Mistake,
    Unfinished,
    entries_of,
    is_blank,
    question_of,
)
from quizzes.forms.typed import acted, key, moment, number, typed
from quizzes.models import Draft, Question, QuestionSet, QuestionVersion
from quizzes.rendering import shown
from quizzes.selectors.drafts import begun, draft_of, drafts_in, new_draft, typed as typed_in
from quizzes.selectors.neighbours import neighbours
from quizzes.selectors.questions import newest_versions
from quizzes.services.adding import add_questions, copy_questions
from quizzes.services.drafts import drop_draft
from quizzes.services.editing import EditConflict, save_question
from quizzes.services.pictures import add_picture
from quizzes.services.question_rows import NoPicture, SetFull
from quizzes.views import conflicts
from quizzes.views.form import form_context, sentence


@dataclass(frozen=True)
class Open:
    """An open form: what is typed, and what it belongs to."""

    question_set: QuestionSet
    entries: Entries
    question: Question | None = None  # None: a new one
    version: QuestionVersion | None = None  # the newest of it
    base: int = 0  # version that the form was opened at
    draft: Draft | None = None  # what the form goes on with
    mistakes: tuple[Mistake, ...] = ()
    from_draft: bool = False  # the page was just opened, and shows a draft


# -- pages -----------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, question_id: UUID) -> HttpResponse:
    """The form of a question; for who may only look, the question."""
    actor = teacher_of(request)
    posted = request.method == "POST"
    question = access_question(actor, question_id, to="edit" if posted else "view")
    version = newest_versions([question])[question.pk]
    form = Open(question.set, entries_of(version.value), question, version, version.number)
    if posted:
        return _answer(request, actor, _sent(request, form))
    if not may_change_text(question):
        return _reading(request, question, version)
    draft = draft_of(actor.teacher, question)
    if draft is not None:
        form = replace(form, draft=draft)
        if not _is_saved(draft, version):
            form = replace(form, entries=typed_in(draft), base=draft.base, from_draft=True)
    return _page(request, actor, form)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, set_id: UUID, kind: str) -> HttpResponse:
    """The form of a new question. ``?like=`` another: the same topics, language and source."""
    actor = teacher_of(request)
    question_set = access_set(actor, set_id, to="edit")
    if kind not in KINDS:
        raise NotThere
    blank = Open(question_set, Entries(kind=kind, language=question_set.language))
    if request.method == "POST":
        return _answer(request, actor, _sent(request, blank))
    draft_id = key(request.GET, "draft")
    draft = new_draft(actor.teacher, question_set, draft_id) if draft_id else None
    if draft is not None:
        form = Open(question_set, typed_in(draft), draft=draft, from_draft=True)
        return _page(request, actor, form)
    return _page(request, actor, replace(blank, entries=_like(request, actor, blank.entries)))


@login_required
@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """The question that is typed, as students see it, and what is missing."""
    return render(request, "quizzes/_editor_preview.html", _preview_context(typed(request.POST)))


@login_required
@require_POST
def duplicate(request: HttpRequest, question_id: UUID) -> HttpResponse:
    """The same question once more, at the end of the set."""
    actor = teacher_of(request)
    question = access_question(actor, question_id, to="edit")
    (copy,) = copy_questions(actor=actor, question_ids=[question_id], to=question.set_id)
    messages.success(request, _("This is the copy. It is at the end of the set."))
    return redirect("quizzes:question", copy.pk)


# -- what was sent ---------------------------------------------------------------------------------


def _sent(request: HttpRequest, form: Open) -> Open:
    """The form with what was sent."""
    seen, draft_id = moment(request.POST, "seen"), key(request.POST, "draft")
    draft = Draft(pk=draft_id, saved_at=seen) if draft_id and seen else None
    base = number(request.POST, "base") if form.question else 0
    return replace(form, entries=typed(request.POST), base=base, draft=draft)


def _answer(request: HttpRequest, actor: TeacherActor, form: Open) -> HttpResponse:
    """Save, or show the form again after the act of one of its buttons."""
    act = request.POST.get("act", "save")
    try:
        form = replace(form, entries=_with_picture(request, actor, form.entries, act))
    except DomainError as refusal:
        return _refused(request, actor, form, refusal)
    if act not in ("save", "save-new"):
        return _page(request, actor, replace(form, entries=acted(form.entries, act)))
    try:
        question = question_of(form.entries)
    except Unfinished as unfinished:
        return _page(request, actor, replace(form, mistakes=unfinished.mistakes), status=422)
    draft_id, seen = key(request.POST, "draft"), moment(request.POST, "seen")
    if form.question is None:
        try:
            (saved,) = add_questions(actor=actor, set_id=form.question_set.pk, questions=[question])
        except (NoPicture, SetFull) as refusal:
            return _refused(request, actor, form, refusal)
        drop_draft(actor=actor, draft_id=draft_id, seen=seen)
        messages.success(request, _("Saved. The question is in the set."))
        return _go_on(saved, act)
    before = form.version.number if form.version else 0
    try:
        version = save_question(
            actor=actor, question_id=form.question.pk, question=question, base=form.base
        )
    except EditConflict as conflict:
        return conflicts.begin(
            request, actor, form.question, conflict.theirs, mine=form.entries, base=form.base
        )
    except (NoPicture, QuestionArchived) as refusal:
        return _refused(request, actor, form, refusal)
    drop_draft(actor=actor, draft_id=draft_id, seen=seen)
    if version.number == before:
        messages.info(request, _("Nothing has changed, so there is no new version."))
    else:
        said = _("Saved as version {number}. Matches that are being played keep the one they have.")
        messages.success(request, said.format(number=version.number))
    return _go_on(form.question, act)


def _refused(
    request: HttpRequest, actor: TeacherActor, form: Open, refusal: DomainError
) -> HttpResponse:
    """The form again, with all that was typed, and why it could not be saved."""
    messages.error(request, str(refusal.message))
    return _page(request, actor, form, status=refusal.status)


def _go_on(question: Question, act: str) -> HttpResponse:
    if act == "save-new":
        new_one = reverse("quizzes:new_question", args=[question.set_id, question.kind])
        return redirect(f"{new_one}?like={question.pk}")
    return redirect("quizzes:question", question.pk)


def _with_picture(request: HttpRequest, actor: TeacherActor, entries: Entries, act: str) -> Entries:
    """The fields with a picture that was sent along with the form, or without one taken out."""
    if act == "picture:out":
        return structs.replace(entries, picture="", alt="")
    sent = request.FILES.get("picture_file")
    if not isinstance(sent, UploadedFile) or not sent.size:
        return entries
    picture = add_picture(actor=actor, data=sent.read(), name=sent.name or "")
    return structs.replace(entries, picture=picture.ref)


def _like(request: HttpRequest, actor: TeacherActor, entries: Entries) -> Entries:
    """The fields of a new question with what it shares with another of the set."""
    other_id = key(request.GET, "like")
    if other_id is None:
        return entries
    other = access_question(actor, other_id)
    value = newest_versions([other])[other.pk].value
    like = entries_of(value)
    return structs.replace(
        entries,
        topics=like.topics,
        language=like.language,
        source=like.source,
        difficulty=like.difficulty,
    )


def _is_saved(draft: Draft, version: QuestionVersion) -> bool:
    """Whether all that the draft says is in the newest version."""
    try:
        return question_of(typed_in(draft)) == version.value
    except Unfinished:
        return False


# -- what is shown ---------------------------------------------------------------------------------


def _page(
    request: HttpRequest, actor: TeacherActor, form: Open, *, status: int = 200
) -> HttpResponse:
    drafts = drafts_in(actor.teacher, form.question_set)
    newer = form.version is not None and form.base < form.version.number
    context = {
        "question_set": form.question_set,
        "question": form.question,
        "version": form.version,
        "newer": newer,
        "base": form.base,
        "draft": form.draft,
        "from_draft": form.from_draft,
        "begun": [
            (draft, words)
            for draft, words in begun(drafts)
            if form.draft is None or draft.pk != form.draft.pk
        ],
        "drafted": {draft.question_id for draft in drafts if draft.question_id},
        "neighbours": neighbours(form.question_set, form.question.pk if form.question else None),
        **form_context(form.entries, form.mistakes),
        **_preview_context(form.entries),
    }
    return render(request, "quizzes/editor.html", context, status=status)


def _preview_context(entries: Entries) -> dict[str, object]:
    missing: tuple[Mistake, ...] = ()
    blank = is_blank(entries)
    if not blank:
        try:
            question_of(entries)
        except Unfinished as unfinished:
            missing = unfinished.mistakes
    return {
        "shown": shown(entries),
        "blank": blank,
        "missing": [(mistake, sentence(mistake)) for mistake in missing],
    }


def _reading(request: HttpRequest, question: Question, version: QuestionVersion) -> HttpResponse:
    """The question for who may look at it only."""
    entries = entries_of(version.value)
    return render(
        request,
        "quizzes/editor_reading.html",
        {
            "question_set": question.set,
            "question": question,
            "version": version,
            "shown": shown(entries),
            "value": version.value,
            "neighbours": neighbours(question.set, question.pk),
        },
    )
