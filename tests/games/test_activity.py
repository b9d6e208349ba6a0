"""What a lesson's page and report show of matches that have ended."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.serializers import serialize
from django.template.loader import render_to_string

from classroom.activities import activity
from classroom.models import Fact
from classroom.services import personal_data
from games.models import Match
from games.selectors.playpages import five_pictures
from games.services import matches
from tests.games.looking_back import begin, moves, play, seen_by
from tests.games.world import make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def lesson(db, monkeypatch):
    world = make_world()
    match = begin(world, monkeypatch)
    matches.end_match(match_id=match.pk, actor=world.teacher)
    return world.lesson


def test_ended_matches_lead_to_their_stories_and_to_the_talk(lesson):
    match = lesson.matches.get()

    cards = activity("corruption").cards(lesson)

    assert [(str(card.title), str(card.text), card.address) for card in cards[1:]] == [
        ("Match 1", "It ended early.", f"/matches/{match.pk}/story/"),
        (
            "Questions for the talk",
            "They follow from the cards that came up.",
            f"/lessons/{lesson.pk}/debrief/",
        ),
    ]


def test_a_card_says_who_won(lesson):
    lesson.matches.update(outcome={"winners": [1], "reason": {"msgid": ""}})

    assert activity("corruption").cards(lesson)[1].text == "Blue has won."


def test_a_match_in_play_has_no_story_on_the_page_and_no_report(lesson):
    lesson.matches.update(status=Match.Status.PLAYING)

    assert len(activity("corruption").cards(lesson)) == 1
    assert activity("corruption").report_sections(lesson) == ()


def test_the_report_leads_to_the_results(lesson):
    (section,) = activity("corruption").report_sections(lesson)

    page = render_to_string(section.template, {"lesson": lesson, "panel": section.context})

    assert f"/matches/{lesson.matches.get().pk}/results/" in page
    assert "not a mark" in page


def test_nothing_of_a_match_names_a_student_who_was_erased(db, monkeypatch):
    world = make_world()
    ana = world.students[0]
    ana.name = "Zebedee"
    ana.save()
    match = begin(world, monkeypatch)
    play(world, match, moves(30))
    matches.end_match(match_id=match.pk, actor=world.teacher)
    results = f"/matches/{match.pk}/results/"
    teacher = seen_by(world.teacher_session())
    assert "Zebedee" in teacher.get(results).content.decode()

    personal_data.forget(ana)

    kept = [model for model in apps.get_models() if model._meta.app_label == "games"]
    rows = "".join(serialize("json", model.objects.all()) for model in [*kept, Fact])
    assert str(ana.pk) in rows
    assert "Zebedee" not in rows
    assert "Zebedee" not in teacher.get(results).content.decode()


def test_who_waits_may_read_how_the_game_is_played():
    told = activity("corruption").introduction()

    assert told is not None
    words = render_to_string(told.template, {"told": told.context})
    assert words.count('<li class="how__step">') == 5
    assert "Two villages share one river" in words
    assert five_pictures("lanterns") == ""
