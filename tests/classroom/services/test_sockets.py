"""Open sockets hear of what has changed, after the commit."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import transaction
from redis.exceptions import ConnectionError as RedisConnectionError

from classroom.access import TeacherActor
from classroom.services import attendance, lessons, rosters, sockets, teachers
from tests.factories import people


class Layer:
    """Keeps what was sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    async def group_send(self, group: str, message: dict[str, str]) -> None:
        self.sent.append((group, message.get("what", message["type"])))


@pytest.fixture
def sent(db, monkeypatch):
    layer = Layer()
    monkeypatch.setattr(sockets, "get_channel_layer", lambda: layer)
    return layer.sent


def test_group_names_are_short_and_hold_no_session_key():
    key = "a" * 32

    assert key not in sockets.session_group(key)
    for name in (sockets.session_group(key), sockets.student_group(uuid4())):
        assert len(name) < 100


@pytest.mark.case("AZ-18")
def test_kicked_students_sockets_hear_of_it(sent, django_capture_on_commit_callbacks):
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    people.joined(lesson, student)

    with django_capture_on_commit_callbacks(execute=True):
        attendance.kick_student(
            actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk, student_id=student.pk
        )

    assert sent == [
        (sockets.student_group(student.pk), "rights.changed"),
        (sockets.lesson_group(lesson.pk), "roster"),
    ]


def test_removed_and_merged_students_hear_of_it(sent, django_capture_on_commit_callbacks):
    lesson = people.lesson()
    owner = TeacherActor(lesson.classroom.owner)
    student = people.student(lesson.classroom)
    guest = people.student(lesson.classroom, "Ami", guest_of=lesson)

    with django_capture_on_commit_callbacks(execute=True):
        rosters.merge_guest(actor=owner, guest_id=guest.pk, student_id=student.pk)
        rosters.remove_student(actor=owner, student_id=student.pk)

    assert {group for group, _what in sent} == {
        sockets.student_group(guest.pk),
        sockets.student_group(student.pk),
    }


@pytest.mark.case("AZ-17", "AZ-20")
def test_teachers_sockets_hear_that_the_login_has_ended(sent, django_capture_on_commit_callbacks):
    teacher = people.teacher()
    administrator = TeacherActor(people.teacher(is_staff=True))

    with django_capture_on_commit_callbacks(execute=True):
        teachers.log_out_everywhere(actor=TeacherActor(teacher))
        teachers.set_active(actor=administrator, teacher_id=teacher.pk, active=False)

    assert sent == [(sockets.teacher_group(teacher.pk), "rights.changed")] * 2


def test_lesson_tells_that_it_opens_and_closes(sent, django_capture_on_commit_callbacks):
    lesson = people.lesson(state="planned")
    owner = TeacherActor(lesson.classroom.owner)

    with django_capture_on_commit_callbacks(execute=True):
        lessons.open_lesson(actor=owner, lesson_id=lesson.pk)
        lessons.close_lesson(actor=owner, lesson_id=lesson.pk)

    group = sockets.lesson_group(lesson.pk)
    assert sent == [(group, "opened"), (group, "closed")]


@pytest.mark.django_db(transaction=True)
def test_nothing_is_told_when_the_work_is_undone(monkeypatch):
    layer = Layer()
    monkeypatch.setattr(sockets, "get_channel_layer", lambda: layer)

    with transaction.atomic():
        sockets.lesson_changed(uuid4(), "roster")
        transaction.set_rollback(True)

    assert layer.sent == []


@pytest.mark.parametrize("error", [ConnectionRefusedError, RedisConnectionError])
def test_lost_layer_loses_nothing_but_the_hint(
    db, monkeypatch, caplog, django_capture_on_commit_callbacks, error
):
    class Broken:
        async def group_send(self, group, message):
            raise error

    monkeypatch.setattr(sockets, "get_channel_layer", Broken)

    with django_capture_on_commit_callbacks(execute=True):
        sockets.lesson_changed(uuid4(), "roster")

    assert "out of reach" in caplog.text
