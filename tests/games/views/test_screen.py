from __future__ import annotations

import pytest
from django.core.cache import cache

from classroom.codes import spaced
from classroom.throttle import CODE_FLOOD
from games.selectors.screens import screen_code, screen_token
from games.services.decks import load_starters, starter_versions
from tests.factories import people
from tests.games.world import make_world

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
