"""Names of a class: added, changed, merged."""

from __future__ import annotations

import pytest

from classroom.errors import NotThere
from classroom.models import Attendance, Fact, Student
from classroom.selectors.classrooms import students
from classroom.services import personal_data, rosters
from tests.factories import people

pytestmark = pytest.mark.django_db


def names(classroom) -> list[str]:
    return [student.name for student in students(classroom)]


def test_preview_saves_nothing_and_says_what_saving_does(classroom, owner):
    text = "1. Chiara\nAmina\nDario\nDario\n???"

    before = rosters.preview(actor=owner, classroom_id=classroom.pk, text=text)
    assert names(classroom) == ["Amina", "Bilal"]
    after = rosters.add_students(actor=owner, classroom_id=classroom.pk, text=text)

    assert before == after
    assert names(classroom) == ["Amina", "Bilal", "Chiara", "Dario (1)", "Dario (2)"]


def test_one_name_more_may_be_a_namesake(classroom, owner):
    rosters.add_student(actor=owner, classroom_id=classroom.pk, name="  amina ")

    assert names(classroom) == ["Amina", "amina (2)", "Bilal"]


@pytest.mark.parametrize("name", ["", "--", "x" * 61])
def test_name_that_is_none_is_refused(classroom, owner, name):
    with pytest.raises(rosters.BadName):
        rosters.add_student(actor=owner, classroom_id=classroom.pk, name=name)


def test_renamed_student_keeps_the_own_name_and_yields_to_others(classroom, owner):
    amina = classroom.students.get(name="Amina")

    rosters.rename_student(actor=owner, student_id=amina.pk, name="amina")
    assert names(classroom) == ["amina", "Bilal"]
    rosters.rename_student(actor=owner, student_id=amina.pk, name="Bilal")
    assert names(classroom) == ["Bilal", "Bilal (2)"]


def test_note_is_kept_for_teachers(classroom, owner):
    amina = classroom.students.get(name="Amina")

    rosters.write_note(actor=owner, student_id=amina.pk, note=" sits  in front ")

    amina.refresh_from_db()
    assert amina.note == "sits in front"


def test_removed_student_can_be_brought_back(classroom, owner):
    amina = classroom.students.get(name="Amina")
    proof = amina.proof

    rosters.remove_student(actor=owner, student_id=amina.pk)
    assert names(classroom) == ["Bilal"]
    rosters.add_student(actor=owner, classroom_id=classroom.pk, name="Amina")
    back = rosters.restore_student(actor=owner, classroom_id=classroom.pk, student_id=amina.pk)

    assert names(classroom) == ["Amina", "Amina (2)", "Bilal"]
    assert back.proof != proof


def test_guest_is_kept_as_a_new_name(classroom, owner):
    guest = people.student(classroom, "Amina", guest_of=people.lesson(of=classroom))

    rosters.keep_guest(actor=owner, student_id=guest.pk)

    assert names(classroom) == ["Amina", "Amina (2)", "Bilal"]


def test_removed_and_erased_students_leave_what_goes_on(classroom, owner, lanterns):
    amina, bilal = students(classroom)

    rosters.remove_student(actor=owner, student_id=amina.pk)
    personal_data.erase_student(actor=owner, student_id=bilal.pk)

    assert lanterns.heard == [("gone", "Amina"), ("gone", "Bilal")]


def test_guest_is_not_merged_while_the_lesson_is_open(classroom, owner):
    guest = people.student(classroom, "Ami", guest_of=people.lesson(of=classroom))
    amina = classroom.students.get(name="Amina")

    with pytest.raises(rosters.StillPlaying):
        rosters.merge_guest(actor=owner, guest_id=guest.pk, student_id=amina.pk)


def test_merged_guest_gives_everything_to_the_student(classroom, owner, lanterns):
    lesson = people.lesson(of=classroom, state="closed")
    guest = people.student(classroom, "Ami", guest_of=lesson)
    people.joined(lesson, guest)
    fact = Fact.objects.create(
        lesson=lesson, student=guest, source="x", activity="lanterns", kind="knowledge",
        what="answer", value="right", version=1,
    )  # fmt: skip
    amina = classroom.students.get(name="Amina")

    rosters.merge_guest(actor=owner, guest_id=guest.pk, student_id=amina.pk)

    fact.refresh_from_db()
    assert fact.student == amina
    assert Attendance.objects.get().student == amina
    assert lanterns.merged == [("Ami", "Amina")]
    assert not Student.objects.filter(pk=guest.pk).exists()


def test_guest_and_student_of_one_lesson_are_two_people(classroom, owner):
    lesson = people.lesson(of=classroom)
    guest = people.student(classroom, "Ami", guest_of=lesson)
    amina = classroom.students.get(name="Amina")
    people.joined(lesson, guest)
    people.joined(lesson, amina)

    with pytest.raises(rosters.SameStudent):
        rosters.merge_guest(actor=owner, guest_id=guest.pk, student_id=amina.pk)


def test_students_are_not_merged_over_the_border_of_a_class(classroom, owner):
    other = people.classroom(owner=classroom.owner)
    guest = people.student(other, "Ami", guest_of=people.lesson(of=other))
    amina = classroom.students.get(name="Amina")

    with pytest.raises(NotThere):
        rosters.merge_guest(actor=owner, guest_id=guest.pk, student_id=amina.pk)
