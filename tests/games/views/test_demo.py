"""The demo: what visitors are shown without an account, and what it costs."""

from __future__ import annotations

import json

import pytest
from django.core.cache import cache

from games.services import demo
from games.views.demo import STARTS


@pytest.fixture(autouse=True)
def no_starts():
    cache.clear()


@pytest.fixture(scope="module")
def recorded() -> dict:
    return json.loads(demo.recording("en"))


def test_it_lasts_three_minutes_and_ends_with_a_winner(recorded):
    moments = recorded["moments"]

    assert sum(moment["ms"] for moment in moments) == pytest.approx(180_000, abs=len(moments))
    assert moments[-1]["board"]["outcome"]["winners"] == [0]


def test_each_of_the_five_captions_comes_up(recorded):
    shown = [moment["caption"] for moment in recorded["moments"] if moment["caption"] is not None]

    assert len(recorded["captions"]) == 5
    assert sorted(shown) == [0, 1, 2, 3, 4]
    assert (shown[0], shown[-1]) == (0, 4)


def test_screens_know_no_more_than_real_ones(recorded):
    open_questions = 0
    for moment in recorded["moments"]:
        question = moment["board"]["observation"].get("question")
        if question and not question["answered"]:
            open_questions += 1
            assert (question["correct"], question["explanation"]) == (None, None)
        own = moment["phone"]["observation"].get("question")
        if own and own["seat"] == demo.PHONE and not own["answered"]:
            assert own["correct"] is None
    assert open_questions


def test_what_the_phone_votes_for_is_among_its_options(recorded):
    chosen = [moment for moment in recorded["moments"] if moment["chosen"]]

    assert chosen
    for moment in chosen:
        decision = moment["phone"]["decision"]
        if "moves" in decision:
            assert moment["chosen"] in [option["move"] for option in decision["moves"]]


@pytest.mark.parametrize("language", ["fr", "ar"])
def test_other_languages_are_the_same_match_in_other_words(recorded, language):
    other = json.loads(demo.recording(language))

    assert [moment["chosen"] for moment in other["moments"]] == [
        moment["chosen"] for moment in recorded["moments"]
    ]
    assert other["content"]["title"] != recorded["content"]["title"]


@pytest.mark.django_db
@pytest.mark.usefixtures("one_minute")
def test_an_address_may_start_it_so_often_a_minute(client):
    for _start in range(STARTS.limit):
        STARTS.add("127.0.0.1")

    refused = client.get("/demo/en/")
    elsewhere = client.get("/demo/en/", REMOTE_ADDR="192.0.2.7")

    assert (refused.status_code, elsewhere.status_code) == (429, 200)


def test_it_asks_the_database_for_nothing(client, django_assert_num_queries, db):
    with django_assert_num_queries(0):
        answer = client.get("/demo/en/")

    assert answer.headers["Cache-Control"] == "private, max-age=3600"


def test_an_unknown_language_has_none(client, db):
    assert client.get("/demo/xx/").status_code == 404
