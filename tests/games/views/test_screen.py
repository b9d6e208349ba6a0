from __future__ import annotations

import time

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from classroom.codes import spaced
from classroom.models import Classroom
from classroom.throttle import CODE_FLOOD
from games.selectors.screens import LINK_LASTS, screen_code, screen_token
from games.services.decks import load_starters, starter_versions
from tests.factories import people
from tests.games.world import make_world
from tests.permissions.world import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_minute")]


@pytest.fixture(autouse=True)
def no_misses():
    cache.clear()


def test_the_code_of_the_desk_opens_the_projector_of_its_lesson(client):
    lesson, other = people.lesson(), people.lesson()

    answer = client.post("/screen/", {"code": f" {screen_code(lesson).lower()} "}, follow=True)

    assert answer.status_code == 200
    assert answer.context["lesson"] == lesson
    assert screen_code(lesson) != screen_code(other)


def test_a_code_does_not_open_a_closed_lesson(client):
    lesson = people.lesson(state="closed")

    answer = client.post("/screen/", {"code": screen_code(lesson)})

    assert answer.status_code == 422
    assert "No open lesson has this code" in answer.content.decode()


def test_the_address_on_the_wall_reads_from_left_to_right_in_arabic(client):
    lesson = people.lesson()
    address = f"/lessons/{lesson.pk}/screen/?screen={screen_token(lesson)}"

    page = client.get(address, headers={"accept-language": "ar"}).content.decode()

    assert '<p class="lobby-screen__address"><bdi dir="ltr">testserver/join</bdi></p>' in page


@pytest.mark.case("AZ-08")
def test_guessing_codes_is_slowed_down(client):
    answers = [client.post("/screen/", {"code": "AAAAAA"}).status_code for _n in range(12)]

    assert answers[0] == 422
    assert answers[-1] == 429


@pytest.mark.case("AZ-09")
def test_address_that_floods_does_not_guess_a_screen(client):
    lesson = people.lesson()
    for _miss in range(CODE_FLOOD.limit):
        CODE_FLOOD.add("127.0.0.1")

    answer = client.post("/screen/", {"code": screen_code(lesson)})

    assert answer.status_code == 429


@pytest.mark.case("AZ-11")
def test_old_link_does_not_tell_the_code_of_today(client):
    lesson = people.lesson(of=people.classroom(names=("Amina",)))
    address = f"/lessons/{lesson.pk}/screen/?screen={screen_token(lesson)}"
    lesson.state = lesson.State.CLOSED
    lesson.save()

    answer = client.get(address)

    assert answer.status_code == 409
    assert spaced(lesson.classroom.code) not in answer.content.decode()
    assert "Amina" not in answer.content.decode()
    client.force_login(lesson.classroom.owner)
    assert client.get(f"/lessons/{lesson.pk}/screen/").status_code == 200


@pytest.mark.case("WS-18")
def test_a_link_shows_its_own_lesson_only(client):
    lesson, other = people.lesson(), people.lesson()

    assert (
        client.get(f"/lessons/{lesson.pk}/screen/?screen={screen_token(lesson)}").status_code == 200
    )
    assert (
        client.get(f"/lessons/{other.pk}/screen/?screen={screen_token(lesson)}").status_code == 404
    )
    assert client.get(f"/lessons/{lesson.pk}/screen/").status_code == 404
    assert client.get(f"/lessons/{lesson.pk}/screen/?screen=made-up").status_code == 404


def test_the_lobby_lights_up_who_is_here_and_shows_no_test_students(client):
    lesson = people.lesson()
    here = people.student(lesson.classroom, "Amina")
    people.student(lesson.classroom, "Bilal")
    people.student(lesson.classroom, "Test", test=True, guest_of=lesson)
    people.joined(lesson, here)

    answer = client.get(f"/lessons/{lesson.pk}/screen/?screen={screen_token(lesson)}")

    assert [(s.name, lit) for s, lit in answer.context["names"]] == [
        ("Amina", True),
        ("Bilal", False),
    ]


def test_the_lobby_is_whole_at_once_and_not_only_when_it_is_asked_for_anew(client):
    lesson = people.lesson()
    people.joined(lesson, people.student(lesson.classroom, "Amina"))
    address = f"/lessons/{lesson.pk}/screen/?screen={screen_token(lesson)}"

    page = client.get(address).content.decode()
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()

    assert spaced(lesson.classroom.code) in part
    assert part.strip() in page


def test_walls_that_show_the_code_show_the_new_one_when_they_ask_again(client):
    lesson = people.lesson()
    room = lesson.classroom
    teacher = logged_in(room.owner)
    walls = {
        f"/lessons/{lesson.pk}/screen/?screen={screen_token(lesson)}": client,
        f"/classes/{room.pk}/code/": teacher,
    }
    for address, browser in walls.items():
        page = browser.get(address).content.decode()
        assert f'hx-get="{address}"' in page.replace("%3A", ":")
        assert "htmx" in page.partition("</head>")[0]

    teacher.post(f"/classes/{room.pk}/rotate/")

    new = Classroom.objects.get().code
    assert new != room.code
    for address, browser in walls.items():
        told = browser.get(address, headers={"HX-Request": "true"}).content.decode()
        assert spaced(new) in told
        assert spaced(room.code) not in told


def test_the_lobby_shows_the_newest_notice_that_is_for_all_to_see(client):
    lesson = people.lesson()
    for text, on_screen in (("Old.", True), ("Find your seats.", True), ("On phones.", False)):
        lesson.notices.create(text=text, on_screen=on_screen)

    answer = client.get(f"/lessons/{lesson.pk}/screen/?screen={screen_token(lesson)}")

    assert answer.context["notice"].text == "Find your seats."
    assert "Find your seats." in answer.content.decode()


def test_several_matches_stand_side_by_side_with_their_decks_sent_once(client):
    world = make_world()
    load_starters()
    versions = {kind: v.pk for kind, v in starter_versions("corruption", "one-lesson").items()}
    others = {kind: v.pk for kind, v in starter_versions("corruption", "two-villages").items()}
    for chosen in (versions, versions, others):
        world.started(game="corruption", versions=chosen)
    client.force_login(world.teacher.teacher)

    told = client.get(f"/lessons/{world.lesson.pk}/screen/").context["told"]

    assert [match["content"] for match in told["matches"]] == [0, 0, 1]
    assert len(told["contents"]) == 2
    # A browser may hold few sockets in its own name, so each tile follows by the read-only link.
    assert all("screen=" in match["socket"] for match in told["matches"])


@pytest.mark.parametrize("number", [1, 2])
def test_the_lobby_is_told_to_load_the_boards_when_matches_have_started(client, number):
    world = make_world()
    load_starters()
    versions = {kind: v.pk for kind, v in starter_versions("corruption", "one-lesson").items()}
    for _match in range(number):
        world.started(game="corruption", versions=versions)
    client.force_login(world.teacher.teacher)

    answer = client.get(f"/lessons/{world.lesson.pk}/screen/", headers={"HX-Request": "true"})

    assert (answer.status_code, answer.headers["HX-Refresh"], answer.content) == (200, "true", b"")


@pytest.mark.case("AZ-11")
def test_link_ends_after_a_day_and_with_the_class(monkeypatch):
    lesson = people.lesson()
    address = f"/lessons/{lesson.pk}/screen/?screen={screen_token(lesson)}"
    room = Client()
    assert room.get(address).status_code == 200

    lesson.classroom.archived_at = timezone.now()
    lesson.classroom.save()
    assert room.get(address).status_code == 404
    lesson.classroom.archived_at = None
    lesson.classroom.save()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + LINK_LASTS.total_seconds() - 60)
    assert room.get(address).status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + LINK_LASTS.total_seconds() + 60)
    assert room.get(address).status_code == 404
