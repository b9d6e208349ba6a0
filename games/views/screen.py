"""The projector of a lesson: the lobby with its code, then all matches; public facts only."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from classroom.access import access_lesson
from classroom.codes import spaced
from classroom.models import Lesson
from classroom.views.asking import teacher_of
from classroom.views.codes import join_address, qr
from games.selectors.lineups import expected, present_ids, started


@login_required
@require_safe
def screen(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """What the class looks at: who is here, and from the start on the matches."""
    lesson = access_lesson(teacher_of(request), lesson_id, to="watch")
    matches = list(started(lesson))
    if matches:
        context = {"lesson": lesson, "matches": matches}
        return render(request, "games/screen.html", context)
    template = "_screen_lobby" if "HX-Request" in request.headers else "screen_lobby"
    return render(request, f"games/{template}.html", _lobby(request, lesson))


def _lobby(request: HttpRequest, lesson: Lesson) -> dict[str, object]:
    present = present_ids(lesson)
    return {
        "lesson": lesson,
        "code": spaced(lesson.classroom.code),
        "names": [(s, s.pk in present) for s in expected(lesson)],
        "number_here": len(present),
        "address": join_address(request).removesuffix("/join/").split("//")[-1],
        "qr": qr(request, lesson.classroom),
    }
