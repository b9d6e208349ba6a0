"""Rights are read from the database at every call."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from classroom.access import (
    DEVICE,
    SEATS,
    Anonymous,
    PublicScreen,
    StudentActor,
    TeacherActor,
    access_accounts,
    access_classroom,
    access_job,
    access_lesson,
    access_student,
    actor,
    classrooms_of,
    device_of,
)
from classroom.errors import NotAllowed, NotThere
from classroom.models import Attendance, Device, Job, Teacher
from classroom.services import accounts, joining
from tests.factories import people

pytestmark = pytest.mark.django_db


def seat(student) -> dict[str, object]:
    seats = {str(student.classroom_id): [str(student.pk), str(student.proof)]}
    return {DEVICE: "mark", SEATS: seats}


# -- who is asking ---------------------------------------------------------------------------------


def test_nobody_is_anonymous():
    assert actor({}, AnonymousUser(), people.classroom()) == Anonymous()
    assert actor({}, None, people.classroom()) == Anonymous()


def test_browser_that_holds_a_seat_is_the_student():
    classroom = people.classroom()
    student = people.student(classroom)
    session = seat(student)

    assert actor(session, None, classroom) == StudentActor(student, classroom, device_of(session))


def test_seat_counts_in_its_own_class_alone():
    student = people.student(people.classroom())

    assert actor(seat(student), None, people.classroom()) == Anonymous()


def test_seat_of_a_removed_student_counts_no_more():
    classroom = people.classroom()
    student = people.student(classroom, removed_at=timezone.now())

    assert actor(seat(student), None, classroom) == Anonymous()


def test_new_proof_puts_out_every_device():
    classroom = people.classroom()
    student = people.student(classroom)
    session = seat(student)
    student.proof = uuid4()
    student.save()

    assert actor(session, None, classroom) == Anonymous()


def test_teacher_counts_before_a_seat_but_not_when_playing():
    classroom = people.classroom()
    student = people.student(classroom)

    assert actor(seat(student), classroom.owner, classroom) == TeacherActor(classroom.owner)
    playing = actor(seat(student), classroom.owner, classroom, playing=True)
    assert isinstance(playing, StudentActor)


def test_test_student_is_for_teachers_of_the_class():
    classroom = people.classroom()
    lesson = people.lesson(of=classroom)
    student = joining.make_test_student(
        actor=TeacherActor(classroom.owner), lesson_id=lesson.pk, name="Test 1"
    )

    tried = actor({}, classroom.owner, classroom, as_student=student.pk)

    assert isinstance(tried, StudentActor)
    assert access_lesson(tried, lesson.pk, to="play") == lesson
    for user in (people.teacher(), None):
        with pytest.raises(NotThere):
            actor({}, user, classroom, as_student=student.pk)


def test_real_student_cannot_be_tried():
    classroom = people.classroom()
    student = people.student(classroom)

    with pytest.raises(NotThere):
        actor({}, classroom.owner, classroom, as_student=student.pk)


# -- classes ---------------------------------------------------------------------------------------


def test_owner_and_co_teacher_reach_the_class_and_only_the_owner_owns_it():
    classroom = people.classroom()
    colleague = TeacherActor(people.co_teacher(classroom))

    assert access_classroom(TeacherActor(classroom.owner), classroom.pk, to="own") == classroom
    assert access_classroom(colleague, classroom.pk) == classroom
    with pytest.raises(NotAllowed):
        access_classroom(colleague, classroom.pk, to="own")


@pytest.mark.case("AZ-02")
def test_foreign_and_absent_classes_are_refused_alike():
    classroom = people.classroom()
    stranger = TeacherActor(people.teacher())

    for wanted in (classroom.pk, uuid4()):
        with pytest.raises(NotThere) as refusal:
            access_classroom(stranger, wanted)
        assert refusal.value.code == "not_found"


@pytest.mark.case("AZ-20")
@pytest.mark.parametrize("change", ["stamp", "password", "is_active"])
def test_login_that_has_ended_reaches_nothing_even_in_an_open_socket(change):
    classroom = people.classroom()
    held = TeacherActor(classroom.owner)
    value = {"stamp": uuid4(), "password": "other", "is_active": False}[change]
    Teacher.objects.filter(pk=classroom.owner.pk).update(**{change: value})

    with pytest.raises(NotThere):
        access_classroom(held, classroom.pk)


def test_removed_co_teacher_loses_the_class_at_once():
    classroom = people.classroom()
    colleague = people.co_teacher(classroom)
    classroom.co_teacher_rows.all().delete()

    assert list(classrooms_of(colleague)) == []


# -- lessons ---------------------------------------------------------------------------------------


def test_student_plays_from_the_browser_that_holds_the_name():
    lesson = people.lesson()
    held = people.joined(lesson, people.student(lesson.classroom))

    assert access_lesson(held, lesson.pk, to="play") == lesson
    other_browser = StudentActor(held.student, held.classroom, "device-b")
    with pytest.raises(NotThere):
        access_lesson(other_browser, lesson.pk, to="play")


@pytest.mark.case("AZ-18")
def test_kicked_student_is_out_with_every_browser():
    lesson = people.lesson()
    held = people.joined(lesson, people.student(lesson.classroom))
    Attendance.objects.update(kicked_at=timezone.now())

    with pytest.raises(NotThere):
        access_lesson(held, lesson.pk, to="play")


def test_browser_that_waits_for_the_nod_does_not_play():
    lesson = people.lesson()
    held = people.joined(lesson, people.student(lesson.classroom))
    Device.objects.update(state=Device.State.WAITING)

    with pytest.raises(NotThere):
        access_lesson(held, lesson.pk, to="play")


def test_student_of_one_lesson_does_not_play_in_another():
    lesson = people.lesson()
    other = people.lesson(of=lesson.classroom)
    held = people.joined(lesson, people.student(lesson.classroom))

    with pytest.raises(NotThere):
        access_lesson(held, other.pk, to="play")


@pytest.mark.case("AZ-03")
@pytest.mark.parametrize("right", ["run", "own", "watch"])
def test_students_do_not_run_or_watch_lessons(right):
    lesson = people.lesson()
    held = people.joined(lesson, people.student(lesson.classroom))

    with pytest.raises(NotThere):
        access_lesson(held, lesson.pk, to=right)


@pytest.mark.case("WS-17")
def test_public_screen_watches_its_lesson_and_nothing_else():
    lesson = people.lesson()

    assert access_lesson(PublicScreen(lesson), lesson.pk, to="watch") == lesson
    for right, wanted in (("run", lesson), ("play", lesson), ("watch", people.lesson())):
        with pytest.raises(NotThere):
            access_lesson(PublicScreen(lesson), wanted.pk, to=right)


def test_teacher_does_not_play():
    lesson = people.lesson()

    with pytest.raises(NotThere):
        access_lesson(TeacherActor(lesson.classroom.owner), lesson.pk, to="play")


# -- students, jobs, accounts ----------------------------------------------------------------------


def test_student_reaches_oneself_and_no_classmate():
    classroom = people.classroom()
    amina, bilal = people.student(classroom), people.student(classroom, "Bilal")
    held = StudentActor(amina, classroom)

    assert access_student(held, amina.pk, to="self") == amina
    for wanted, right in ((bilal, "self"), (amina, "run")):
        with pytest.raises(NotThere):
            access_student(held, wanted.pk, to=right)


def test_job_is_its_owners_alone():
    teacher = people.teacher()
    job = Job.objects.create(owner=teacher, kind="none")

    assert access_job(TeacherActor(teacher), job.pk) == job
    with pytest.raises(NotThere):
        access_job(TeacherActor(people.teacher()), job.pk)


def test_accounts_are_for_administrators_who_still_are():
    administrator = people.teacher(is_staff=True)
    held = TeacherActor(administrator)
    assert access_accounts(held) == administrator

    accounts.set_administrator(
        actor=TeacherActor(people.teacher(is_staff=True)),
        teacher_id=administrator.pk,
        administrator=False,
    )

    with pytest.raises(NotThere):
        access_accounts(held)
