"""Planning, opening and closing lessons."""

from __future__ import annotations

import pytest
from django.utils import timezone

from classroom.access import TeacherActor
from classroom.errors import NotThere
from classroom.models import Attendance, Device, Lesson
from classroom.services import lessons
from classroom.services.classrooms import archive_classroom
from tests.factories import people

pytestmark = pytest.mark.django_db


def test_lesson_holds_a_registered_activity():
    classroom = people.classroom()
    owner = TeacherActor(classroom.owner)

    made = lessons.create_lesson(
        actor=owner, classroom_id=classroom.pk, activity_key="lanterns", title="First  half"
    )

    assert (made.state, made.title) == (Lesson.State.PLANNED, "First half")
    with pytest.raises(NotThere):
        lessons.create_lesson(actor=owner, classroom_id=classroom.pk, activity_key="chess")


def test_archived_class_gets_no_lessons():
    lesson = people.lesson(of=people.classroom(archived_at=timezone.now()), state="closed")
    owner = TeacherActor(lesson.classroom.owner)

    with pytest.raises(lessons.ClassroomPutAway):
        lessons.open_lesson(actor=owner, lesson_id=lesson.pk)
    with pytest.raises(lessons.ClassroomPutAway):
        lessons.create_lesson(
            actor=owner, classroom_id=lesson.classroom_id, activity_key="lanterns"
        )


def test_class_has_one_open_lesson():
    first = people.lesson()
    second = people.lesson(of=first.classroom, state="planned")

    lessons.open_lesson(actor=TeacherActor(first.classroom.owner), lesson_id=second.pk)

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == (Lesson.State.CLOSED, Lesson.State.OPEN)


def test_closing_frees_browsers_and_keeps_who_was_there():
    lesson = people.lesson(joining_locked=True)
    people.joined(lesson, people.student(lesson.classroom))

    lessons.close_lesson(actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk)

    lesson.refresh_from_db()
    assert lesson.closed_at is not None
    assert not lesson.joining_locked
    assert not Device.objects.exists()
    assert Attendance.objects.count() == 1


def test_activity_hears_that_a_lesson_is_closed_whoever_closed_it(lanterns):
    classroom = people.classroom()
    owner = TeacherActor(classroom.owner)
    by_hand, by_another, by_the_archive = (
        people.lesson(of=classroom, state="planned", title=title) for title in "abc"
    )

    lessons.open_lesson(actor=owner, lesson_id=by_hand.pk)
    lessons.close_lesson(actor=owner, lesson_id=by_hand.pk)
    lessons.open_lesson(actor=owner, lesson_id=by_another.pk)
    lessons.open_lesson(actor=owner, lesson_id=by_the_archive.pk)
    archive_classroom(actor=owner, classroom_id=classroom.pk, archived=True)

    assert lanterns.heard == [("closed", "a"), ("closed", "b"), ("closed", "c")]


def test_the_announced_end_is_forgotten_when_the_lesson_is_closed():
    lesson = people.lesson()
    owner = TeacherActor(lesson.classroom.owner)
    lessons.announce_end(actor=owner, lesson_id=lesson.pk, minutes=4)

    lessons.close_lesson(actor=owner, lesson_id=lesson.pk)

    lesson.refresh_from_db()
    assert lesson.ends_at is None


def test_opening_twice_changes_nothing():
    lesson = people.lesson(opened_at=timezone.now())

    again = lessons.open_lesson(actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk)

    assert again.opened_at == lesson.opened_at


def test_deleted_lesson_takes_its_guests_with_it():
    lesson = people.lesson()
    people.student(lesson.classroom, "Visitor", guest_of=lesson)
    stays = people.student(lesson.classroom)

    lessons.delete_lesson(actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk)

    assert list(lesson.classroom.students.all()) == [stays]
