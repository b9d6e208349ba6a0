"""The board after the end: who won and why, the talk; nothing that only some may know."""

from __future__ import annotations

import pytest
from django.test import Client

from games.selectors.rulesets import rules_of
from games.selectors.screens import screen_token
from games.services import matches
from tests.games.looking_back import asking, begin, moves, play
from tests.games.world import World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db) -> World:
    return make_world()


def board(world: World, match):
    return Client().get(f"/matches/{match.pk}/board/?screen={screen_token(world.lesson)}")


def test_the_last_picture_tells_who_won_and_why(world, monkeypatch):
    match = begin(world, monkeypatch)
    assert "games/end.html" not in [one.name for one in board(world, match).templates]
    won = play(world, match, lambda _now: False).outcome

    answer = board(world, match)

    page = answer.content.decode()
    (winner,) = won.winners
    assert f"{answer.context['teams'][winner]['name']} has won." in page
    assert str(won.reason.msgid) in page
    assert [team["name"] for team in answer.context["teams"]] == ["Red", "Blue"]
    assert [panel["label"] for panel in answer.context["plot"]["panels"]] == ["Built", "Tokens"]
    assert len(answer.context["prompts"]) == 3


def test_an_early_end_has_no_winner_and_keeps_secrets(world, monkeypatch):
    match = begin(world, monkeypatch)
    position = play(world, match, asking)
    card = rules_of(match).ruleset.rules.content.qa[position.state.question.card]
    matches.end_match(match_id=match.pk, actor=world.teacher)

    page = board(world, match).content.decode()

    assert "This match ended early. Nobody has won." in page
    assert card.question[:20] in page
    assert card.explanation[:20] not in page


def test_a_match_that_goes_on_has_its_board_again(world, monkeypatch):
    match = begin(world, monkeypatch)
    play(world, match, moves(6))
    matches.end_match(match_id=match.pk, actor=world.teacher)
    matches.resume_match(match_id=match.pk, actor=world.teacher)

    assert "games/board.html" in [one.name for one in board(world, match).templates]


def test_all_matches_are_a_way_on_only_where_there_are_others(world, monkeypatch):
    match = begin(world, monkeypatch)
    matches.end_match(match_id=match.pk, actor=world.teacher)
    alone = board(world, match).content.decode()
    begin(world, monkeypatch)

    several = board(world, match).content.decode()

    assert ["All matches" in page for page in (alone, several)] == [False, True]
