"""The teacher's desk: all matches of a lesson, and one match with all that can be done about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never
from uuid import UUID

import msgspec
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.datastructures import MultiValueDictKeyError
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from classroom.access import TeacherActor, access_lesson
from classroom.codes import spaced
from classroom.errors import DomainError, NotThere
from classroom.models import Lesson
from classroom.services import attendance
from classroom.services.lessons import announce_end, close_lesson
from classroom.views.asking import teacher_of, whole_number
from games.models import Match
from games.next_steps import Act, Step, next_step
from games.position import Position
from games.selectors.lineups import kicked, started
from games.selectors.matches import access_match
from games.selectors.screens import screen_code
from games.selectors.steps import lesson_seen
from games.selectors.wording import words
from games.services import frames, log, matches
from games.services.log_lines import newest_lines
from games.services.notices import send_notice, take_back_notice

MOST_HINTS = 20  # about matches, of one page
LINES = 40  # of the log on a match's desk


class Unreadable(DomainError):
    """Raised for a form that does not say what it wants."""

    code = "unreadable"
    message = _("Something was missing in the form. Load the page again, then choose.")


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


@login_required
@require_safe
def match_desk(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """One match: what it waits for, its teams, its log, and every way to step in."""
    match = access_match(teacher_of(request), match_id)
    context = {"match": match, **_desk_context(log.load(match.pk))}
    whole = "HX-Request" not in request.headers
    return render(request, f"games/{'' if whole else '_'}match_desk.html", context)


@login_required
@require_POST
def act_on_match(request: HttpRequest, match_id: UUID, act: str) -> HttpResponse:
    """Step in: one act of ``ACTS``, with the fields of its form."""
    actor = teacher_of(request)
    match = access_match(actor, match_id)
    if act not in ACTS:
        raise NotThere
    try:
        ACTS[act](match, actor, request.POST)
    except (MultiValueDictKeyError, ValueError) as wrong:
        raise Unreadable from wrong
    if "from_desk" in request.POST:
        return redirect("games:desk", match.lesson_id)
    return redirect("games:match_desk", match_id)


def _decide(match: Match, actor: Any, form: Any) -> None:
    move = msgspec.json.decode(form["move"], type=dict[str, Any]) if form.get("move") else None
    if move is not None and form.get("amount_field"):
        move[form["amount_field"]] = int(form["amount"])
    matches.decide_for(
        match_id=match.pk,
        actor=actor,
        seat=int(form["seat"]),
        decision=int(form["decision"]),
        move=move,
    )


def _skip_question(match: Match, actor: Any, form: Any) -> None:
    matches.skip_question(
        match_id=match.pk, actor=actor, seat=int(form["seat"]), decision=int(form["decision"])
    )


def _let_decide(match: Match, actor: Any, form: Any) -> None:
    matches.let_decide(
        match_id=match.pk,
        actor=actor,
        seat=int(form["seat"]),
        decision=int(form["decision"]),
        student_id=UUID(form["student"]),
    )


def _more_time(match: Match, actor: Any, form: Any) -> None:
    matches.give_more_time(
        match_id=match.pk, actor=actor, seat=int(form["seat"]), decision=int(form["decision"])
    )


def _played_by(match: Match, actor: Any, form: Any) -> None:
    """``bot``: which computer player; the one of the lesson's set-up if none is named."""
    bot = form.get("bot") or match.lesson.settings.get("bot", "")
    matches.step_in(
        match_id=match.pk,
        actor=actor,
        seat=int(form["seat"]),
        played_by=form["played_by"],
        bot=bot if form["played_by"] == "bot" else "",
    )


def _move_student(match: Match, actor: Any, form: Any) -> None:
    matches.join_match(
        match_id=match.pk, actor=actor, student_id=UUID(form["student"]), seat=int(form["seat"])
    )


ACTS: dict[str, Callable[[Match, Any, Any], object]] = {
    "pause": lambda match, actor, _form: matches.pause_match(match_id=match.pk, actor=actor),
    "resume": lambda match, actor, _form: matches.resume_match(match_id=match.pk, actor=actor),
    "end": lambda match, actor, _form: matches.end_match(match_id=match.pk, actor=actor),
    "rewind": lambda match, actor, form: matches.rewind_match(
        match_id=match.pk, actor=actor, to=int(form["to"])
    ),
    "decide": _decide,
    "skip-question": _skip_question,
    "let-decide": _let_decide,
    "more-time": _more_time,
    "played-by": _played_by,
    "move-student": _move_student,
    "kick": lambda match, actor, form: attendance.kick_student(
        lesson_id=match.lesson_id, actor=actor, student_id=UUID(form["student"])
    ),
    "readmit": lambda match, actor, form: attendance.readmit_student(
        lesson_id=match.lesson_id, actor=actor, student_id=UUID(form["student"])
    ),
}


def _desk_context(position: Position) -> dict[str, Any]:
    over = position.state is None or position.status == "ended"
    return {
        "position": position,
        "standing": frames.standing(position, words),
        "bots": [
            {"key": bot.key, "title": words(bot.title), "manner": words(bot.manner)}
            for bot in position.bots.values()
        ],
        "open": []
        if over
        else [_open(position, opened.decision.seat) for opened in position.timing.opened],
        "lines": newest_lines(position, LINES),
        "question": None if over else position.rules.open_question(position.state),
        "kicked": kicked(UUID(position.lesson)),
    }


def _open(position: Position, seat: int) -> dict[str, Any]:
    """One open decision with its options as the teacher may take them for the team."""
    opened = position.opened(seat)
    assert opened is not None
    offered = frames.offered(position, seat, words)
    amount = offered.get("amount")
    return {
        "seat": seat,
        "team": position.teams[seat],
        "decision": opened.version,
        "text": words(position.rules.waiting(position.state, opened.decision)),
        "amount": amount,
        "options": [
            {**option, "move": msgspec.json.encode(option["move"]).decode()}
            for option in ([amount] if amount else offered["moves"])
        ],
    }
