"""The play page of a member whose browser lost the name meanwhile."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from classroom import activities
from classroom.models import Student
from classroom.services import lessons
from games.activity import GameActivity
from games.models import Match
from games.selectors import positions
from tests.games.world import World
from tests.rules.lanterns.game import LANTERNS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _activity(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(activities._registered, "lanterns", GameActivity(LANTERNS))


def browser_of(world: World, student: Student) -> Client:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = world.student_session(student)
    return client


def sees(client: Client, match: Match) -> int | str:
    answer = client.get(f"/matches/{match.pk}/play/")
    return answer.headers.get("Location", answer.status_code)


def test_a_member_who_reloads_after_the_lesson_was_closed_comes_back_with_one_tap(world):
    match = world.started(world.students[:1], world.students[1:2])
    ana = browser_of(world, world.students[0])
    waiting = f"/lessons/{world.lesson.pk}/play/"
    names = f"/lessons/{world.lesson.pk}/join/"
    assert sees(ana, match) == 200

    lessons.close_lesson(actor=world.teacher, lesson_id=world.lesson.pk)
    assert sees(ana, match) == waiting
    lessons.open_lesson(actor=world.teacher, lesson_id=world.lesson.pk)

    assert sees(ana, match) == waiting
    assert ana.get(waiting).headers["Location"] == names
    assert "Go in as Ana" in ana.get(names).content.decode()
    taken = ana.post(f"{names}students/{world.students[0].pk}/", follow=True)
    assert taken.redirect_chain[-1][0] == f"/matches/{match.pk}/play/"


def test_who_is_in_no_team_of_a_match_learns_nothing_of_its_lesson(world):
    match = world.started(world.students[:1], world.students[1:2])
    dia = browser_of(world, world.students[3])
    before = sees(dia, match)

    lessons.close_lesson(actor=world.teacher, lesson_id=world.lesson.pk)

    assert (before, sees(dia, match)) == (404, 404)
    assert sees(Client(), match) == 404


def test_page_asks_for_who_comes_and_for_the_match_once(world, django_assert_num_queries):
    match = world.started(world.students[:1], world.students[1:2])
    ana = browser_of(world, world.students[0])
    positions.load(match.pk)  # its rules are read once a process

    with django_assert_num_queries(8):  # session, match, name, seat, member; people, teams, events
        answer = ana.get(f"/matches/{match.pk}/play/")

    assert answer.status_code == 200
