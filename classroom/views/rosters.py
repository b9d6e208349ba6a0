"""Names of a class: paste, edit, codes, erase, export."""

from __future__ import annotations

import json
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classroom.access import access_classroom, access_student, role_in
from classroom.codes import spaced
from classroom.errors import NotThere
from classroom.forms import NameForm, PasteForm
from classroom.models import Student
from classroom.selectors import classrooms as selectors
from classroom.selectors.rosters import preview
from classroom.services import personal_codes, personal_data, rosters as services
from classroom.services.classrooms import NameDiffers
from classroom.views.asking import teacher_of
from classroom.views.codes import is_only_here, join_address, qr


@login_required
@require_GET
def index(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    classroom = access_classroom(actor, classroom_id)
    return render(
        request,
        "classroom/students.html",
        {
            "classroom": classroom,
            "role": role_in(actor, classroom),
            "students": selectors.students(classroom),
            "guests": list(selectors.guests(classroom)),
            "removed": list(selectors.removed_students(classroom)),
            "form": NameForm(),
            "tries": personal_codes.CODE_TRIES,
        },
    )


@login_required
@require_http_methods(["GET", "POST"])
def paste(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    """Three steps on one address: the list, what becomes of each line, saved."""
    actor = teacher_of(request)
    classroom = access_classroom(actor, classroom_id)
    form = PasteForm(request.POST if request.method == "POST" else None)
    context = {"classroom": classroom, "form": form}
    if request.method == "GET" or not form.is_valid() or request.POST.get("act") == "edit":
        status = 422 if form.errors else 200
        return render(request, "classroom/paste.html", context, status=status)
    text = form.cleaned_data["text"]
    if request.POST.get("act") == "save":
        lines = services.add_students(actor=actor, classroom_id=classroom_id, text=text)
        saved = sum(1 for line in lines if line.name)
        messages.success(
            request,
            ngettext("{count} name added.", "{count} names added.", saved).format(count=saved),
        )
        return redirect("classroom:classroom", classroom_id)
    lines = services.preview(actor=actor, classroom_id=classroom_id, text=text)
    return render(request, "classroom/paste_preview.html", {**context, "preview": preview(lines)})


@login_required
@require_POST
def add(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    services.add_student(
        actor=teacher_of(request), classroom_id=classroom_id, name=request.POST.get("name", "")
    )
    return redirect("classroom:students", classroom_id)


@login_required
@require_http_methods(["GET", "POST"])
def codes(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    """GET says what printing does; POST makes new codes and shows the sheet, once."""
    actor = teacher_of(request)
    classroom = access_classroom(actor, classroom_id)
    context = {
        "classroom": classroom,
        "code": spaced(classroom.code),
        "address": join_address(request),
        "only_here": is_only_here(request),
        "has_codes": any(student.code_hash for student in selectors.roster(classroom)),
    }
    if request.method == "GET":
        return render(request, "classroom/codes.html", context)
    made = personal_codes.make_codes(actor=actor, classroom_id=classroom_id)
    context |= {"made": made, "qr": qr(request, classroom)}
    return render(request, "classroom/codes_sheet.html", context)


@login_required
@require_POST
def anonymise(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    try:
        count = personal_data.anonymise_classroom(
            actor=teacher_of(request),
            classroom_id=classroom_id,
            typed_name=request.POST.get("name", ""),
        )
    except NameDiffers as refusal:
        messages.error(request, refusal.message)
        return redirect("classroom:students", classroom_id)
    messages.success(
        request,
        ngettext("{count} name is erased.", "{count} names are erased.", count).format(count=count),
    )
    return redirect("classroom:students", classroom_id)


@login_required
@require_POST
def restore(request: HttpRequest, classroom_id: UUID, student_id: UUID) -> HttpResponse:
    """Bring a removed student back, or erase them for good."""
    actor = teacher_of(request)
    if request.POST.get("act") == "erase":
        personal_data.erase_removed_student(
            actor=actor, classroom_id=classroom_id, student_id=student_id
        )
    else:
        services.restore_student(actor=actor, classroom_id=classroom_id, student_id=student_id)
    return redirect("classroom:students", classroom_id)


@login_required
@require_GET
def student(request: HttpRequest, student_id: UUID) -> HttpResponse:
    return _student_page(request, access_student(teacher_of(request), student_id))


@login_required
@require_POST
def rename(request: HttpRequest, student_id: UUID) -> HttpResponse:
    renamed = services.rename_student(
        actor=teacher_of(request), student_id=student_id, name=request.POST.get("name", "")
    )
    return redirect("classroom:students", renamed.classroom_id)


@login_required
@require_POST
def note(request: HttpRequest, student_id: UUID) -> HttpResponse:
    services.write_note(
        actor=teacher_of(request), student_id=student_id, note=request.POST.get("note", "")
    )
    return redirect("classroom:student", student_id)


@login_required
@require_POST
def remove(request: HttpRequest, student_id: UUID) -> HttpResponse:
    gone = services.remove_student(actor=teacher_of(request), student_id=student_id)
    return redirect("classroom:students", gone.classroom_id)


@login_required
@require_POST
def merge(request: HttpRequest, student_id: UUID) -> HttpResponse:
    """Put a guest into the roster: as a new name, or as one that is there."""
    actor = teacher_of(request)
    into = request.POST.get("into", "")
    if into:
        try:
            into_id = UUID(into)
        except ValueError:
            raise NotThere from None
        kept = services.merge_guest(actor=actor, guest_id=student_id, student_id=into_id)
    else:
        kept = services.keep_guest(actor=actor, student_id=student_id)
    return redirect("classroom:students", kept.classroom_id)


@login_required
@require_POST
def code(request: HttpRequest, student_id: UUID) -> HttpResponse:
    """A new personal code, shown once."""
    known, made = personal_codes.make_code(actor=teacher_of(request), student_id=student_id)
    return _student_page(request, known, code=made)


@login_required
@require_POST
def unlock(request: HttpRequest, student_id: UUID) -> HttpResponse:
    known = personal_codes.unlock_student(actor=teacher_of(request), student_id=student_id)
    return redirect("classroom:students", known.classroom_id)


@login_required
@require_POST
def erase(request: HttpRequest, student_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    classroom_id = access_student(actor, student_id, to="own").classroom_id
    personal_data.erase_student(actor=actor, student_id=student_id)
    messages.success(request, _("The name is erased. Results stay without it."))
    return redirect("classroom:students", classroom_id)


@login_required
@require_GET
def export(request: HttpRequest, student_id: UUID) -> HttpResponse:
    """Everything about one student as a JSON file."""
    data = personal_data.export_student(actor=teacher_of(request), student_id=student_id)
    response = HttpResponse(
        json.dumps(data, ensure_ascii=False, indent=2), content_type="application/json"
    )
    response.headers["Content-Disposition"] = 'attachment; filename="student.json"'
    return response


def _student_page(request: HttpRequest, student: Student, *, code: str = "") -> HttpResponse:
    classroom = student.classroom
    others = [] if not student.is_guest else selectors.students(classroom)
    return render(
        request,
        "classroom/student.html",
        {
            "student": student,
            "classroom": classroom,
            "role": role_in(teacher_of(request), classroom),
            "code": code,
            "others": others,
            "locked": student.code_misses >= personal_codes.CODE_TRIES,
            "form": NameForm(initial={"name": student.name}),
        },
    )
