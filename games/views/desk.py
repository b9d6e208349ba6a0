"""The teacher's desk: all matches of a lesson, the next sensible step, and what is told to all."""

from __future__ import annotations

from typing import Any, assert_never
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from classroom.access import TeacherActor, access_lesson
from classroom.codes import spaced
from classroom.errors import NotThere
from classroom.models import Lesson
from classroom.services.lessons import announce_end, close_lesson
from classroom.views.asking import Unreadable, teacher_of, whole_number
from games.models import Match
from games.next_steps import Act, Step, next_step
from games.selectors.lineups import started
from games.selectors.screens import screen_code
from games.selectors.steps import lesson_seen
from games.selectors.wording import words
from games.services import matches
from games.services.notices import send_notice, take_back_notice

MOST_HINTS = 20  # about matches, of one page


@login_required
@require_safe
def lesson_desk(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """All matches of the lesson, kept up to date over the lesson's socket.

    The page asks for the next step alone when something has moved.
    """
    lesson = access_lesson(teacher_of(request), lesson_id)
    if "HX-Request" in request.headers:
        return render(request, "games/_next_step.html", _next_step(request, lesson))
    context = {
        **_next_step(request, lesson),
        "matches": started(lesson),
        "notices": lesson.notices.select_related("match"),
        "screen_address": request.build_absolute_uri(reverse("games:enter_screen")),
        "screen_code": spaced(screen_code(lesson)),
    }
    return render(request, "games/desk.html", context)


@login_required
@require_POST
def act_on_lesson(request: HttpRequest, lesson_id: UUID, act: str) -> HttpResponse:
    """For all matches at once: pause, go on, finish the round, close; the end; notices."""
    actor = teacher_of(request)
    lesson = access_lesson(actor, lesson_id)
    match act:
        case "pause":
            for playing in started(lesson).filter(status=Match.Status.PLAYING):
                matches.pause_match(match_id=playing.pk, actor=actor)
        case "resume":
            for paused in started(lesson).filter(status=Match.Status.PAUSED):
                matches.resume_match(match_id=paused.pk, actor=actor)
        case "finish-round":
            for playing in started(lesson).filter(status=Match.Status.PLAYING):
                matches.finish_round(match_id=playing.pk, actor=actor)
        case "notice":
            _send_notice(actor, lesson, request.POST)
        case "take-back-notice":
            notice_id = whole_number(request.POST.get("notice", ""))
            take_back_notice(actor=actor, lesson_id=lesson_id, notice_id=notice_id or 0)
        case "close":
            close_lesson(actor=actor, lesson_id=lesson_id)
            return redirect("classroom:lesson", lesson_id)
        case "ends":
            minutes = whole_number(request.POST.get("minutes", ""))
            announce_end(actor=actor, lesson_id=lesson_id, minutes=minutes)
        case _:
            raise NotThere
    return redirect("games:desk", lesson_id)


def _send_notice(actor: TeacherActor, lesson: Lesson, form: Any) -> None:
    """``to``: empty for everybody, a match, or a match and a seat (``id.0``)."""
    match, _dot, seat = form.get("to", "").partition(".")
    try:
        match_id = UUID(match) if match else None
    except ValueError as wrong:
        raise Unreadable from wrong
    if seat and whole_number(seat) is None:
        raise Unreadable
    send_notice(
        actor=actor,
        lesson_id=lesson.pk,
        text=form.get("preset") or form.get("text", ""),
        match_id=match_id,
        seat=whole_number(seat),
        on_screen="on_screen" in form,
    )


def _next_step(request: HttpRequest, lesson: Lesson) -> dict[str, Any]:
    """The large button. What only the sockets know, the page itself says in its query."""
    split = request.GET.getlist("split")[:MOST_HINTS]
    absent, slow = _seats(request, "absent"), _seats(request, "slow")
    step = next_step(lesson_seen(lesson, split=split, absent=absent, slow=slow))
    return {
        "lesson": lesson,
        "act": step.act.value,
        "why": words(step.why),
        "label": words(step.label),
        "closes": step.act is Act.CLOSE,
        **_way(lesson, step),
    }


def _seats(request: HttpRequest, name: str) -> dict[str, int]:
    """Of some matches the seat that is meant: ``id.seat``."""
    seats = {}
    for place in request.GET.getlist(name)[:MOST_HINTS]:
        match, _dot, seat = place.partition(".")
        if (number := whole_number(seat)) is not None:
            seats[match] = number
    return seats


def _way(lesson: Lesson, step: Step) -> dict[str, Any]:
    """Where the large button leads, or what it posts."""
    fields: dict[str, Any] = {}
    match step.act:
        case Act.OPEN:
            post, address = True, reverse("classroom:change_lesson", args=[lesson.pk])
            fields = {"act": "open"}
        case Act.SHOW_CODE:
            address = reverse("classroom:show_code", args=[lesson.classroom_id])
            post = False
        case Act.MAKE_TEAMS:
            post, address = False, reverse("games:setup", args=[lesson.pk])
        case Act.START:
            post, address = True, reverse("games:start", args=[lesson.pk])
        case Act.LOOK:
            post, address = False, reverse("games:match_desk", args=[step.match])
        case Act.LET_COMPUTER_PLAY:
            address = reverse("games:act_on_match", args=[step.match, "played-by"])
            post, fields = True, {"seat": step.seat, "played_by": "bot", "from_desk": "1"}
        case Act.TALK:
            post, address = False, reverse("games:debrief", args=[lesson.pk])
        case Act.SHOW_BOARD:
            post, address = False, reverse("games:screen", args=[lesson.pk])
        case Act.RESUME | Act.FINISH_ROUND | Act.CLOSE:
            name = step.act.value.replace("_", "-")
            post, address = True, reverse("games:act_on_lesson", args=[lesson.pk, name])
        case _:
            assert_never(step.act)
    return {"post": post, "address": address, "fields": fields}
