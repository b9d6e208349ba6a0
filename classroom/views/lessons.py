"""Lessons for teachers: plan, open, who is here, close."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classroom.access import access_classroom, access_lesson, role_in
from classroom.activities import activities, activity
from classroom.codes import spaced
from classroom.errors import NotThere
from classroom.forms import LessonForm
from classroom.selectors import lessons as selectors
from classroom.services import attendance, lessons as services
from classroom.views.asking import teacher_of
from classroom.views.codes import is_only_here, join_address, qr


@login_required
@require_http_methods(["GET", "POST"])
def create(request: HttpRequest, classroom_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    classroom = access_classroom(actor, classroom_id)
    form = LessonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        lesson = services.create_lesson(
            actor=actor,
            classroom_id=classroom_id,
            activity_key=form.cleaned_data["activity"],
            title=form.cleaned_data["title"],
        )
        return redirect(activity(lesson.activity).launch(lesson))
    return render(
        request,
        "classroom/lesson_new.html",
        {"classroom": classroom, "form": form, "activities": activities()},
        status=422 if form.errors else 200,
    )


@login_required
@require_GET
def detail(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    lesson = access_lesson(actor, lesson_id)
    doing = activity(lesson.activity)
    return render(
        request,
        "classroom/lesson.html",
        {
            "lesson": lesson,
            "classroom": lesson.classroom,
            "role": role_in(actor, lesson.classroom),
            "activity": doing,
            "launch": doing.launch(lesson),
            "cards": doing.cards(lesson),
            "panels": doing.panels(lesson),
            "next_act": doing.next_act(lesson),
            "code": spaced(lesson.classroom.code),
            "qr": qr(request, lesson.classroom),
            "address": join_address(request),
            "only_here": is_only_here(request),
            "roll": selectors.roll(lesson),
        },
    )


@login_required
@require_GET
def report(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """What the lesson told: who was there, and what its activity has to say. Also to print."""
    lesson = access_lesson(teacher_of(request), lesson_id)
    doing = activity(lesson.activity)
    return render(
        request,
        "classroom/report.html",
        {
            "lesson": lesson,
            "classroom": lesson.classroom,
            "activity": doing,
            "sections": doing.report_sections(lesson),
            "present": selectors.present(lesson),
        },
    )


@login_required
@require_GET
def roll(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """Who is here, by itself: what the lesson's page is renewed from."""
    lesson = access_lesson(teacher_of(request), lesson_id)
    return render(
        request, "classroom/_roll.html", {"lesson": lesson, "roll": selectors.roll(lesson)}
    )


@login_required
@require_POST
def change(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    match request.POST.get("act"):
        case "open":
            services.open_lesson(actor=actor, lesson_id=lesson_id)
        case "close":
            services.close_lesson(actor=actor, lesson_id=lesson_id)
        case "lock":
            services.lock_joining(actor=actor, lesson_id=lesson_id, locked=True)
        case "unlock":
            services.lock_joining(actor=actor, lesson_id=lesson_id, locked=False)
        case "rename":
            services.rename_lesson(
                actor=actor, lesson_id=lesson_id, title=request.POST.get("title", "")
            )
        case _:
            raise NotThere
    return redirect("classroom:lesson", lesson_id)


@login_required
@require_POST
def delete(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    classroom_id = access_lesson(actor, lesson_id).classroom_id
    services.delete_lesson(actor=actor, lesson_id=lesson_id)
    return redirect("classroom:classroom", classroom_id)


@login_required
@require_POST
def student(request: HttpRequest, lesson_id: UUID, student_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    match request.POST.get("act"):
        case "present":
            attendance.tick_present(actor=actor, lesson_id=lesson_id, student_id=student_id)
        case "absent":
            attendance.tick_absent(actor=actor, lesson_id=lesson_id, student_id=student_id)
        case "free":
            attendance.free_name_of(actor=actor, lesson_id=lesson_id, student_id=student_id)
        case "kick":
            attendance.kick_student(actor=actor, lesson_id=lesson_id, student_id=student_id)
        case "readmit":
            attendance.readmit_student(actor=actor, lesson_id=lesson_id, student_id=student_id)
        case _:
            raise NotThere
    return _roll_or_page(request, lesson_id)


@login_required
@require_POST
def others_present(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """All who are not here have no device: one device a team, or some without."""
    attendance.tick_others_present(actor=teacher_of(request), lesson_id=lesson_id)
    return _roll_or_page(request, lesson_id)


@login_required
@require_POST
def device(request: HttpRequest, lesson_id: UUID, device_id: int) -> HttpResponse:
    actor = teacher_of(request)
    match request.POST.get("act"):
        case "let-in":
            attendance.let_in(actor=actor, lesson_id=lesson_id, device_id=device_id)
        case "turn-away":
            attendance.turn_away(actor=actor, lesson_id=lesson_id, device_id=device_id)
        case _:
            raise NotThere
    return _roll_or_page(request, lesson_id)


@login_required
@require_POST
def remove_guests(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    attendance.remove_guests(actor=teacher_of(request), lesson_id=lesson_id)
    return _roll_or_page(request, lesson_id)


def _roll_or_page(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    if "HX-Request" not in request.headers:
        return redirect("classroom:lesson", lesson_id)
    lesson = access_lesson(teacher_of(request), lesson_id)
    return render(
        request, "classroom/_roll.html", {"lesson": lesson, "roll": selectors.roll(lesson)}
    )
