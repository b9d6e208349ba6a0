"""What Corruption! says when a match is told again."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from games.bots.bot import bot_move
from games.bots.roster import bots_for
from games.catalog import GAMES
from games.decks.starters import starter_content
from games.engine.chance import seeded
from games.rules.corruption import facts, story
from games.rules.corruption.events import QuestionAnswered

SYMBOLS = Path(__file__).parents[3] / "static" / "symbols.svg"


@pytest.fixture(scope="module")
def told() -> list[tuple[Any, Any, Any]]:
    """Ruleset, state before and event of everything that happened in a few matches of bots."""
    game, content = GAMES["corruption"], starter_content("corruption", "one-lesson")
    ruleset = game.ruleset(game.options_type(), content)
    bot = next(iter(bots_for(GAMES["corruption"], content).values()))
    found = []
    for seed in range(4):
        chance = seeded(seed)
        step = ruleset.setup(2, chance)
        while decisions := ruleset.decisions(step.state):
            move = bot_move(ruleset, step.state, decisions[0], bot, chance)
            before = step.state
            step = ruleset.apply(before, decisions[0].seat, move, chance)
            found += [(ruleset, before, event) for event in step.events]
    return found


def test_every_mark_has_a_symbol_that_is_drawn(told):
    drawn = set(re.findall(r'id="([^"]+)"', SYMBOLS.read_text(encoding="utf-8")))

    marks = [mark for ruleset, _before, event in told for mark in ruleset.marks(event)]

    assert {mark.symbol for mark in marks} - drawn == set()
    assert {"turn", "card", "question", "won"} <= {mark.kind for mark in marks}


def test_an_open_question_is_the_one_that_is_answered_next(told):
    answered = [one for one in told if isinstance(one[2], QuestionAnswered)]

    assert answered
    for ruleset, before, event in answered:
        waiting, asked = ruleset.open_question(before), ruleset.asked(before, event)
        assert waiting.given is None
        assert (waiting.words, waiting.choices, waiting.right, waiting.explanation) == (
            asked.words,
            asked.choices,
            asked.right,
            asked.explanation,
        )


def test_a_question_is_told_as_it_was_shown(told):
    answered = [one for one in told if isinstance(one[2], QuestionAnswered)]

    assert answered
    for ruleset, before, event in answered:
        asked = ruleset.asked(before, event)
        card = ruleset.rules.content.qa[event.card]
        words = {choice.key: choice.words for choice in asked.choices}
        assert words[asked.right] == card.options[card.correct]
        assert sorted(words.values()) == sorted(card.options.values())
        assert (asked.given == asked.right) is event.right
        legal = ruleset.legal_moves(before, asked.seat).moves
        assert [choice.move for choice in asked.choices if choice.move not in legal] == []


def test_nothing_but_an_answer_tells_a_question(told):
    others = [one for one in told if not isinstance(one[2], QuestionAnswered)]

    assert [event for ruleset, before, event in others if ruleset.asked(before, event)] == []


def test_every_fact_has_a_name():
    listed = re.findall(r"``(\w+)``", inspect.getdoc(facts.facts) or "")

    assert sorted(listed) == sorted(story.FACT_NAMES)
