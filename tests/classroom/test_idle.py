"""A login that nobody uses ends; a lesson that is open is never interrupted by it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.selectors.screens import screen_token
from tests.factories import people
from tests.permissions.world import logged_in, seated

pytestmark = pytest.mark.django_db

Later = Callable[[float], None]


@pytest.fixture(autouse=True)
def two_hours(settings) -> None:
    settings.IDLE_S = 2 * 60 * 60


@pytest.fixture
def later(monkeypatch) -> Later:
    """Let so many minutes go by."""
    passed = [0.0]
    real = time.time

    def go(minutes: float) -> None:
        passed[0] += 60 * minutes

    monkeypatch.setattr(time, "time", lambda: real() + passed[0])
    return go


def is_in(client: Client) -> bool:
    return client.get("/classes/").status_code == 200


def test_teacher_who_did_nothing_for_two_hours_is_logged_out(later):
    client = logged_in(people.teacher())
    assert is_in(client)

    later(119)
    assert is_in(client)
    later(121)
    answer = client.get("/classes/?show=archive")

    assert answer.headers["Location"] == "/accounts/login/?next=/classes/%3Fshow%3Darchive"
    assert not is_in(client)
    assert b"You did nothing here for a long time" in client.get("/accounts/login/").content


def test_login_that_ended_does_nothing_any_more(later):
    classroom = people.classroom(name="7c")
    client = logged_in(classroom.owner)
    assert is_in(client)
    later(121)

    answer = client.post(f"/classes/{classroom.pk}/rename/", {"name": "8d"})

    assert answer.headers["Location"] == "/accounts/login/?next=/classes/"
    classroom.refresh_from_db()
    assert classroom.name == "7c"


def test_what_a_page_asks_by_itself_keeps_nobody_in(later):
    lesson = people.lesson()
    client = logged_in(lesson.classroom.owner)
    assert is_in(client)

    for _ in range(3):
        later(50)
        answer = client.get(f"/lessons/{lesson.pk}/roll/", headers={"hx-request": "true"})

    assert answer.headers["HX-Redirect"] == "/classes/"
    assert not is_in(client)


@pytest.mark.parametrize("colleague", [False, True])
def test_nobody_is_put_out_of_a_lesson_that_is_open(later, colleague):
    lesson = people.lesson(opened_at=timezone.now())
    classroom = lesson.classroom
    client = logged_in(people.co_teacher(classroom) if colleague else classroom.owner)
    assert is_in(client)

    later(300)
    assert client.get(f"/lessons/{lesson.pk}/roll/").status_code == 200
    lesson.opened_at -= timedelta(hours=13)  # it was forgotten
    lesson.save()
    later(121)
    assert not is_in(client)


def test_students_and_projectors_stay(later):
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    people.joined(lesson, student)
    room = Client()
    screen = f"/lessons/{lesson.pk}/screen/?screen={screen_token(lesson)}"
    pupil = seated(student, "device-a")
    assert room.get(screen).status_code == 200
    assert pupil.get(f"/lessons/{lesson.pk}/join/").status_code == 200

    later(600)

    assert room.get(screen).status_code == 200
    assert pupil.get(f"/lessons/{lesson.pk}/join/").status_code == 200


def test_school_may_choose_that_logins_stay(later, settings):
    settings.IDLE_S = 0
    client = logged_in(people.teacher())
    assert is_in(client)

    later(100_000)

    assert is_in(client)


def test_reading_page_after_page_writes_the_session_once_a_minute(later):
    client = logged_in(people.teacher())
    assert is_in(client)
    before = client.session["used"]

    later(0.5)
    assert is_in(client)
    assert client.session["used"] == before
    later(1)
    assert is_in(client)
    assert client.session["used"] > before
