"""Joining a lesson: the class code, the name, the browser that holds it (docs/architecture.md)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, StudentActor, access_lesson, seat_of
from classroom.activities import activity
from classroom.codes import typed
from classroom.errors import DomainError, NotThere, TooFast
from classroom.models import Attendance, Device, Lesson, Student
from classroom.names import key
from classroom.security_log import Event, note
from classroom.selectors.classrooms import roster
from classroom.services.personal_codes import CODE_TRIES, is_code_of
from classroom.services.rosters import good_name
from classroom.services.trials import hold
from classroom.throttle import CODE_FLOOD, count_code_miss
from classroom.transactions import whole

FEWEST_GUEST_PLACES = 6
MOST_ASKING = 5  # browsers that may wait for one name: the teacher reads them all
SEEN_EVERY = timedelta(seconds=60)  # last_seen_at is written at most so often


class CodeUnknown(DomainError):
    """Wrong, old, or no lesson is open: one answer for all (case AZ-11)."""

    code = "code_unknown"
    message = _(
        "This code does not open a lesson now. Look at each letter and number again, or ask "
        "whether the lesson is open."
    )


class LessonClosed(DomainError):
    """Nobody can join now."""

    code = "lesson_closed"
    message = _("This lesson is not open. Ask your teacher.")
    status = 409


class JoiningLocked(DomainError):
    """The teacher lets nobody new in."""

    code = "joining_locked"
    message = _("Nobody new can join now. Ask your teacher.")
    status = 409


class WrongPersonalCode(DomainError):
    """Not this student's code."""

    code = "wrong_personal_code"
    message = _("That is not the code of this name. Look at your slip again.")


class NameLocked(DomainError):
    """Too many wrong personal codes."""

    code = "name_locked"
    message = _("Too many wrong codes for this name. Ask your teacher to unlock it.")
    status = 409


class NameHeld(DomainError):
    """Another browser holds the name and this one cannot prove it."""

    code = "name_held"
    message = _("Somebody already joined with this name. Ask your teacher.")
    status = 409


class SentOut(DomainError):
    """The student of this browser was sent out: no other name lets it in again (AZ-18)."""

    code = "sent_out"
    message = _("Your teacher sent this device out of the lesson. Ask your teacher to let you in.")
    status = 409


class NoGuests(DomainError):
    """The class takes no guests, or no more."""

    code = "no_guests"
    message = _("There is no place for guests now. Tap your own name, or ask your teacher.")
    status = 409


@dataclass(frozen=True)
class Seated:
    """What the browser may remember: this student, in this class."""

    student: Student
    waiting: bool  # for the teacher's nod
    by_code: bool = False  # the personal code was given just now


def lesson_of_code(*, code: str, address: str) -> Lesson:
    """The open lesson that a class code leads to. Misses are counted per address, hits are not.

    Raises:
        CodeUnknown: no class has the code, or none of its lessons is open.
        TooFast: too many misses from this address.
    """
    if CODE_FLOOD.over(address):
        raise TooFast
    lesson = (
        Lesson.objects.select_related("classroom")
        .filter(
            classroom__code=typed(code),
            classroom__archived_at=None,
            state=Lesson.State.OPEN,
        )
        .first()
    )
    if lesson is not None:
        return lesson
    raise TooFast if count_code_miss(address) else CodeUnknown


def take_name(
    *, lesson: Lesson, student_id: UUID, device: str, code: str | None = None,
    remembered: Student | None = None,
) -> Seated:  # fmt: skip
    """Join with a name of the roster. The caller has checked that this browser knew the class code.

    ``code`` is the personal code as typed, None when none was asked for yet.
    ``remembered`` is the student whom this browser held before, where the class has codes
    by the code of today: it needs none again.

    Raises:
        LessonClosed, JoiningLocked: nobody, or nobody new, can join.
        WrongPersonalCode, NameLocked: as they say.
        NameHeld: too many other browsers ask the teacher for this name.
        SentOut: the teacher sent this browser's student out.
        NotThere: no such name in the class, or removed from this lesson.
    """
    student = Student.objects.filter(
        pk=student_id, classroom_id=lesson.classroom_id, removed_at=None
    ).first()
    if student is None or (student.is_guest and student.guest_of_id != lesson.pk):
        raise NotThere
    known = remembered is not None and remembered.pk == student.pk
    if student.is_guest and not known:
        raise NotThere
    proved = known
    if not known and (lesson.classroom.personal_codes or code is not None):
        _check_code(student, code or "")
        proved = True
    return _hold(lesson, student, device, proved=proved, by_code=proved and not known)


def _check_code(student: Student, code: str) -> None:
    """Raise unless ``code`` is the student's. A try is taken before the code is looked at, so
    that many at once are no more than five."""
    tries = Student.objects.filter(pk=student.pk, code_misses__lt=CODE_TRIES)
    if not tries.update(code_misses=F("code_misses") + 1):
        note(Event.NAME_LOCKED, by="student", about=f"class:{student.classroom_id}")
        raise NameLocked
    if not is_code_of(student, code):
        raise WrongPersonalCode
    Student.objects.filter(pk=student.pk).update(code_misses=0)


@whole
def _hold(lesson: Lesson, student: Student, device: str, *, proved: bool, by_code: bool) -> Seated:
    """Tie the name to this browser, or put the browser on the teacher's list."""
    now_open = Lesson.objects.filter(pk=lesson.pk, state=Lesson.State.OPEN).first()
    if now_open is None:
        raise LessonClosed
    before = _held_by(lesson, device)
    locked = now_open.joining_locked
    row = _attendance_of(lesson, student, locked=locked)
    held = next((one for one in before if one.attendance_id == row.pk), None)
    if held is None:
        held = _new_device(row, device, proved=proved, by_code=by_code, locked=locked)
    elif held.state == Device.State.WAITING and proved:
        held.state, held.how = Device.State.IN, Device.How.CODE
        held.save(update_fields=["state", "how"])
    if held.state == Device.State.IN:
        _see(row)
    _give_back(one for one in before if one.attendance_id != row.pk)
    waiting = held.state == Device.State.WAITING
    return Seated(student, waiting=waiting, by_code=by_code)


def _held_by(lesson: Lesson, device: str) -> list[Device]:
    """What this browser holds in the lesson, or asks for.

    Raises:
        SentOut: a student whom it held was sent out.
    """
    held = list(Device.objects.filter(attendance__lesson=lesson, key=device))
    if any(one.state == Device.State.OUT for one in held):
        raise SentOut
    return held


def _attendance_of(lesson: Lesson, student: Student, *, locked: bool) -> Attendance:
    """The row of a student who comes, made if it is the first time and the lesson not locked."""
    if locked:
        row = Attendance.objects.filter(lesson=lesson, student=student).first()
        if row is None:
            raise JoiningLocked
    else:
        row, _made = Attendance.objects.get_or_create(lesson=lesson, student=student)
    if row.kicked_at is not None:
        raise NotThere
    return row


def _give_back(held: Iterable[Device]) -> None:
    """One browser holds one name: free the others; who holds no browser any more has left."""
    for one in held:
        one.delete()
        others = Device.objects.filter(attendance=one.attendance_id)
        if not others.exclude(state=Device.State.OUT).exists():
            Attendance.objects.filter(pk=one.attendance_id).update(left_at=timezone.now())


def _new_device(
    row: Attendance, device: str, *, proved: bool, by_code: bool, locked: bool
) -> Device:
    """First come first served, held by a constraint; a second browser is let in if it proved.

    Where the lesson is ``locked``, a name that no browser holds is not free for the first:
    who was sent out could take the name of somebody without a device.

    Raises:
        NameHeld: so many ask for the name already that it is no mistake any more.
    """
    if proved or not locked:
        with suppress(IntegrityError), transaction.atomic():
            return row.devices.create(key=device, state=Device.State.IN, how=Device.How.FIRST)
    asking = row.devices.filter(state=Device.State.WAITING).count()
    if not proved and asking >= MOST_ASKING:
        raise NameHeld
    return row.devices.create(
        key=device,
        state=Device.State.IN if proved else Device.State.WAITING,
        how=Device.How.CODE if by_code or proved else Device.How.TEACHER,
    )


@whole
def join_as_guest(*, lesson: Lesson, name: str, device: str) -> Seated:
    """Join a class that takes guests, under a name of one's own, for this lesson alone.

    Raises:
        NoGuests: not allowed, or no place left (class size and a fifth, case AZ-13).
        NameHeld: the name is in the roster (AZ-14).
        BadName: no letter, or too long.
        SentOut: the teacher sent this browser's student out.
    """
    now = Lesson.objects.select_related("classroom").filter(pk=lesson.pk).first()
    if now is None or now.state != Lesson.State.OPEN:
        raise LessonClosed
    if now.joining_locked:
        raise JoiningLocked
    _held_by(now, device)
    guests = Student.objects.filter(guest_of=lesson, removed_at=None, test=False)
    already = guests.filter(attendance__devices__key=device).first()
    if already is not None:
        return _hold(now, already, device, proved=True, by_code=False)
    places = guest_places(roster(now.classroom).count())
    if not now.classroom.guests_allowed or guests.count() >= places:
        raise NoGuests
    name = good_name(name)
    present = list(
        now.classroom.students.filter(removed_at=None)
        .exclude(name="")
        .values_list("name", "guest_of")
    )
    if any(key(name) == key(other) for other, guest_of in present if guest_of in (None, now.pk)):
        raise NameHeld(_("This name is taken. Tap it in the list, or add a letter to yours."))
    guest = Student.objects.create(classroom=now.classroom, guest_of=now, name=name)
    return _hold(now, guest, device, proved=True, by_code=False)


def guest_places(roster_size: int) -> int:
    """How many guests a lesson takes: a fifth of the class, and a few where the roster is short."""
    return max(FEWEST_GUEST_PLACES, ceil(roster_size * 0.2))


@whole
def make_test_student(*, actor: Actor, lesson_id: UUID, name: str) -> Student:
    """A guest with whom the teacher tries a lesson alone; housekeeping forgets it."""
    lesson = access_lesson(actor, lesson_id)
    student = Student.objects.create(
        classroom=lesson.classroom, guest_of=lesson, test=True, name=good_name(name)
    )
    hold(Attendance.objects.create(lesson=lesson, student=student))
    return student


# -- while it lasts --------------------------------------------------------------------------------


def be_here(*, actor: StudentActor, lesson: Lesson) -> bool:
    """Note that a student is still there, at most once a minute; who came late gets a place.

    ``lesson``: read just now. Whether something is under way in it, to which the student may go.

    Raises:
        NotThere: this browser does not hold the student (any more).
    """
    row = seat_of(actor, lesson)
    if row is None:
        raise NotThere
    _see(row)
    known = activity(lesson.activity)
    under_way = known.under_way(lesson)
    if under_way:
        known.arrived(lesson, actor)
    return under_way


@whole
def leave(*, actor: StudentActor, lesson_id: UUID) -> None:
    """Give the name back from this browser; the seat in a match stays."""
    lesson = Lesson.objects.filter(pk=lesson_id).first()
    if lesson is not None and actor.device:
        held = Device.objects.filter(attendance__lesson=lesson, key=actor.device)
        _give_back(held.exclude(state=Device.State.OUT))


def seen_just_now(row: Attendance) -> bool:
    """Whether it is written down already that the student is there."""
    return row.left_at is None and row.last_seen_at >= timezone.now() - SEEN_EVERY


def _see(row: Attendance) -> None:
    """Write it down, where that was not done just now: a waiting page asks all the time."""
    if not seen_just_now(row):
        Attendance.objects.filter(pk=row.pk).update(last_seen_at=timezone.now(), left_at=None)
