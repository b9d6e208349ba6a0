"""Joining: the class code, the name, the browser that holds it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.utils import timezone

from classroom import access
from classroom.access import StudentActor, TeacherActor, access_lesson
from classroom.errors import NotThere, TooFast
from classroom.models import Attendance, Device, Lesson, Student
from classroom.selectors.lessons import roll
from classroom.services import attendance, classrooms, joining, lessons, personal_codes
from classroom.services.rosters import BadName
from tests.classroom.services.browsers import guest, held_by, tap
from tests.factories import people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_minute")]


def find(code: str, address: str = "10.0.0.1") -> Lesson:
    return joining.lesson_of_code(code=code, address=address)


# -- the class code --------------------------------------------------------------------------------


def test_code_leads_to_the_open_lesson():
    lesson = people.lesson()

    assert find(f" {lesson.classroom.code.lower()} ") == lesson


@pytest.mark.case("AZ-11")
def test_code_opens_nothing_while_no_lesson_is_open():
    for state in ("planned", "closed"):
        lesson = people.lesson(state=state)
        with pytest.raises(joining.CodeUnknown):
            find(lesson.classroom.code)


@pytest.mark.case("AZ-11")
def test_old_code_is_refused_like_a_wrong_one():
    lesson = people.lesson()
    old = lesson.classroom.code

    new = classrooms.rotate_code(
        actor=TeacherActor(lesson.classroom.owner), classroom_id=lesson.classroom_id
    )

    assert find(new.code) == lesson
    with pytest.raises(joining.CodeUnknown):
        find(old)


@pytest.mark.case("AZ-08")
def test_eleventh_miss_in_a_minute_is_too_fast_but_a_right_code_still_passes():
    lesson = people.lesson()
    for _ in range(10):
        with pytest.raises(joining.CodeUnknown):
            find("XXXXXX")

    with pytest.raises(TooFast):
        find("XXXXXX")
    assert find(lesson.classroom.code) == lesson
    with pytest.raises(joining.CodeUnknown):
        find("XXXXXX", address="10.0.0.2")


@pytest.mark.case("AZ-08")
def test_address_that_floods_must_wait_even_with_a_right_code():
    lesson = people.lesson()
    for _ in range(300):
        with pytest.raises((joining.CodeUnknown, TooFast)):
            find("XXXXXX")

    with pytest.raises(TooFast):
        find(lesson.classroom.code)


@pytest.mark.case("AZ-10")
def test_right_codes_are_never_too_many():
    lesson = people.lesson()

    assert all(find(lesson.classroom.code) == lesson for _ in range(1200))


@pytest.mark.case("AZ-09")
def test_many_misses_everywhere_are_told_once(caplog):
    for number in range(205):
        with pytest.raises(joining.CodeUnknown):
            find("XXXXXX", address=f"10.0.0.{number}")

    told = [record for record in caplog.records if "wrong class codes" in record.getMessage()]
    assert len(told) == 1


# -- the name --------------------------------------------------------------------------------------


def test_first_tap_ties_the_name_to_the_browser():
    lesson = people.lesson()
    student = people.student(lesson.classroom)

    seated = tap(lesson, student)

    assert seated == joining.Seated(student, waiting=False)
    assert access_lesson(held_by(lesson, student, "device-a"), lesson.pk, to="play") == lesson


@pytest.mark.django_db(transaction=True)
def test_of_many_who_tap_one_name_at_once_one_is_in():
    lesson = people.lesson()
    student = people.student(lesson.classroom)

    def one(number: int) -> bool:
        try:
            return tap(lesson, student, f"device-{number}").waiting
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        waiting = list(pool.map(one, range(6)))

    assert sorted(waiting) == [False, True, True, True, True, True]
    assert Attendance.objects.count() == 1


def test_second_browser_waits_for_the_teachers_nod():
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    tap(lesson, student)

    assert tap(lesson, student, "device-b").waiting
    second = held_by(lesson, student, "device-b")
    with pytest.raises(NotThere):
        access_lesson(second, lesson.pk, to="play")
    waiting = Device.objects.get(state=Device.State.WAITING)
    attendance.let_in(
        actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk, device_id=waiting.pk
    )
    assert access_lesson(second, lesson.pk, to="play") == lesson
    assert access_lesson(held_by(lesson, student, "device-a"), lesson.pk, to="play") == lesson


@pytest.mark.case("AZ-13")
def test_one_name_is_asked_for_by_a_few_browsers_at_most():
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    tap(lesson, student)
    for number in range(joining.MOST_ASKING):
        assert tap(lesson, student, f"flood-{number}").waiting

    with pytest.raises(joining.NameHeld):
        tap(lesson, student, "one more")

    assert tap(lesson, student, "flood-0").waiting
    assert not tap(lesson, student, "own tablet", remembered=student).waiting


def test_browser_that_was_turned_away_must_ask_again():
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    tap(lesson, student)
    tap(lesson, student, "device-b")
    waiting = Device.objects.get(state=Device.State.WAITING)

    attendance.turn_away(
        actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk, device_id=waiting.pk
    )

    assert tap(lesson, student, "device-b").waiting


def test_same_browser_returns_to_its_name_without_asking():
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    tap(lesson, student)

    assert not tap(lesson, student).waiting
    assert Device.objects.count() == 1


def test_next_week_the_name_is_free_for_any_browser_and_the_seat_the_same():
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    teacher = TeacherActor(lesson.classroom.owner)
    tap(lesson, student)
    row = Attendance.objects.get()

    lessons.close_lesson(actor=teacher, lesson_id=lesson.pk)
    lessons.open_lesson(actor=teacher, lesson_id=lesson.pk)

    assert not tap(lesson, student, "another tablet").waiting
    assert Attendance.objects.get() == row


def test_remembered_browser_joins_the_next_lesson_even_if_somebody_was_quicker():
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    tap(lesson, student, "a stranger's")

    assert not tap(lesson, student, "device-a", remembered=student).waiting


def test_nobody_joins_a_closed_lesson():
    lesson = people.lesson(state="closed")
    student = people.student(lesson.classroom)

    with pytest.raises(joining.LessonClosed):
        tap(lesson, student)
    assert not Attendance.objects.exists()


def test_locked_lesson_takes_nobody_new_but_those_who_were_in():
    lesson = people.lesson()
    amina, bilal = people.student(lesson.classroom), people.student(lesson.classroom, "Bilal")
    tap(lesson, amina)
    Lesson.objects.update(joining_locked=True)

    assert not tap(lesson, amina).waiting
    with pytest.raises(joining.JoiningLocked):
        tap(lesson, bilal)


@pytest.mark.case("AZ-18")
@pytest.mark.parametrize("how", ["ticked", "left"])
def test_locked_lesson_asks_the_teacher_about_a_name_that_no_browser_holds(how):
    lesson = people.lesson()
    teacher = TeacherActor(lesson.classroom.owner)
    student = people.student(lesson.classroom)
    if how == "ticked":
        attendance.tick_present(actor=teacher, lesson_id=lesson.pk, student_id=student.pk)
    else:
        tap(lesson, student, "own tablet")
        joining.leave(actor=held_by(lesson, student, "own tablet"), lesson_id=lesson.pk)
    Lesson.objects.update(joining_locked=True)

    assert tap(lesson, student, "another").waiting
    (asking,) = roll(lesson).waiting
    assert asking.student == student

    attendance.let_in(actor=teacher, lesson_id=lesson.pk, device_id=asking.device.pk)
    assert access_lesson(held_by(lesson, student, "another"), lesson.pk, to="play") == lesson
    assert not tap(lesson, student, "third", remembered=student).waiting


def test_name_of_another_class_is_not_there():
    lesson = people.lesson()
    stranger = people.student(people.classroom())

    with pytest.raises(NotThere):
        tap(lesson, stranger)


@pytest.mark.case("AZ-18")
def test_kicked_student_cannot_return_until_taken_back():
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    teacher = TeacherActor(lesson.classroom.owner)
    tap(lesson, student)

    attendance.kick_student(actor=teacher, lesson_id=lesson.pk, student_id=student.pk)

    for device, refusal in (("device-a", joining.SentOut), ("device-b", NotThere)):
        with pytest.raises(refusal):
            tap(lesson, student, device)
        with pytest.raises(refusal):
            tap(lesson, student, device, remembered=student)
    attendance.readmit_student(actor=teacher, lesson_id=lesson.pk, student_id=student.pk)
    assert not tap(lesson, student).waiting


@pytest.mark.case("AZ-18")
def test_browser_of_a_kicked_student_comes_back_under_no_other_name():
    lesson = people.lesson(of=people.classroom(guests_allowed=True))
    student, bilal = people.student(lesson.classroom), people.student(lesson.classroom, "Bilal")
    teacher = TeacherActor(lesson.classroom.owner)
    tap(lesson, student)
    tap(lesson, student, "asking")

    attendance.kick_student(actor=teacher, lesson_id=lesson.pk, student_id=student.pk)

    with pytest.raises(joining.SentOut):
        tap(lesson, bilal)
    with pytest.raises(joining.SentOut):
        guest(lesson, device="device-a")
    attendance.remove_guests(actor=teacher, lesson_id=lesson.pk)
    with pytest.raises(joining.SentOut):
        tap(lesson, bilal)
    assert not tap(lesson, bilal, "asking").waiting
    attendance.readmit_student(actor=teacher, lesson_id=lesson.pk, student_id=student.pk)
    assert not tap(lesson, student).waiting


def test_test_student_is_in_again_as_soon_as_it_may_be():
    lesson = people.lesson()
    teacher = TeacherActor(lesson.classroom.owner)
    first, second, removed = (
        joining.make_test_student(actor=teacher, lesson_id=lesson.pk, name=name)
        for name in ("Test 1", "Test 2", "Test 3")
    )
    Student.objects.filter(pk=removed.pk).update(removed_at=timezone.now())
    attendance.kick_student(actor=teacher, lesson_id=lesson.pk, student_id=second.pk)

    lessons.close_lesson(actor=teacher, lesson_id=lesson.pk)
    lessons.open_lesson(actor=teacher, lesson_id=lesson.pk)
    reopened = set(Device.objects.values_list("attendance__student", "key", "state"))
    attendance.readmit_student(actor=teacher, lesson_id=lesson.pk, student_id=second.pk)

    assert reopened == {(first.pk, access.test_device(first), Device.State.IN)}
    for student in (first, second):
        holder = StudentActor(student, lesson.classroom, access.test_device(student))
        assert access_lesson(holder, lesson.pk, to="play") == lesson
    assert Attendance.objects.get(student=first).left_at is None


# -- personal codes --------------------------------------------------------------------------------


def with_codes() -> tuple[Lesson, Student, str]:
    lesson = people.lesson(of=people.classroom(personal_codes=True))
    student = people.student(lesson.classroom)
    _student, code = personal_codes.make_code(
        actor=TeacherActor(lesson.classroom.owner), student_id=student.pk
    )
    student.refresh_from_db()
    return lesson, student, code


def test_personal_code_lets_in_on_any_browser():
    lesson, student, code = with_codes()

    assert not tap(lesson, student, "device-a", code=code.lower()).waiting
    assert not tap(lesson, student, "device-b", code=f" {code} ").waiting


@pytest.mark.case("AZ-14")
@pytest.mark.parametrize("code", [None, "", "XXXX"])
def test_name_is_not_taken_without_the_right_code(code):
    lesson, student, _code = with_codes()

    with pytest.raises(joining.WrongPersonalCode):
        tap(lesson, student, code=code)
    assert not Device.objects.exists()


@pytest.mark.case("AZ-15")
def test_five_misses_lock_the_name_until_the_teacher_unlocks_it():
    lesson, student, code = with_codes()
    tap(lesson, student, "device-a", code=code)
    for _ in range(5):
        with pytest.raises(joining.WrongPersonalCode):
            tap(lesson, student, "device-b", code="XXXX")

    with pytest.raises(joining.NameLocked):
        tap(lesson, student, "device-b", code=code)
    inside = held_by(lesson, student, "device-a")
    assert access_lesson(inside, lesson.pk, to="play") == lesson
    assert not tap(lesson, student, "device-a", remembered=student).waiting

    personal_codes.unlock_student(actor=TeacherActor(lesson.classroom.owner), student_id=student.pk)
    assert not tap(lesson, student, "device-b", code=code).waiting


@pytest.mark.case("AZ-15")
def test_tries_at_once_are_counted_in_the_database():
    _lesson, student, code = with_codes()
    stale = Student.objects.get(pk=student.pk)
    Student.objects.update(code_misses=5)

    with pytest.raises(joining.NameLocked):
        joining._check_code(stale, code)


def test_right_code_forgives_earlier_misses():
    lesson, student, code = with_codes()
    for _ in range(4):
        with pytest.raises(joining.WrongPersonalCode):
            tap(lesson, student, code="XXXX")

    tap(lesson, student, code=code)

    student.refresh_from_db()
    assert student.code_misses == 0


# -- guests ----------------------------------------------------------------------------------------


def test_guest_joins_under_a_name_of_their_own():
    lesson = people.lesson(of=people.classroom(guests_allowed=True))

    visitor = guest(lesson)

    assert (visitor.name, visitor.guest_of) == ("Visitor", lesson)
    assert access_lesson(held_by(lesson, visitor, "guest-device"), lesson.pk, to="play") == lesson


def test_one_browser_is_one_guest():
    lesson = people.lesson(of=people.classroom(guests_allowed=True))

    assert guest(lesson, "Visitor") == guest(lesson, "Another")
    assert Student.objects.count() == 1


def test_class_without_guests_takes_none():
    lesson = people.lesson()

    with pytest.raises(joining.NoGuests):
        guest(lesson)


@pytest.mark.case("AZ-14")
@pytest.mark.parametrize("name", ["Amina", "AMINA", " amina ", "Ａmina"])
def test_guest_cannot_take_a_name_of_the_roster(name):
    lesson = people.lesson(of=people.classroom(guests_allowed=True, names=("Amina",)))

    with pytest.raises(joining.NameHeld):
        guest(lesson, name)


@pytest.mark.case("AZ-13")
def test_guests_are_a_fifth_of_the_class_at_most():
    names = tuple(f"Student {number}" for number in range(40))
    lesson = people.lesson(of=people.classroom(guests_allowed=True, names=names))
    for number in range(8):
        guest(lesson, f"Visitor {number}", f"device-{number}")

    with pytest.raises(joining.NoGuests):
        guest(lesson, "One too many", "device-9")


@pytest.mark.case("WS-20")
@pytest.mark.parametrize("name", ["\u202e", "---", "x" * 61, "\u200b\u200b"])
def test_guest_name_must_be_a_name(name):
    lesson = people.lesson(of=people.classroom(guests_allowed=True))

    with pytest.raises(BadName):
        guest(lesson, name)


# -- while it lasts --------------------------------------------------------------------------------


def test_presence_is_written_at_most_once_a_minute():
    lesson = people.lesson()
    held = people.joined(lesson, people.student(lesson.classroom))
    long_ago = timezone.now() - joining.SEEN_EVERY * 2
    Attendance.objects.update(last_seen_at=long_ago)

    joining.be_here(actor=held, lesson=lesson)
    first = Attendance.objects.get().last_seen_at
    joining.be_here(actor=held, lesson=lesson)

    assert first > long_ago
    assert Attendance.objects.get().last_seen_at == first


def test_student_who_leaves_gives_the_name_back():
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    tap(lesson, student)

    joining.leave(actor=held_by(lesson, student, "device-a"), lesson_id=lesson.pk)

    assert not tap(lesson, student, "device-b").waiting


def test_browser_that_taps_another_name_gives_the_first_one_back():
    lesson = people.lesson()
    amina, bilal = people.student(lesson.classroom), people.student(lesson.classroom, "Bilal")
    tap(lesson, amina)

    tap(lesson, bilal)

    assert not tap(lesson, amina, "device-b").waiting
    with pytest.raises(NotThere):
        access_lesson(held_by(lesson, amina, "device-a"), lesson.pk, to="play")


def test_who_left_or_was_there_last_week_is_not_here_until_they_join_again():
    lesson = people.lesson()
    amina, bilal = people.student(lesson.classroom), people.student(lesson.classroom, "Bilal")
    teacher = TeacherActor(lesson.classroom.owner)
    tap(lesson, amina)
    tap(lesson, bilal, "device-b")

    joining.leave(actor=held_by(lesson, amina, "device-a"), lesson_id=lesson.pk)
    assert [row.student for row in roll(lesson).here] == [bilal]
    lessons.close_lesson(actor=teacher, lesson_id=lesson.pk)
    lessons.open_lesson(actor=teacher, lesson_id=lesson.pk)
    assert roll(lesson).here == ()
    assert roll(lesson).missing == (amina, bilal)
    attendance.tick_present(actor=teacher, lesson_id=lesson.pk, student_id=bilal.pk)
    tap(lesson, amina)
    assert [row.student for row in roll(lesson).here] == [amina, bilal]
