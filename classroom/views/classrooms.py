"""Classes: list, page, settings, colleagues."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classroom.access import access_classroom, role_in
from classroom.codes import spaced
from classroom.errors import DomainError, NotThere
from classroom.forms import ClassroomForm, SettingsForm
from classroom.models import Classroom
from classroom.selectors import classrooms as selectors, lessons as lesson_selectors
from classroom.services import classrooms as services, invitations
from classroom.views.asking import teacher_of
from classroom.views.codes import is_only_here, join_address, qr


@login_required
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    teacher = teacher_of(request).teacher
    archived = request.GET.get("show") == "archive"
    return render(
        request,
        "classroom/classes.html",
        {
            "classrooms": list(selectors.classrooms(teacher, archived=archived)),
            "archived": archived,
            "has_archive": selectors.classrooms(teacher, archived=True).exists(),
            "form": ClassroomForm(),
        },
    )


@login_required
@require_http_methods(["GET", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    form = ClassroomForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        classroom = services.create_classroom(
            actor=teacher_of(request), name=form.cleaned_data["name"]
        )
        return redirect("classroom:paste", classroom.pk)
    status = 422 if form.errors else 200
    return render(request, "classroom/class_new.html", {"form": form}, status=status)


@login_required
@require_GET
def detail(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    classroom = access_classroom(actor, classroom_id)
    students = selectors.students(classroom)
    return render(
        request,
        "classroom/class.html",
        {
            "classroom": classroom,
            "role": role_in(actor, classroom),
            "code": spaced(classroom.code),
            "students": students,
            "columns": _columns(students),
            "colleagues": selectors.colleagues(classroom),
            "guests": list(selectors.guests(classroom)),
            "lines": lesson_selectors.lesson_lines(classroom),
        },
    )


@login_required
@require_GET
def show_code(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    classroom = access_classroom(teacher_of(request), classroom_id)
    return render(
        request,
        "classroom/class_code.html",
        {
            "classroom": classroom,
            "code": spaced(classroom.code),
            "qr": qr(request, classroom),
            "address": join_address(request),
            "only_here": is_only_here(request),
        },
    )


@login_required
@require_POST
def rename(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    services.rename_classroom(
        actor=teacher_of(request), classroom_id=classroom_id, name=request.POST.get("name", "")
    )
    return redirect("classroom:class_settings", classroom_id)


@login_required
@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    classroom = access_classroom(actor, classroom_id)
    form = SettingsForm(request.POST) if request.method == "POST" else _settings_form(classroom)
    if request.method == "POST" and form.is_valid():
        services.change_settings(actor=actor, classroom_id=classroom_id, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("classroom:class_settings", classroom_id)
    return _settings_page(request, classroom, form=form)


@login_required
@require_POST
def rotate(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    services.rotate_code(actor=teacher_of(request), classroom_id=classroom_id)
    messages.success(request, _("The class has a new code. The old one has stopped working."))
    return redirect("classroom:classroom", classroom_id)


@login_required
@require_POST
def archive(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    archived = request.POST.get("archived") == "1"
    services.archive_classroom(
        actor=teacher_of(request), classroom_id=classroom_id, archived=archived
    )
    if archived:
        return redirect("classroom:classes")
    return redirect("classroom:classroom", classroom_id)


@login_required
@require_POST
def delete(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    try:
        services.delete_classroom(
            actor=actor, classroom_id=classroom_id, typed_name=request.POST.get("name", "")
        )
    except services.NameDiffers as refusal:
        classroom = access_classroom(actor, classroom_id)
        form = _settings_form(classroom)
        return _settings_page(request, classroom, form=form, delete_refusal=refusal)
    messages.success(request, _("The class is deleted, with its lessons and results."))
    return redirect("classroom:classes")


@login_required
@require_POST
def copy(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    made = services.copy_classroom(
        actor=teacher_of(request), classroom_id=classroom_id, name=request.POST.get("name", "")
    )
    messages.success(
        request, _("Here is the new class, with the same names and a code of its own.")
    )
    return redirect("classroom:classroom", made.pk)


@login_required
@require_POST
def invite(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    secret = invitations.invite_co_teacher(actor=actor, classroom_id=classroom_id)
    classroom = access_classroom(actor, classroom_id)
    link = request.build_absolute_uri(reverse("classroom:invitation", args=[secret]))
    return _settings_page(request, classroom, form=_settings_form(classroom), link=link)


@login_required
@require_POST
def co_teacher(request: HttpRequest, classroom_id: UUID, teacher_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    match request.POST.get("act"):
        case "remove":
            services.remove_co_teacher(
                actor=actor, classroom_id=classroom_id, teacher_id=teacher_id
            )
        case "hand-over":
            services.hand_over_classroom(
                actor=actor, classroom_id=classroom_id, teacher_id=teacher_id
            )
        case _:
            raise NotThere
    if actor.teacher.pk == teacher_id:
        return redirect("classroom:classes")
    return redirect("classroom:class_settings", classroom_id)


def _columns(students: list[Any], most: int = 3, fewest: int = 8) -> list[list[Any]]:
    """The roster in up to three columns of equal length, read downwards."""
    columns = max(1, min(most, -(-len(students) // fewest)))
    height = -(-len(students) // columns)
    return [students[at : at + height] for at in range(0, len(students), height or 1)]


def _settings_form(classroom: Classroom) -> SettingsForm:
    return SettingsForm(
        initial={
            name: getattr(classroom, name)
            for name in ("guests_allowed", "personal_codes", "keep_days", "language")
        }
    )


def _settings_page(
    request: HttpRequest,
    classroom: Classroom,
    *,
    form: SettingsForm,
    link: str = "",
    delete_refusal: DomainError | None = None,
) -> HttpResponse:
    return render(
        request,
        "classroom/class_settings.html",
        {
            "classroom": classroom,
            "role": role_in(teacher_of(request), classroom),
            "form": form,
            "colleagues": selectors.colleagues(classroom),
            "invitations": list(selectors.open_invitations(classroom)),
            "link": link,
            "delete_refusal": delete_refusal,
        },
        status=422 if form.errors or delete_refusal else 200,
    )
