"""Starter boards and decks: they are there, whole, and pass their game's own check."""

from __future__ import annotations

import pytest

from games.catalog import GAMES
from games.decks.starters import NoStarter, starter, starter_content, starter_games, starters

BOARDS = [(game, each.key) for game in starter_games() for each in starters(game)]


@pytest.mark.parametrize(("game", "board"), BOARDS)
def test_starter_content_is_complete_and_valid(game, board):
    content = starter_content(game, board)

    kinds = {kind.key for kind in GAMES[game].content}
    problems = [problem for key in content for problem in GAMES[game].check(key, content)]
    assert set(content) == kinds
    assert problems == []


def test_every_starter_says_what_a_class_should_plan_for():
    assert all(
        0 < each.minutes[0] < each.minutes[1] and each.title
        for game in starter_games()
        for each in starters(game)
    )


def test_corruption_brings_the_whole_board_and_one_for_a_lesson():
    assert [(each.key, each.language) for each in starters("corruption")] == [
        ("two-villages", "en"),
        ("one-lesson", "en"),
    ]


def test_the_usual_board_is_the_first():
    assert starter("corruption").key == "two-villages"
    assert starter_content("corruption") == starter_content("corruption", "two-villages")


def test_content_is_fresh_each_time():
    starter_content("corruption")["board"]["squares"].clear()

    assert len(starter_content("corruption")["board"]["squares"]) == 48


def test_one_lesson_board_is_part_of_the_whole_game():
    whole = starter_content("corruption")
    lesson = starter_content("corruption", "one-lesson")

    prices = {item["id"]: item["price"] for item in whole["board"]["properties"]}
    for item in lesson["board"]["properties"]:
        assert item["price"] == prices[item["id"]]
    kept = {item["id"] for item in lesson["board"]["properties"]}
    assert lesson["local"]["cards"] == [
        card for card in whole["local"]["cards"] if card["property"] in kept
    ]
    assert {key: lesson[key] for key in ("corruption", "national", "donation", "qa")} == {
        key: whole[key] for key in ("corruption", "national", "donation", "qa")
    }
    assert lesson["board"]["starting_fish"] == whole["board"]["starting_fish"]


@pytest.mark.parametrize(
    ("game", "board", "sentence"),
    [
        ("chess", None, "No starter content for chess."),
        (
            "corruption",
            "atlantis",
            "corruption has no board atlantis. It has: two-villages, one-lesson.",
        ),
    ],
)
def test_missing_starters_are_named(game, board, sentence):
    with pytest.raises(NoStarter, match=sentence):
        starter_content(game, board)
