"""Who sent a request, in the words of ``classroom.access``."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from classroom.access import ASKING, DEVICE, SEATS, Actor, TeacherActor, actor, device_of
from classroom.codes import fingerprint, new_secret
from classroom.errors import DomainError, NotThere
from classroom.models import Classroom, Student, Teacher


class Unreadable(DomainError):
    """Raised for a form that does not say what it wants."""

    code = "unreadable"
    message = _("Something was missing in the form. Load the page again, then choose.")


def teacher_of(request: HttpRequest) -> TeacherActor:
    """The teacher who is logged in. For views behind ``login_required``."""
    return TeacherActor(cast("Teacher", request.user))


def player_of(request: HttpRequest, classroom: Classroom) -> Actor:
    """The student whom this browser holds; ``?as=`` names a test student of the teacher's."""
    as_student = request.GET.get("as")
    if as_student is None:
        return actor(request.session, request.user, classroom, playing=True)
    try:
        return actor(request.session, request.user, classroom, as_student=UUID(as_student))
    except ValueError:
        raise NotThere from None


def onlooker_of(request: HttpRequest, classroom: Classroom) -> Actor:
    """Who looks at what others may see, too: the account counts before the seat.

    ``?as=`` names a test student of the teacher's.

    Raises:
        NotThere: ``?as=`` names nobody of that kind.
    """
    if "as" in request.GET:
        return player_of(request, classroom)
    return actor(request.session, request.user, classroom)


def address_of(request: HttpRequest) -> str:
    """The network address that asks; behind a proxy the server has put the real one here."""
    return str(request.META.get("REMOTE_ADDR", ""))


def device(request: HttpRequest) -> str:
    """The fingerprint of this browser; it gets its random mark here at the first join."""
    if DEVICE not in request.session:
        request.session[DEVICE] = new_secret()
    return device_of(request.session)


def remember_seat(
    request: HttpRequest, student: Student, *, waiting: bool, by_code: bool = False
) -> None:
    """Let this browser hold the student from now on, under a new session id (case AZ-16).

    ``waiting``: the teacher has not nodded yet, so the seat proves nothing about the name.
    ``by_code``: the student's personal code was given just now.
    """
    seats = dict(request.session.get(SEATS, {}))
    code = _code_mark(student) if by_code or gave_code(request, student) else ""
    seats[str(student.classroom_id)] = [str(student.pk), str(student.proof), code]
    request.session[SEATS] = seats
    _note_asking(request, student.classroom_id, waiting)
    request.session.cycle_key()


def gave_code(request: HttpRequest, student: Student) -> bool:
    """Whether this browser holds the student by the personal code that is theirs today."""
    seat = request.session.get(SEATS, {}).get(str(student.classroom_id))
    today = [str(student.pk), str(student.proof), _code_mark(student)]
    return bool(student.code_hash) and seat == today


def _code_mark(student: Student) -> str:
    return fingerprint(student.code_hash)


def was_let_in(request: HttpRequest, classroom_id: UUID) -> None:
    """The teacher nodded: from now on the seat proves that the name is this browser's."""
    if is_asking(request, classroom_id):
        _note_asking(request, classroom_id, False)


def is_asking(request: HttpRequest, classroom_id: UUID) -> bool:
    """Whether nobody has confirmed yet that the remembered name is this browser's."""
    return str(classroom_id) in request.session.get(ASKING, [])


def _note_asking(request: HttpRequest, classroom_id: UUID, waiting: bool) -> None:
    others = [known for known in request.session.get(ASKING, []) if known != str(classroom_id)]
    request.session[ASKING] = [*others, str(classroom_id)] if waiting else others


def forget_seat(request: HttpRequest, classroom_id: UUID) -> None:
    """Let this browser hold nobody of the class any more, under a new session id."""
    seats = dict(request.session.get(SEATS, {}))
    seats.pop(str(classroom_id), None)
    request.session[SEATS] = seats
    _note_asking(request, classroom_id, False)
    request.session.cycle_key()


def whole_number(text: str) -> int | None:
    """A whole number from a form, up to nine digits; None for anything else."""
    return int(text) if text.isdecimal() and len(text) <= 9 else None
