"""One set: making it, its settings, with whom it is shared."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from classroom.access import TeacherActor
from classroom.errors import DomainError, NotAllowed, NotThere
from classroom.views.asking import teacher_of
from quizzes.access import access_set, right_to
from quizzes.forms.sets import PublishForm, SetForm, ShareForm
from quizzes.models import QuestionSet, SetShare
from quizzes.selectors import sets as selectors
from quizzes.services import sets as services


@login_required
@require_http_methods(["GET", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    form = SetForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.create_set(actor=teacher_of(request), **form.cleaned_data)
        except services.NoTitle as refusal:
            form.add_error("title", str(refusal.message))
        else:
            return redirect("quizzes:set", made.pk)
    status = 422 if form.errors else 200
    return render(request, "quizzes/set_new.html", {"form": form}, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, set_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    question_set = access_set(actor, set_id)
    if right_to(question_set) == "view":
        raise NotAllowed
    form = SetForm(request.POST) if request.method == "POST" else _set_form(question_set)
    if request.method == "POST" and form.is_valid():
        try:
            services.rename_set(actor=actor, set_id=set_id, **form.cleaned_data)
        except services.NoTitle as refusal:
            form.add_error("title", str(refusal.message))
        else:
            messages.success(request, _("Saved."))
            return redirect("quizzes:set", set_id)
    return _settings_page(request, question_set, form)


@login_required
@require_POST
def copy(request: HttpRequest, set_id: UUID) -> HttpResponse:
    made = services.copy_set(
        actor=teacher_of(request), set_id=set_id, title=request.POST.get("title", "")
    )
    messages.success(request, _("Here is your own copy. The original stays as it is."))
    return redirect("quizzes:set", made.pk)


@login_required
@require_POST
def archive(request: HttpRequest, set_id: UUID) -> HttpResponse:
    if request.POST.get("archived") == "1":
        services.archive_set(actor=teacher_of(request), set_id=set_id)
        messages.success(request, _("The set is in the archive. You can bring it back."))
        return redirect("quizzes:sets")
    services.restore_set(actor=teacher_of(request), set_id=set_id)
    return redirect("quizzes:set", set_id)


@login_required
@require_POST
def delete(request: HttpRequest, set_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    try:
        services.delete_set(actor=actor, set_id=set_id, typed_title=request.POST.get("title", ""))
    except services.TitleDiffers as refusal:
        question_set = access_set(actor, set_id)
        return _settings_page(request, question_set, _set_form(question_set), refusal=refusal)
    messages.success(request, _("The set is deleted, with its questions."))
    return redirect("quizzes:sets")


@login_required
@require_http_methods(["GET", "POST"])
def share(request: HttpRequest, set_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    question_set = access_set(actor, set_id, to="own")
    form = _share_form(actor, question_set, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.share_set(
                actor=actor,
                set_id=set_id,
                email=form.cleaned_data["email"],
                teacher_id=UUID(picked) if (picked := form.cleaned_data.get("teacher")) else None,
                right=SetShare.Right(form.cleaned_data["right"]),
            )
        except DomainError as refusal:
            form.add_error("email", str(refusal.message))
        else:
            messages.success(
                request, _("The set is shared with %(name)s.") % {"name": made.teacher.name}
            )
            return redirect("quizzes:share", set_id)
    return _share_page(request, question_set, share_form=form)


@login_required
@require_POST
def publish(request: HttpRequest, set_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    question_set = access_set(actor, set_id, to="own")
    form = PublishForm(request.POST)
    if form.is_valid():
        try:
            services.publish_set(actor=actor, set_id=set_id, **form.cleaned_data)
        except services.NoCredit as refusal:
            form.add_error("credit", str(refusal.message))
        else:
            messages.success(request, _("Saved."))
            return redirect("quizzes:share", set_id)
    return _share_page(request, question_set, publish_form=form)


@login_required
@require_POST
def colleague(request: HttpRequest, set_id: UUID, teacher_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    match request.POST.get("act"):
        case "remove":
            services.unshare(actor=actor, set_id=set_id, teacher_id=teacher_id)
        case "hand-over":
            services.hand_over_set(actor=actor, set_id=set_id, teacher_id=teacher_id)
            return redirect("quizzes:set", set_id)
        case "view" | "edit" as right:
            services.change_share(
                actor=actor, set_id=set_id, teacher_id=teacher_id, right=SetShare.Right(right)
            )
        case _:
            raise NotThere
    if actor.teacher.pk == teacher_id:
        return redirect("quizzes:sets")
    return redirect("quizzes:share", set_id)


def _set_form(question_set: QuestionSet) -> SetForm:
    return SetForm(
        initial={name: getattr(question_set, name) for name in ("title", "language", "note")}
    )


def _settings_page(
    request: HttpRequest,
    question_set: QuestionSet,
    form: SetForm,
    *,
    refusal: DomainError | None = None,
) -> HttpResponse:
    return render(
        request,
        "quizzes/set_settings.html",
        {"set": question_set, "form": form, "refusal": refusal},
        status=422 if form.errors or refusal else 200,
    )


def _share_form(
    actor: TeacherActor, question_set: QuestionSet, data: QueryDict | None = None
) -> ShareForm:
    return ShareForm(
        data,
        colleagues=selectors.colleagues(actor.teacher),
        but={share.teacher_id for share in selectors.shares(question_set)},
    )


def _share_page(
    request: HttpRequest,
    question_set: QuestionSet,
    *,
    share_form: ShareForm | None = None,
    publish_form: PublishForm | None = None,
) -> HttpResponse:
    failed = any(form is not None and form.errors for form in (share_form, publish_form))
    teacher = teacher_of(request).teacher
    return render(
        request,
        "quizzes/set_share.html",
        {
            "set": question_set,
            "shares": list(selectors.shares(question_set)),
            "share_form": share_form or _share_form(teacher_of(request), question_set),
            "publish_form": publish_form
            or PublishForm(
                initial={
                    "site_wide": question_set.site_wide,
                    "credit": question_set.credit or teacher.name,
                }
            ),
        },
        status=422 if failed else 200,
    )
