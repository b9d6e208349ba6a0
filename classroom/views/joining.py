"""Students: class code, name, waiting page. A GET never takes a seat."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from classroom.access import StudentActor, actor, seat_of
from classroom.activities import activity
from classroom.codes import fingerprint
from classroom.errors import DomainError, NotThere
from classroom.forms import CodeForm, GuestForm, PersonalCodeForm
from classroom.models import Attendance, Device, Lesson, Student
from classroom.selectors.classrooms import roster
from classroom.selectors.lessons import name_choices
from classroom.services import joining
from classroom.views.asking import (
    address_of,
    device,
    forget_seat,
    gave_code,
    is_asking,
    player_of,
    remember_seat,
    was_let_in,
)
from classroom.views.languages import keep_language

ADMITTED = "admitted"  # session key: of the lesson and class code that this browser knew


@require_http_methods(["GET", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return render(request, "classroom/join.html", {"form": CodeForm()})
    form = CodeForm(request.POST)
    if not form.is_valid():
        return render(request, "classroom/join.html", {"form": form}, status=422)
    try:
        lesson = joining.lesson_of_code(code=form.cleaned_data["code"], address=address_of(request))
    except DomainError as refusal:
        form.add_error("code", str(refusal.message))
        return render(request, "classroom/join.html", {"form": form}, status=refusal.status)
    device(request)
    request.session[ADMITTED] = _admission(lesson)
    request.session.cycle_key()
    response = redirect("classroom:choose_name", lesson.pk)
    language = lesson.classroom.language
    if language and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        keep_language(response, language)
    return response


@require_GET
def name(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    lesson = _admitted(request, lesson_id)
    if lesson is None:
        return redirect("classroom:join")
    return _name_page(request, lesson)


@require_POST
def take(request: HttpRequest, lesson_id: UUID, student_id: UUID) -> HttpResponse:
    """Join with a name of the roster; where codes are on, with the personal code."""
    lesson = _admitted(request, lesson_id)
    if lesson is None:
        return redirect("classroom:join")
    remembered = _remembered(request, lesson)
    known = remembered is not None and remembered.pk == student_id
    personal_code = request.POST.get("personal_code")
    if lesson.classroom.personal_codes and not known and personal_code is None:
        return _code_page(request, lesson, student_id, PersonalCodeForm())
    try:
        seated = joining.take_name(
            lesson=lesson,
            student_id=student_id,
            device=device(request),
            code=personal_code,
            remembered=remembered,
        )
    except (joining.WrongPersonalCode, joining.NameLocked) as refusal:
        form = PersonalCodeForm(request.POST)
        form.is_valid()
        form.add_error("personal_code", str(refusal.message))
        return _code_page(request, lesson, student_id, form, status=refusal.status)
    except NotThere:
        raise
    except DomainError as refusal:
        return _name_page(request, lesson, refusal=refusal)
    remember_seat(request, seated.student, waiting=seated.waiting, by_code=seated.by_code)
    return redirect("classroom:play", lesson.pk)


@require_POST
def guest(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    lesson = _admitted(request, lesson_id)
    if lesson is None:
        return redirect("classroom:join")
    form = GuestForm(request.POST)
    if not form.is_valid():
        return _name_page(request, lesson, guest_form=form)
    try:
        seated = joining.join_as_guest(
            lesson=lesson, name=form.cleaned_data["guest_name"], device=device(request)
        )
    except DomainError as refusal:
        form.add_error("guest_name", str(refusal.message))
        return _name_page(request, lesson, guest_form=form)
    remember_seat(request, seated.student, waiting=seated.waiting)
    return redirect("classroom:play", lesson.pk)


@require_GET
def play(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """The waiting page; leads to the match once there is one for this student."""
    lesson, who = _player(request, lesson_id)
    if who is None:
        return redirect("classroom:join")
    row = seat_of(who, lesson) if lesson.state == Lesson.State.OPEN else None
    state = _outside(lesson, who) if row is None else "in"
    under_way = row is not None and activity(lesson.activity).under_way(lesson)
    where = _where(request, lesson, who, state, under_way=under_way)
    if where["address"]:
        return redirect(str(where["address"]))
    # Who has just come in has nothing to ask: there is one request less when a bell rings.
    settled = row is not None and not under_way and joining.seen_just_now(row)
    introduction = activity(lesson.activity).introduction() if state in {"in", "asking"} else None
    told = {"settled": settled, "introduction": introduction}
    return render(request, "classroom/play.html", where | told)


@require_POST
def here(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """A student's page says that it is still open, and hears whether to move on."""
    lesson, who = _player(request, lesson_id)
    if who is None:
        return HttpResponseClientRedirect(reverse("classroom:join"), status=204)
    state, under_way = "closed", False
    if lesson.state == Lesson.State.OPEN:
        try:
            under_way = joining.be_here(actor=who, lesson=lesson)
        except NotThere:
            state = _outside(lesson, who)
        else:
            state = "in"
            was_let_in(request, lesson.classroom_id)
    where = _where(request, lesson, who, state, under_way=under_way)
    if where["address"]:
        return HttpResponseClientRedirect(str(where["address"]), status=204)
    response = render(request, "classroom/_waiting.html", where)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def leave(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    lesson, who = _player(request, lesson_id)
    if who is not None:
        joining.leave(actor=who, lesson_id=lesson.pk)
        forget_seat(request, lesson.classroom_id)
    response = redirect("classroom:join")
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


# -- who and where ---------------------------------------------------------------------------------


def _admitted(request: HttpRequest, lesson_id: UUID) -> Lesson | None:
    """The lesson, if this browser knew its code or holds a name of its class."""
    lesson = Lesson.objects.select_related("classroom").filter(pk=lesson_id).first()
    if lesson is None or request.session.get(ADMITTED) == _admission(lesson):
        return lesson
    return lesson if _remembered(request, lesson) else None


def _admission(lesson: Lesson) -> str:
    """What a browser keeps of the code; a new code makes it worthless (case AZ-11)."""
    return fingerprint(f"{lesson.pk} {lesson.classroom.code}")


def _remembered(request: HttpRequest, lesson: Lesson) -> Student | None:
    """Whom this browser was let in as; a name that it only asked for proves nothing.

    Nor does one that was tapped in a class that has personal codes by now, or another one.
    """
    if is_asking(request, lesson.classroom_id):
        return None
    known = actor(request.session, None, lesson.classroom, playing=True)
    if not isinstance(known, StudentActor):
        return None
    by_name_alone = known.student.is_guest or not lesson.classroom.personal_codes
    return known.student if by_name_alone or gave_code(request, known.student) else None


def _player(request: HttpRequest, lesson_id: UUID) -> tuple[Lesson, StudentActor | None]:
    lesson = Lesson.objects.select_related("classroom").filter(pk=lesson_id).first()
    if lesson is None:
        return Lesson(pk=lesson_id), None
    who = player_of(request, lesson.classroom)
    return lesson, who if isinstance(who, StudentActor) else None


def _outside(lesson: Lesson, who: StudentActor) -> str:
    """Why a student is not in: asking the teacher, sent-out, out, or closed."""
    if lesson.state != Lesson.State.OPEN:
        return "closed"
    held = Device.objects.filter(
        attendance__lesson=lesson, attendance__student=who.student, key=who.device
    ).first()
    states = {Device.State.OUT: "sent-out", Device.State.WAITING: "asking"}
    return "out" if held is None else states.get(Device.State(held.state), "out")


def _where(
    request: HttpRequest, lesson: Lesson, who: StudentActor, state: str, *, under_way: bool
) -> dict[str, Any]:
    """What the waiting page shows; where to go on, once something is ``under_way``."""
    address = activity(lesson.activity).play(lesson, who.student) if under_way else None
    if address and who.student.test:
        address = f"{address}?as={who.student.pk}"
    if state == "out" and _comes_back(request, lesson, who.student):
        address = reverse("classroom:choose_name", args=[lesson.pk])
    return {
        "lesson": lesson,
        "classroom": lesson.classroom,
        "student": who.student,
        "state": state,
        "address": address,
        "activity": activity(lesson.activity),
    }


def _comes_back(request: HttpRequest, lesson: Lesson, student: Student) -> bool:
    """Whether this browser was let in before as a student who still belongs to the lesson.

    It lost the name when the lesson was closed; a tap takes it again.
    """
    belongs = Attendance.objects.filter(lesson=lesson, student=student, kicked_at=None)
    return _remembered(request, lesson) == student and belongs.exists()


def _name_page(
    request: HttpRequest,
    lesson: Lesson,
    *,
    guest_form: GuestForm | None = None,
    refusal: DomainError | None = None,
) -> HttpResponse:
    remembered = _remembered(request, lesson)
    choices = name_choices(lesson)
    status = refusal.status if refusal else 422 if guest_form else 200
    return render(
        request,
        "classroom/join_name.html",
        {
            "lesson": lesson,
            "classroom": lesson.classroom,
            "is_open": lesson.state == Lesson.State.OPEN,
            "choices": choices,
            "remembered": remembered,
            "guest_form": guest_form or (GuestForm() if lesson.classroom.guests_allowed else None),
            "guests": lesson.classroom.guests_allowed,
            "refusal": refusal,
        },
        status=status,
    )


def _code_page(
    request: HttpRequest,
    lesson: Lesson,
    student_id: UUID,
    form: PersonalCodeForm,
    *,
    status: int = 200,
) -> HttpResponse:
    student = roster(lesson.classroom).filter(pk=student_id).first()
    if student is None:
        raise NotThere
    return render(
        request,
        "classroom/join_code.html",
        {"lesson": lesson, "student": student, "form": form},
        status=status,
    )
