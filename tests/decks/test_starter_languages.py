"""Starter content in other languages: the same game in other words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from games.catalog import GAMES
from games.decks import starters as starters_module
from games.decks.starters import (
    NoStarter,
    nearest_language,
    starter_content,
    starter_games,
    starter_languages,
    starters,
    topic_name,
)

TRANSLATED = [
    (game, board.key, language)
    for game in starter_games()
    for language in starter_languages(game)[1:]
    for board in starters(game, language)
]
ARABIC = re.compile(r"[\u0600-\u06ff]")
# Straight apostrophes, plain blanks before high punctuation; Latin commas and question marks.
WRONG = {
    "fr": re.compile(r"\w'\w| [;:!?»]|« "),
    "ar": re.compile(r"[\u0600-\u06ff][,;?]"),
}
WORDS = frozenset({"title", "label", "color_name", "text", "why", "question", "explanation"})


def _sorted_out(value: Any, path: str = "") -> dict[str, Any]:
    """Every leaf by its path."""
    if isinstance(value, dict):
        parts = [(f"{path}.{key}", inner) for key, inner in value.items()]
    elif isinstance(value, list):
        parts = [(f"{path}.{place}", inner) for place, inner in enumerate(value)]
    else:
        return {path: value}
    return {name: leaf for key, inner in parts for name, leaf in _sorted_out(inner, key).items()}


def _is_words(path: str) -> bool:
    *_before, parent, last = path.split(".")
    return last in WORDS or parent == "options"


def test_corruption_speaks_three_languages():
    assert starter_languages("corruption") == ("en", "fr", "ar")


def test_topics_of_the_questions_have_a_name_in_each_language():
    topics = {card["topic"] for card in starter_content("corruption")["qa"]["cards"]}

    assert topic_name("corruption", "rule_of_law", "en") == "rule of law"
    for language in ("fr", "ar"):
        names = {topic_name("corruption", topic, language) for topic in topics}
        assert len(names) == len(topics)
        assert not any("_" in name for name in names)
        assert language != "ar" or all(ARABIC.search(name) for name in names)


@pytest.mark.parametrize(("game", "board", "language"), TRANSLATED)
def test_translated_content_passes_the_check_of_its_game(game, board, language):
    content = starter_content(game, board, language)

    assert [problem for key in content for problem in GAMES[game].check(key, content)] == []


@pytest.mark.parametrize(("game", "board", "language"), TRANSLATED)
def test_translation_changes_words_and_nothing_else(game, board, language):
    source = _sorted_out(starter_content(game, board))
    translated = _sorted_out(starter_content(game, board, language))

    assert list(translated) == list(source)
    assert {p: v for p, v in translated.items() if not _is_words(p)} == {
        p: v for p, v in source.items() if not _is_words(p)
    }


@pytest.mark.parametrize(("game", "board", "language"), TRANSLATED)
def test_every_sentence_is_translated(game, board, language):
    source = _sorted_out(starter_content(game, board))
    translated = _sorted_out(starter_content(game, board, language))

    sentences = {path for path in source if _is_words(path) and " " in str(source[path])}
    assert [path for path in sentences if translated[path] == source[path]] == []
    assert all(str(text).strip() == text for path, text in translated.items() if _is_words(path))
    if language == "ar":
        left = {text for p, text in translated.items() if _is_words(p) and not ARABIC.search(text)}
        assert all(text.isdigit() for text in left)


@pytest.mark.parametrize(
    ("game", "language"), sorted({(game, language) for game, _board, language in TRANSLATED})
)
def test_no_word_of_a_translation_is_left_over(game, language):
    """A card or label that was renamed in the source would be translated for nobody."""
    file = Path(starters_module.__file__).parent / game / f"{language}.yaml"
    words = _sorted_out(yaml.safe_load(file.read_text(encoding="utf-8")))

    used = {
        text
        for board in starters(game, language)
        for text in (*_sorted_out(starter_content(game, board.key, language)).values(), board.title)
    }
    asked = {card["topic"] for card in starter_content(game).get("qa", {}).get("cards", ())}
    used |= {topic_name(game, topic, language) for topic in asked}
    assert set(words.values()) - used == set()


@pytest.mark.parametrize("language", starter_languages("corruption"))
def test_right_answers_cannot_be_told_by_their_length(language):
    cards = starter_content("corruption", language=language)["qa"]["cards"]

    def right_is(card: dict[str, Any], choose: Any) -> bool:
        lengths = {letter: len(text) for letter, text in card["options"].items()}
        right = lengths.pop(card["correct"])
        return bool(right == choose([right, *lengths.values()]) and right not in lengths.values())

    assert sum(right_is(card, max) for card in cards) <= len(cards) // 3
    assert sum(right_is(card, min) for card in cards) <= len(cards) // 3


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("ar", "ar"), ("fr-ca", "fr"), ("de", "en"), ("", "en"), (None, "en")],
)
def test_nearest_language_is_found(wanted, found):
    assert nearest_language("corruption", wanted) == found


def test_missing_language_is_named():
    with pytest.raises(NoStarter, match="corruption is not there in de, only in en, fr, ar"):
        starter_content("corruption", language="de")


def test_content_in_another_language_is_fresh_each_time():
    starter_content("corruption", language="fr")["qa"]["cards"][0]["options"].clear()

    assert len(starter_content("corruption", language="fr")["qa"]["cards"][0]["options"]) == 4


@pytest.mark.parametrize(("game", "board", "language"), TRANSLATED)
def test_words_are_set_as_their_readers_are_used_to(game, board, language):
    translated = _sorted_out(starter_content(game, board, language))

    words = [text for path, text in translated.items() if _is_words(path)]
    assert [text for text in words if WRONG[language].search(text)] == []
