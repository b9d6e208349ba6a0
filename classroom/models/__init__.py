"""People and their work together (docs/architecture.md).

Rows with an address have a random UUID key.
"""

from classroom.models.classrooms import Classroom, CoTeacher
from classroom.models.facts import Fact
from classroom.models.jobs import Job
from classroom.models.lessons import Attendance, Device, Lesson
from classroom.models.students import Student
from classroom.models.teachers import Invitation, Teacher

__all__ = [
    "Attendance",
    "Classroom",
    "CoTeacher",
    "Device",
    "Fact",
    "Invitation",
    "Job",
    "Lesson",
    "Student",
    "Teacher",
]
