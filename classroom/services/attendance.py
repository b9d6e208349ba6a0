"""Who is here, as the teacher notes and settles it: ticks, nods, and who is sent out."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.utils import timezone

from classroom.access import Actor, access_lesson
from classroom.activities import activities, activity
from classroom.errors import NotThere
from classroom.models import Attendance, Device, Student
from classroom.selectors.classrooms import roster
from classroom.services.trials import hold
from classroom.transactions import whole


@whole
def tick_present(*, actor: Actor, lesson_id: UUID, student_id: UUID) -> Attendance:
    """Note a student as present without a device of their own; who is late gets a place."""
    lesson = access_lesson(actor, lesson_id)
    student = lesson.classroom.students.filter(pk=student_id, removed_at=None).first()
    if student is None:
        raise NotThere
    row, _made = Attendance.objects.update_or_create(
        lesson=lesson, student=student, defaults={"left_at": None}
    )
    activity(lesson.activity).ticked([student], lesson=lesson, actor=actor)
    return row


@whole
def tick_absent(*, actor: Actor, lesson_id: UUID, student_id: UUID) -> None:
    """Take a tick back. Who holds a device of their own is here; the seat in a match stays."""
    row = _attendance(actor, lesson_id, student_id)
    if not row.devices.exists():
        row.left_at = timezone.now()
        row.save(update_fields=["left_at"])


@whole
def tick_others_present(*, actor: Actor, lesson_id: UUID) -> int:
    """Note everybody of the roster who is not here as present without a device; how many.

    Who was sent out stays out; who is late gets a place.
    """
    lesson = access_lesson(actor, lesson_id)
    rows = Attendance.objects.filter(lesson=lesson)
    everybody = roster(lesson.classroom)
    back = rows.filter(student__in=everybody, kicked_at=None).exclude(left_at=None)
    ticked = list(everybody.filter(attendance__in=back))
    back.update(left_at=None)
    missing = list(everybody.exclude(pk__in=rows.values("student_id")))
    Attendance.objects.bulk_create(
        Attendance(lesson=lesson, student=student) for student in missing
    )
    activity(lesson.activity).ticked([*ticked, *missing], lesson=lesson, actor=actor)
    return len(ticked) + len(missing)


@whole
def let_in(*, actor: Actor, lesson_id: UUID, device_id: int) -> None:
    """The teacher's nod: a second browser may hold the name too."""
    device = _waiting(actor, lesson_id, device_id)
    device.state, device.how = Device.State.IN, Device.How.TEACHER
    device.save(update_fields=["state", "how"])


@whole
def turn_away(*, actor: Actor, lesson_id: UUID, device_id: int) -> None:
    """The browser must tap another name."""
    _waiting(actor, lesson_id, device_id).delete()


@whole
def kick_student(*, actor: Actor, lesson_id: UUID, student_id: UUID) -> Attendance:
    """Send a student out of this lesson: every browser, every tab, until taken back (AZ-18).

    Browsers that only asked for the name may tap another one.
    """
    row = _attendance(actor, lesson_id, student_id)
    row.kicked_at = timezone.now()
    row.save(update_fields=["kicked_at"])
    row.devices.exclude(state=Device.State.IN).delete()
    row.devices.update(state=Device.State.OUT, how=Device.How.TEACHER)
    for known in activities():
        known.gone(row.student, lesson=row.lesson, actor=actor)
    return row


@whole
def readmit_student(*, actor: Actor, lesson_id: UUID, student_id: UUID) -> Attendance:
    """Take a kick back: the student taps the name again."""
    row = _attendance(actor, lesson_id, student_id)
    row.kicked_at = None
    row.save(update_fields=["kicked_at"])
    row.devices.all().delete()
    if row.student.test:
        hold(row)
    for known in activities():
        known.back(row.student, lesson=row.lesson, actor=actor)
    return row


@whole
def free_name_of(*, actor: Actor, lesson_id: UUID, student_id: UUID) -> None:
    """Put out every browser of a student: the name can be tapped anew (wrong name, new tablet)."""
    row = _attendance(actor, lesson_id, student_id)
    row.devices.all().delete()
    # Who tapped the wrong name would be taken for its owner at the next tap.
    Student.objects.filter(pk=row.student_id).update(proof=uuid4())


@whole
def remove_guests(*, actor: Actor, lesson_id: UUID) -> int:
    """Remove all guests of a lesson at once; the number removed (AZ-13)."""
    lesson = access_lesson(actor, lesson_id)
    guests = list(Student.objects.filter(guest_of=lesson, removed_at=None, test=False))
    for guest in guests:
        for known in activities():
            known.gone(guest, lesson=lesson, actor=actor)
    Device.objects.filter(attendance__student__in=guests).exclude(state=Device.State.OUT).delete()
    Student.objects.filter(pk__in=[guest.pk for guest in guests]).update(removed_at=timezone.now())
    return len(guests)


def _attendance(actor: Actor, lesson_id: UUID, student_id: UUID) -> Attendance:
    lesson = access_lesson(actor, lesson_id)
    rows = Attendance.objects.select_related("lesson", "student")
    row = rows.filter(lesson=lesson, student_id=student_id).first()
    if row is None:
        raise NotThere
    return row


def _waiting(actor: Actor, lesson_id: UUID, device_id: int) -> Device:
    lesson = access_lesson(actor, lesson_id)
    device = Device.objects.filter(
        pk=device_id, attendance__lesson=lesson, state=Device.State.WAITING
    ).first()
    if device is None:
        raise NotThere
    return device
