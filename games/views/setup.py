"""Setting up a lesson: board, rules, matches and teams, up to the start."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from classroom.access import TeacherActor, access_lesson
from classroom.errors import NotThere
from classroom.models import Lesson, Student
from classroom.services.joining import make_test_student
from classroom.services.lessons import open_lesson
from classroom.views.asking import teacher_of, whole_number
from games.decks.starters import starter
from games.forms import SetupForm
from games.lineups import possible_matches, recommended_matches, team_sizes
from games.selectors.lineups import (
    available,
    drafted,
    here,
    last_teams,
    next_number,
    unfinished,
)
from games.selectors.question_sets import asked_from, asks_questions, set_choices
from games.services import preparing
from games.services.question_decks import NothingFits


@login_required
@require_safe
def setup(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """The whole page."""
    actor = teacher_of(request)
    lesson = access_lesson(actor, lesson_id)
    return _page(request, lesson, _form(actor, lesson))


@login_required
@require_POST
def save(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """Store the settings; with ``open`` also let the students in."""
    actor = teacher_of(request)
    lesson = access_lesson(actor, lesson_id)
    form = _form(actor, lesson, request.POST)
    if not form.is_valid():
        return _page(request, lesson, form, status=422)
    try:
        preparing.save_setup(actor=actor, lesson_id=lesson_id, setup=form.chosen())
    except NothingFits as refusal:
        form.add_error("questions", str(refusal.message))
        return _page(request, lesson, form, status=422)
    if "open" in request.POST:
        open_lesson(actor=actor, lesson_id=lesson_id)
        return redirect("classroom:lesson", lesson_id)
    messages.success(request, _("Saved."))
    return redirect("games:setup", lesson_id)


@login_required
@require_POST
def mix(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """Draft teams anew, in as many matches as asked for; ``practice``: against the computer."""
    actor = teacher_of(request)
    lineup = preparing.make_teams(
        actor=actor,
        lesson_id=lesson_id,
        number=whole_number(request.POST.get("number", "")),
        practice="practice" in request.POST and "each_other" not in request.POST,
    )
    if lineup.unkept:
        messages.warning(request, _("There are too few teams to keep everybody apart."))
    return _teams(request, access_lesson(actor, lesson_id))


@login_required
@require_POST
def repeat(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """Draft the teams of last time."""
    actor = teacher_of(request)
    preparing.repeat_teams(actor=actor, lesson_id=lesson_id)
    return _teams(request, access_lesson(actor, lesson_id))


@login_required
def place(request: HttpRequest, lesson_id: UUID, student_id: UUID) -> HttpResponse:
    """Where a student plays: a page to choose from, and the choice. Dragging posts here too."""
    actor = teacher_of(request)
    lesson = access_lesson(actor, lesson_id)
    if request.method == "POST":
        number, _dot, seat = request.POST.get("to", "").partition(".")
        preparing.place_student(
            actor=actor,
            lesson_id=lesson_id,
            student_id=student_id,
            number=whole_number(number),
            seat=whole_number(seat) or 0,
        )
        return _teams(request, lesson)
    return render(request, "games/place.html", _place_context(lesson, student_id))


@login_required
@require_POST
def apart(request: HttpRequest, lesson_id: UUID, student_id: UUID) -> HttpResponse:
    """Keep two students apart, or no longer."""
    preparing.keep_apart(
        actor=teacher_of(request),
        lesson_id=lesson_id,
        one=student_id,
        other=_uuid(request.POST.get("other", "")),
        apart="again" not in request.POST,
    )
    return redirect("games:place", lesson_id, student_id)


@login_required
@require_POST
def start(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """Start with who is here."""
    actor = teacher_of(request)
    open_lesson(actor=actor, lesson_id=lesson_id)
    preparing.start_matches(actor=actor, lesson_id=lesson_id)
    return redirect("games:desk", lesson_id)


@login_required
@require_POST
def try_alone(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """Two test students, one a team, so that a teacher can look at both sides alone."""
    actor = teacher_of(request)
    open_lesson(actor=actor, lesson_id=lesson_id)
    for name in (_("Test student 1"), _("Test student 2")):
        make_test_student(actor=actor, lesson_id=lesson_id, name=name)
    return redirect("classroom:lesson", lesson_id)


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise preparing.BadSetup(_("Choose a student to keep apart.")) from None


def _form(actor: TeacherActor, lesson: Lesson, data: Any = None) -> SetupForm:
    game, settled = preparing.game_in(lesson), preparing.setup_of(lesson)
    if not asks_questions(game):
        return SetupForm(game, settled, data)
    asked = asked_from(actor, game, settled.questions)
    return SetupForm(game, settled, data, sets=set_choices(actor), asked=asked)


def _page(request: HttpRequest, lesson: Lesson, form: SetupForm, status: int = 200) -> HttpResponse:
    context = {**_teams_context(lesson), "form": form, "minutes": _minutes(lesson)}
    return render(request, "games/setup.html", context, status=status)


def _teams(request: HttpRequest, lesson: Lesson) -> HttpResponse:
    """The teams and their plan where only they were asked for, else back to the page."""
    if "HX-Request" in request.headers:
        context = {**_teams_context(lesson), "minutes": _minutes(lesson)}
        return render(request, "games/_teams_moved.html", context)
    return redirect("games:setup", lesson.pk)


def _teams_context(lesson: Lesson) -> dict[str, Any]:
    students = available(lesson)
    drafts = list(drafted(lesson))
    made = [len(t.members.all()) for d in drafts for t in d.teams.all() if t.members.all()]
    placed = {m.student_id for d in drafts for t in d.teams.all() for m in t.members.all()}
    practice = preparing.setup_of(lesson).practice
    seats = 1 if practice else preparing.game_in(lesson).seats.start
    recommended = recommended_matches(len(students), seats)
    number = len(drafts) or recommended
    numbers = {n for n in (1, recommended - 1, recommended, recommended + 1, number) if n > 0}
    return {
        "lesson": lesson,
        "students": students,
        "practice": practice,
        "are_here": here(lesson).exists(),
        "matches": drafts,
        "unplaced": [s for s in students if s.pk not in placed],
        "numbers": sorted(numbers & set(possible_matches(len(students), seats))),
        "number": number,
        "recommended": recommended,
        "sizes": (min(made), max(made)) if made else team_sizes(len(students), number, seats),
        "played_before": bool(last_teams(lesson)),
        "next_number": next_number(lesson),
        "running": unfinished(lesson).exists(),
    }


def _minutes(lesson: Lesson) -> tuple[int, int]:
    return starter(lesson.activity, preparing.setup_of(lesson).board).minutes


def _place_context(lesson: Lesson, student_id: UUID) -> dict[str, Any]:
    students = {s.pk: s for s in available(lesson)}
    student = (
        students.get(student_id)
        or Student.objects.filter(
            pk=student_id, classroom=lesson.classroom_id, removed_at=None
        ).first()
    )
    if student is None:
        raise NotThere
    avoided = {
        UUID(other)
        for pair in preparing.setup_of(lesson).apart
        if str(student_id) in pair
        for other in pair
        if other != str(student_id)
    }
    return {
        **_teams_context(lesson),
        "student": student,
        "avoided": [s for pk, s in students.items() if pk in avoided],
        "others": [s for pk, s in students.items() if pk not in avoided and pk != student_id],
    }
