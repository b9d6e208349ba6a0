"""Questions for the talk: the same in every language, and some for every card."""

from __future__ import annotations

import pytest

from games.decks.debrief import ALWAYS, debrief, prompts
from games.decks.starters import starter_content, starter_languages


@pytest.mark.parametrize("language", starter_languages("corruption")[1:])
def test_each_language_asks_as_much_about_the_same(language):
    source, other = debrief("corruption", "en"), debrief("corruption", language)

    assert {topic: len(prompt.questions) for topic, prompt in other.items()} == {
        topic: len(prompt.questions) for topic, prompt in source.items()
    }
    assert [t for t in source if source[t].questions == other[t].questions] == []


@pytest.mark.parametrize("board", ["two-villages", "one-lesson"])
@pytest.mark.parametrize(
    ("kind", "field"), [("corruption", "topic"), ("local", "hazard"), ("national", "hazard")]
)
def test_every_card_leads_to_a_question(board, kind, field):
    cards = starter_content("corruption", board)[kind]["cards"]

    silent = [card["id"] for card in cards if len(prompts("corruption", "en", [card[field]])) < 2]

    assert silent == []


def test_a_prompt_comes_once_and_what_is_always_asked_comes_last():
    found = prompts("corruption", "en", ["flood", "gifts", "fire", "no such topic"])

    known = debrief("corruption", "en")
    assert found == [known["disasters"], known["gifts"], known[ALWAYS]]


def test_a_talk_may_be_kept_short():
    found = prompts("corruption", "en", ["flood", "gifts", "media"], most=2)

    assert [prompt.title for prompt in found] == ["Disasters", "Presents", "The whole game"]


def test_a_game_without_prompts_asks_nothing():
    assert prompts("lanterns", "en", ["gifts"]) == []
