"""Making and changing classes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, TeacherActor, access_classroom, access_oneself
from classroom.codes import new_class_code
from classroom.errors import DomainError, NotThere
from classroom.models import Classroom, CoTeacher, Student, Teacher
from classroom.names import clean
from classroom.security_log import Event, note
from classroom.selectors.classrooms import roster_names
from classroom.services.lessons import close_all
from classroom.transactions import whole

LONGEST_CLASS_NAME = 80
KEEP_DAYS = range(30, 1096)


class NoName(DomainError):
    """A class must be called something."""

    code = "no_name"
    message = _("Give the class a name, for example 7c Citizenship.")


class NameDiffers(DomainError):
    """Deleting asks for the name, typed."""

    code = "name_differs"
    message = _("That is not the name of the class. Nothing was deleted.")


def create_classroom(*, actor: Actor, name: str, language: str = "") -> Classroom:
    """A new class of this teacher, with a code of its own."""
    return _create(owner=access_oneself(actor), name=_class_name(name), language=language)


def rename_classroom(*, actor: Actor, classroom_id: UUID, name: str) -> Classroom:
    """Give the class another name."""
    classroom = access_classroom(actor, classroom_id)
    classroom.name = _class_name(name)
    classroom.save(update_fields=["name"])
    return classroom


def change_settings(
    *,
    actor: Actor,
    classroom_id: UUID,
    guests_allowed: bool,
    personal_codes: bool,
    keep_days: int,
    language: str,
) -> Classroom:
    """Who may join, how long results are kept, which language students see first."""
    classroom = access_classroom(actor, classroom_id, to="own")
    if keep_days not in KEEP_DAYS:
        raise DomainError(
            _("Keep results for at least 30 days and at most three years."), code="keep_days"
        )
    classroom.guests_allowed = guests_allowed
    classroom.personal_codes = personal_codes
    classroom.keep_days = keep_days
    classroom.language = language
    classroom.save(update_fields=["guests_allowed", "personal_codes", "keep_days", "language"])
    return classroom


def rotate_code(*, actor: Actor, classroom_id: UUID) -> Classroom:
    """A new class code; the old one stops at once."""
    classroom = access_classroom(actor, classroom_id, to="own")
    classroom.code = _free_code()
    classroom.code_rotated_at = timezone.now()
    classroom.save(update_fields=["code", "code_rotated_at"])
    return classroom


@whole
def archive_classroom(*, actor: Actor, classroom_id: UUID, archived: bool) -> Classroom:
    """Put a class away, or bring it back. Its open lessons are closed."""
    classroom = access_classroom(actor, classroom_id, to="own")
    classroom.archived_at = timezone.now() if archived else None
    classroom.save(update_fields=["archived_at"])
    close_all(classroom, actor)
    return classroom


@whole
def delete_classroom(*, actor: Actor, classroom_id: UUID, typed_name: str) -> None:
    """Delete the class with its roster, lessons and results.

    Raises:
        NameDiffers: the typed name is not the class's.
    """
    classroom = access_classroom(actor, classroom_id, to="own")
    if clean(typed_name) != clean(classroom.name):
        raise NameDiffers
    classroom.delete()
    note(Event.CLASS_DELETED, by=classroom.owner, about=f"class:{classroom_id}")


@whole
def copy_classroom(*, actor: Actor, classroom_id: UUID, name: str) -> Classroom:
    """Next year's class: the same names and settings, a new code, no lessons and no results."""
    source = access_classroom(actor, classroom_id)
    owner = access_oneself(actor)
    names = roster_names(source)
    copy = _create(
        owner=owner,
        name=_class_name(name),
        language=source.language,
        guests_allowed=source.guests_allowed,
        keep_days=source.keep_days,
    )
    Student.objects.bulk_create(Student(classroom=copy, name=student) for student in names)
    return copy


@whole
def remove_co_teacher(*, actor: Actor, classroom_id: UUID, teacher_id: UUID) -> None:
    """End a colleague's part in the class; colleagues may also leave by themselves."""
    leaving = isinstance(actor, TeacherActor) and actor.teacher.pk == teacher_id
    classroom = access_classroom(actor, classroom_id, to="run" if leaving else "own")
    gone, _rows = CoTeacher.objects.filter(classroom=classroom, teacher_id=teacher_id).delete()
    if not gone:
        raise NotThere
    note(
        Event.CO_TEACHER_GONE,
        by=access_oneself(actor),
        about=f"class:{classroom_id}:account:{teacher_id}",
    )


@whole
def hand_over_classroom(*, actor: Actor, classroom_id: UUID, teacher_id: UUID) -> Classroom:
    """Make a co-teacher the owner; the owner becomes co-teacher."""
    classroom = access_classroom(actor, classroom_id, to="own")
    row = CoTeacher.objects.filter(classroom=classroom, teacher_id=teacher_id).first()
    if row is None:
        raise NotThere
    before: Teacher = classroom.owner
    row.delete()
    classroom.owner_id = teacher_id
    classroom.save(update_fields=["owner"])
    CoTeacher.objects.create(classroom=classroom, teacher=before)
    note(Event.OWNER_CHANGED, by=before, about=f"class:{classroom_id}:account:{teacher_id}")
    return classroom


def _class_name(name: str) -> str:
    name = clean(name)[:LONGEST_CLASS_NAME].strip()
    if not name:
        raise NoName
    return name


def _create(**fields: Any) -> Classroom:
    return Classroom.objects.create(code=_free_code(), **fields)


def _free_code() -> str:
    """A code that no class has; two classes drawing the same at once is one in 10^8."""
    while True:
        code = new_class_code()
        if not Classroom.objects.filter(code=code).exists():
            return code
