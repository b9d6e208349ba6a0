"""What a teacher tells the students in one sentence."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from classroom import activities
from classroom.errors import NotThere, TooFast
from classroom.services.lessons import close_lesson
from games.activity import GameActivity
from games.models import Notice
from games.services.notices import (
    MOST_NOTICES,
    BadNotice,
    NotOpen,
    send_notice,
    take_back_notice,
)
from tests.games.world import make_world
from tests.rules.lanterns.game import LANTERNS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


def told(world, text: str = "Look at the projector.", **to) -> Notice:
    return send_notice(actor=world.teacher, lesson_id=world.lesson.pk, text=text, **to)


def test_a_notice_reaches_everybody_one_match_or_one_team(world):
    first, second = (world.started(*[[s] for s in pair]) for pair in pairs(world))
    everybody, match, team = (
        told(world),
        told(world, match_id=first.pk),
        told(world, match_id=first.pk, seat=1),
    )

    def readers(notice):
        places = [(m, seat) for m in (first, second) for seat in (0, 1, None)]
        return [(m.number, seat) for m, seat in places if notice.is_for(str(m.pk), seat)]

    assert len(readers(everybody)) == 6
    assert readers(match) == [(1, 0), (1, 1), (1, None)]
    assert readers(team) == [(1, 1)]


def pairs(world):
    return world.students[:2], world.students[2:]


def test_what_one_team_is_to_read_never_stands_on_the_projector(world):
    match = world.started()

    assert told(world, on_screen=True).on_screen
    assert not told(world, match_id=match.pk, seat=0, on_screen=True).on_screen


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "x" * 141])
def test_nothing_and_too_much_are_refused_in_words(world, text):
    with pytest.raises(BadNotice):
        told(world, text)


def test_a_dozen_a_minute_is_enough(world, one_minute):
    for _number in range(12):
        told(world)

    with pytest.raises(TooFast):
        told(world)


def test_only_the_newest_are_kept(world):
    for number in range(MOST_NOTICES + 2):
        cache.clear()
        told(world, f"Number {number}")

    assert world.lesson.notices.count() == MOST_NOTICES
    assert not world.lesson.notices.filter(text="Number 1").exists()


def test_a_closed_lesson_forgets_them_and_takes_no_more(world, monkeypatch):
    monkeypatch.setitem(activities._registered, "lanterns", GameActivity(LANTERNS))
    told(world)

    close_lesson(actor=world.teacher, lesson_id=world.lesson.pk)

    assert not Notice.objects.exists()
    with pytest.raises(NotOpen):
        told(world)


def test_nobody_but_teachers_of_the_class_may_tell_or_take_back(world):
    notice, other, match = told(world), make_world(1), world.started()
    student = world.actor(world.students[0])

    for actor in (other.teacher, student):
        with pytest.raises(NotThere):
            send_notice(actor=actor, lesson_id=world.lesson.pk, text="Hello")
        with pytest.raises(NotThere):
            take_back_notice(actor=actor, lesson_id=world.lesson.pk, notice_id=notice.pk)
    with pytest.raises(NotThere):
        told(other, match_id=match.pk)
    assert Notice.objects.count() == 1
