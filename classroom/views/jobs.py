"""Long work: a page that polls the row, and the file at the end."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from classroom.access import access_job
from classroom.services import jobs as services
from classroom.views.asking import teacher_of


@login_required
@require_GET
def detail(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """The page; htmx asks for the part that changes."""
    job = access_job(teacher_of(request), job_id)
    template = "classroom/_job.html" if "HX-Request" in request.headers else "classroom/job.html"
    return render(request, template, {"job": job, "stuck": services.is_stuck(job)})


@login_required
@require_GET
def file(request: HttpRequest, job_id: UUID) -> FileResponse:
    path = services.result_file(actor=teacher_of(request), job_id=job_id)
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name)


@login_required
@require_POST
def again(request: HttpRequest, job_id: UUID) -> HttpResponse:
    job = services.try_again(actor=teacher_of(request), job_id=job_id)
    return redirect("classroom:job", job.pk)
