"""People, classes and lessons. No surprises: what matters to a test is written in it."""

from __future__ import annotations

from itertools import count
from typing import Any

from classroom.access import StudentActor, TeacherActor
from classroom.models import Attendance, Classroom, CoTeacher, Device, Lesson, Student, Teacher
from classroom.services.classrooms import create_classroom

PASSWORD = "four calm words here"
_numbers = count(1)


def teacher(**fields: Any) -> Teacher:
    """An account that logs in with ``PASSWORD``."""
    number = next(_numbers)
    fields = {"email": f"teacher{number}@school.example", "name": f"Teacher {number}", **fields}
    return Teacher.objects.create_user(password=PASSWORD, **fields)


def classroom(
    *, owner: Teacher | None = None, names: tuple[str, ...] = (), **fields: Any
) -> Classroom:
    """A class with a roster of ``names``."""
    made = create_classroom(actor=TeacherActor(owner or teacher()), name=fields.pop("name", "7c"))
    for field, value in fields.items():
        setattr(made, field, value)
    made.save()
    for name in names:
        Student.objects.create(classroom=made, name=name)
    return made


def co_teacher(of: Classroom) -> Teacher:
    """A colleague in a class."""
    colleague = teacher()
    CoTeacher.objects.create(classroom=of, teacher=colleague)
    return colleague


def lesson(*, of: Classroom | None = None, state: str = "open", **fields: Any) -> Lesson:
    """A lesson, open unless said otherwise."""
    fields = {"activity": "lanterns", **fields}
    return Lesson.objects.create(classroom=of or classroom(), state=state, **fields)


def student(of: Classroom, name: str = "Amina", **fields: Any) -> Student:
    """A name in the roster."""
    return Student.objects.create(classroom=of, name=name, **fields)


def joined(lesson: Lesson, student: Student, *, device: str = "device-a") -> StudentActor:
    """A student whom a browser holds in a lesson."""
    row, _made = Attendance.objects.get_or_create(lesson=lesson, student=student)
    first = not row.devices.filter(how=Device.How.FIRST).exists()
    row.devices.create(
        key=device,
        state=Device.State.IN,
        how=Device.How.FIRST if first else Device.How.TEACHER,
    )
    return StudentActor(student, lesson.classroom, device)
