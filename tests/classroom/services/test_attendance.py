"""Ticks, nods, and who is sent out."""

from __future__ import annotations

import pytest
from django.utils import timezone

from classroom.access import TeacherActor, access_lesson
from classroom.errors import NotThere
from classroom.models import Student
from classroom.selectors.lessons import roll
from classroom.services import attendance, joining
from tests.classroom.services.browsers import guest, held_by, tap
from tests.factories import people

pytestmark = pytest.mark.django_db


def test_activity_hears_who_is_sent_out_let_in_and_there(lanterns):
    lesson = people.lesson(of=people.classroom(guests_allowed=True))
    student = people.student(lesson.classroom)
    teacher = TeacherActor(lesson.classroom.owner)
    tap(lesson, student)
    visitor = guest(lesson)

    joining.be_here(actor=held_by(lesson, student, "device-a"), lesson=lesson)
    attendance.kick_student(actor=teacher, lesson_id=lesson.pk, student_id=student.pk)
    attendance.readmit_student(actor=teacher, lesson_id=lesson.pk, student_id=student.pk)
    attendance.remove_guests(actor=teacher, lesson_id=lesson.pk)

    assert lanterns.heard == [
        ("arrived", "Amina"),
        ("gone", "Amina"),
        ("back", "Amina"),
        ("gone", visitor.name),
    ]


@pytest.mark.case("AZ-13")
def test_all_guests_are_removed_at_once():
    lesson = people.lesson(of=people.classroom(guests_allowed=True))
    visitor = guest(lesson)
    student = people.student(lesson.classroom)
    tap(lesson, student)

    count = attendance.remove_guests(
        actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk
    )

    assert count == 1
    with pytest.raises(NotThere):
        access_lesson(held_by(lesson, visitor, "guest-device"), lesson.pk, to="play")
    assert access_lesson(held_by(lesson, student, "device-a"), lesson.pk, to="play") == lesson


def test_student_ticked_present_has_no_device():
    lesson = people.lesson()
    student = people.student(lesson.classroom)

    row = attendance.tick_present(
        actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk, student_id=student.pk
    )

    assert not row.devices.exists()
    assert not tap(lesson, student).waiting


def test_all_others_are_ticked_present_at_once_and_one_of_them_is_not_here_after_all():
    lesson = people.lesson()
    amina, bilal, chiara, dario, elif_, visitor = (
        people.student(lesson.classroom, name)
        for name in ("Amina", "Bilal", "Chiara", "Dario", "Elif", "Guest")
    )
    Student.objects.filter(pk=visitor.pk).update(guest_of=lesson)
    Student.objects.filter(pk=elif_.pk).update(removed_at=timezone.now())
    teacher = TeacherActor(lesson.classroom.owner)
    tap(lesson, amina)
    tap(lesson, bilal, "device-b")
    joining.leave(actor=held_by(lesson, bilal, "device-b"), lesson_id=lesson.pk)
    tap(lesson, dario, "device-d")
    attendance.kick_student(actor=teacher, lesson_id=lesson.pk, student_id=dario.pk)

    ticked = attendance.tick_others_present(actor=teacher, lesson_id=lesson.pk)

    here = [(row.student, row.has_device) for row in roll(lesson).here]
    assert here == [(amina, True), (bilal, False), (chiara, False)]
    assert (ticked, roll(lesson).kicked) == (2, (dario,))
    assert attendance.tick_others_present(actor=teacher, lesson_id=lesson.pk) == 0
    for student in (amina, chiara):
        attendance.tick_absent(actor=teacher, lesson_id=lesson.pk, student_id=student.pk)
    assert [row.student for row in roll(lesson).here] == [amina, bilal]
    assert roll(lesson).missing == (chiara,)


def test_freed_name_can_be_tapped_on_another_tablet():
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    tap(lesson, student)

    attendance.free_name_of(
        actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk, student_id=student.pk
    )

    assert not tap(lesson, student, "device-b").waiting
