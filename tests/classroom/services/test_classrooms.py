"""Making and changing classes."""

from __future__ import annotations

import pytest

from classroom.access import TeacherActor, access_classroom
from classroom.errors import DomainError, NotAllowed, NotThere
from classroom.models import Classroom, Lesson
from classroom.services import classrooms
from tests.factories import people

pytestmark = pytest.mark.django_db


def test_new_class_has_a_code_of_its_own():
    owner = TeacherActor(people.teacher())

    made = [classrooms.create_classroom(actor=owner, name=f" 7{x} ") for x in "abc"]

    assert [classroom.name for classroom in made] == ["7a", "7b", "7c"]
    assert len({classroom.code for classroom in made}) == 3


def test_code_that_another_class_has_is_drawn_again(monkeypatch):
    taken = people.classroom().code
    draws = iter([taken, taken, "ABCDEF"])
    monkeypatch.setattr(classrooms, "new_class_code", lambda: next(draws))

    assert people.classroom().code == "ABCDEF"


@pytest.mark.parametrize("name", ["", "   ", "\u200b"])
def test_class_needs_a_name(name):
    with pytest.raises(classrooms.NoName):
        classrooms.create_classroom(actor=TeacherActor(people.teacher()), name=name)


def test_rotated_code_is_new():
    classroom = people.classroom()
    old = classroom.code

    new = classrooms.rotate_code(actor=TeacherActor(classroom.owner), classroom_id=classroom.pk)

    assert new.code != old
    assert new.code_rotated_at > classroom.code_rotated_at


@pytest.mark.parametrize("days", [0, 29, 1096])
def test_results_are_kept_for_a_sensible_time(days):
    classroom = people.classroom()

    with pytest.raises(DomainError) as refusal:
        classrooms.change_settings(
            actor=TeacherActor(classroom.owner), classroom_id=classroom.pk,
            guests_allowed=True, personal_codes=True, keep_days=days, language="fr",
        )  # fmt: skip
    assert refusal.value.code == "keep_days"


def test_archived_class_closes_its_lesson_and_comes_back():
    lesson = people.lesson()
    owner = TeacherActor(lesson.classroom.owner)

    classrooms.archive_classroom(actor=owner, classroom_id=lesson.classroom_id, archived=True)

    lesson.refresh_from_db()
    assert lesson.state == Lesson.State.CLOSED
    back = classrooms.archive_classroom(
        actor=owner, classroom_id=lesson.classroom_id, archived=False
    )
    assert back.archived_at is None


def test_class_is_deleted_only_with_its_name_typed():
    classroom = people.classroom(names=("Amina",))
    owner = TeacherActor(classroom.owner)

    with pytest.raises(classrooms.NameDiffers):
        classrooms.delete_classroom(actor=owner, classroom_id=classroom.pk, typed_name="7d")
    assert Classroom.objects.exists()
    classrooms.delete_classroom(actor=owner, classroom_id=classroom.pk, typed_name=" 7c ")
    assert not Classroom.objects.exists()


def test_next_years_class_has_the_names_and_nothing_of_the_lessons():
    classroom = people.classroom(names=("Amina", "Bilal"), guests_allowed=True)
    people.student(classroom, "Visitor", guest_of=people.lesson(of=classroom))

    copy = classrooms.copy_classroom(
        actor=TeacherActor(classroom.owner), classroom_id=classroom.pk, name="8c"
    )

    assert sorted(copy.students.values_list("name", flat=True)) == ["Amina", "Bilal"]
    assert not copy.lessons.exists()
    assert copy.code != classroom.code
    assert not set(copy.students.values_list("pk")) & set(classroom.students.values_list("pk"))


def test_co_teacher_who_copies_owns_the_copy():
    classroom = people.classroom()
    colleague = people.co_teacher(classroom)

    copy = classrooms.copy_classroom(
        actor=TeacherActor(colleague), classroom_id=classroom.pk, name="8c"
    )

    assert copy.owner == colleague


def test_co_teacher_leaves_but_does_not_remove_others():
    classroom = people.classroom()
    first, second = people.co_teacher(classroom), people.co_teacher(classroom)

    with pytest.raises(NotAllowed):
        classrooms.remove_co_teacher(
            actor=TeacherActor(first), classroom_id=classroom.pk, teacher_id=second.pk
        )
    classrooms.remove_co_teacher(
        actor=TeacherActor(first), classroom_id=classroom.pk, teacher_id=first.pk
    )
    with pytest.raises(NotThere):
        access_classroom(TeacherActor(first), classroom.pk)


@pytest.mark.case("PV-08")
def test_class_is_handed_over_to_a_co_teacher():
    classroom = people.classroom()
    before, after = classroom.owner, people.co_teacher(classroom)

    classrooms.hand_over_classroom(
        actor=TeacherActor(before), classroom_id=classroom.pk, teacher_id=after.pk
    )

    assert access_classroom(TeacherActor(after), classroom.pk, to="own") == classroom
    with pytest.raises(NotAllowed):
        access_classroom(TeacherActor(before), classroom.pk, to="own")
    with pytest.raises(NotThere):
        classrooms.hand_over_classroom(
            actor=TeacherActor(after), classroom_id=classroom.pk, teacher_id=people.teacher().pk
        )
