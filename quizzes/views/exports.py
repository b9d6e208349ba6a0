"""Taking questions away: which formats there are, what each leaves out, and the file."""

from __future__ import annotations

import io
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from classroom.views.asking import teacher_of
from quizzes.formats.catalog import FORMATS
from quizzes.services import exports as services


@login_required
@require_GET
def index(request: HttpRequest, set_id: UUID) -> HttpResponse:
    """All formats; for a set of usual size also what each would leave out of it."""
    actor = teacher_of(request)
    first = services.export(actor=actor, set_id=set_id, format=next(iter(FORMATS)))
    lines = []
    for found in FORMATS.values():
        left_out, parts = (0, frozenset[str]())
        if not first.is_large:
            left_out, parts = services.losses_of(first.questions, found)
        lines.append({"format": found, "left_out": left_out, "parts": sorted(map(_, parts))})
    return render(
        request,
        "quizzes/exports.html",
        {
            "question_set": first.question_set,
            "count": len(first.questions),
            "large": first.is_large,
            "lines": lines,
        },
    )


@login_required
@require_http_methods(["GET", "POST"])
def file(request: HttpRequest, set_id: UUID, format: str) -> HttpResponseBase:
    """GET: the file of a set of usual size. POST: a job that writes it, whatever its size."""
    actor = teacher_of(request)
    if request.method == "POST":
        job = services.start_export(actor=actor, set_id=set_id, format=format)
        return redirect("classroom:job", job.pk)
    found = services.export(actor=actor, set_id=set_id, format=format)
    if found.is_large:
        return redirect("quizzes:exports", set_id)
    return FileResponse(
        io.BytesIO(found.written()),
        as_attachment=True,
        filename=found.file_name,
        content_type=found.format.media_type,
    )


@login_required
@require_GET
def template(request: HttpRequest) -> FileResponse:
    """A workbook to write questions into."""
    return FileResponse(
        io.BytesIO(services.template()),
        as_attachment=True,
        filename="questions.xlsx",
        content_type=FORMATS["xlsx"].media_type,
    )
