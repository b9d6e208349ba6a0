"""Lessons of a class and who is in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Prefetch, Q
from django.utils import timezone

from classroom.activities import activities
from classroom.models import Attendance, Classroom, Device, Lesson, Student
from classroom.names import in_order
from classroom.selectors.classrooms import roster

AWAY_AFTER = timedelta(seconds=90)


@dataclass(frozen=True)
class LessonLine:
    """A lesson with the title of its activity."""

    lesson: Lesson
    activity_title: str
    present: int


def lesson_lines(classroom: Classroom, *, most: int = 20) -> list[LessonLine]:
    """The newest lessons of a class, open ones first."""
    titles = {known.key: str(known.title) for known in activities()}
    order = {Lesson.State.OPEN: 0, Lesson.State.PLANNED: 1, Lesson.State.CLOSED: 2}
    lessons = classroom.lessons.annotate(
        present=Count("attendance", filter=Q(attendance__student__test=False))
    ).order_by("-created_at")[:most]
    return [
        LessonLine(lesson, titles.get(lesson.activity, lesson.activity), lesson.present)
        for lesson in sorted(lessons, key=lambda lesson: order[Lesson.State(lesson.state)])
    ]


@dataclass(frozen=True)
class Present:
    """One student in a lesson, for the teacher's list."""

    student: Student
    attendance: Attendance
    has_device: bool
    away: bool


@dataclass(frozen=True)
class WaitingDevice:
    """A second browser that asks for a name."""

    device: Device
    student: Student


@dataclass(frozen=True)
class Roll:
    """Who is in a lesson: here, asking, sent out, and not (yet) here."""

    here: tuple[Present, ...]
    waiting: tuple[WaitingDevice, ...]
    kicked: tuple[Student, ...]
    missing: tuple[Student, ...]
    came: int  # have been here at any time; no test students

    @property
    def has_guests(self) -> bool:
        return any(row.student.is_guest and not row.student.test for row in self.here)


def roll(lesson: Lesson) -> Roll:
    """The roll of a lesson. Three queries, whatever the size of the class."""
    now = timezone.now()
    rows = list(
        Attendance.objects.filter(lesson=lesson, student__removed_at=None)
        .select_related("student")
        .prefetch_related(Prefetch("devices", queryset=Device.objects.order_by("since")))
    )
    rows.sort(key=lambda row: in_order(row.student.name))
    here: list[Present] = []
    waiting: list[WaitingDevice] = []
    kicked: list[Student] = []
    left: set[UUID] = set()
    for row in rows:
        if row.kicked_at is not None:
            kicked.append(row.student)
            continue
        devices = list(row.devices.all())
        waiting.extend(
            WaitingDevice(device, row.student)
            for device in devices
            if device.state == Device.State.WAITING
        )
        if row.left_at is not None:
            left.add(row.student_id)
            continue
        has_device = any(device.state == Device.State.IN for device in devices)
        away = has_device and now - row.last_seen_at > AWAY_AFTER
        here.append(Present(row.student, row, has_device=has_device, away=away))
    present = {row.student_id for row in rows} - left
    missing = [student for student in roster(lesson.classroom) if student.pk not in present]
    missing.sort(key=lambda student: in_order(student.name))
    came = sum(not row.student.test for row in rows)
    return Roll(tuple(here), tuple(waiting), tuple(kicked), tuple(missing), came)


def present(lesson: Lesson) -> int:
    """How many students were in the lesson, guests too; no test students."""
    return Attendance.objects.filter(lesson=lesson, student__test=False).count()


@dataclass(frozen=True)
class NameChoice:
    """A name on the join page."""

    id: UUID  # of the student
    name: str
    taken: bool


def name_choices(lesson: Lesson) -> list[NameChoice]:
    """The roster as a student sees it when joining: names, and whether a browser holds each."""
    held = Device.objects.filter(
        attendance__lesson=lesson, attendance__student=OuterRef("pk"), state=Device.State.IN
    )
    found = (
        roster(lesson.classroom)
        .order_by("name", "created_at")
        .annotate(taken=Exists(held))
        .values_list("id", "name", "taken")
    )
    return sorted(
        (NameChoice(pk, name, taken) for pk, name, taken in found),
        key=lambda choice: in_order(choice.name),
    )
