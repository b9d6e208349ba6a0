"""Who is asking, and what they may reach: the one permission layer (DESIGN section 8).

Services and views take an ``Actor``, never a request or a user: students are not
users. ``access_*`` functions fetch or refuse; absent and foreign get the same
``NotThere``.
"""

from __future__ import annotations

from dataclasses import dataclass

from classroom.models import Classroom, Lesson, Student, Teacher


@dataclass(frozen=True)
class TeacherActor:
    """A teacher who is logged in. Which classes are theirs is asked at each action (C8)."""

    teacher: Teacher


@dataclass(frozen=True)
class StudentActor:
    """A student whose name this browser holds, in one class. ``student.is_guest`` tells guests."""

    student: Student
    classroom: Classroom


@dataclass(frozen=True)
class PublicScreen:
    """A read-only link of one lesson: board and projector, public facts only."""

    lesson: Lesson


@dataclass(frozen=True)
class Anonymous:
    """Nobody known here."""


Actor = TeacherActor | StudentActor | PublicScreen | Anonymous
