"""The desk of one match: what it waits for, and every way to step in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.datastructures import MultiValueDictKeyError
from django.views.decorators.http import require_POST, require_safe

from classroom.errors import NotThere
from classroom.services import attendance
from classroom.views.asking import Unreadable, teacher_of
from games.models import Match
from games.position import Position
from games.selectors import positions
from games.selectors.lineups import kicked
from games.selectors.matches import access_match
from games.selectors.wording import words
from games.services import frames, matches
from games.services.log_lines import newest_lines

LINES = 40  # of the log


@login_required
@require_safe
def match_desk(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """One match: what it waits for, its teams, its log, and every way to step in."""
    match = access_match(teacher_of(request), match_id)
    context = {"match": match, **_desk_context(positions.load(match.pk))}
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
