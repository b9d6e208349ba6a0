"""What the browsers of students do to join a lesson."""

from __future__ import annotations

from typing import Any

from classroom.access import StudentActor
from classroom.models import Lesson, Student
from classroom.services import joining


def tap(lesson: Lesson, student: Student, device: str = "device-a", **more: Any) -> joining.Seated:
    return joining.take_name(lesson=lesson, student_id=student.pk, device=device, **more)


def held_by(lesson: Lesson, student: Student, device: str) -> StudentActor:
    return StudentActor(student, lesson.classroom, device)


def guest(lesson: Lesson, name: str = "Visitor", device: str = "guest-device") -> Student:
    return joining.join_as_guest(lesson=lesson, name=name, device=device).student
