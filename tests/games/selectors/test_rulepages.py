"""The rule page of a game as the browser reads it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from games.selectors.rulepages import rule, rule_language, rule_sections

LANGUAGES = [language for language, _name in settings.LANGUAGES]


def test_every_rule_of_the_page_can_be_opened():
    page = (Path(settings.ROOT) / "docs/rules/corruption.md").read_text(encoding="utf-8")
    written = re.findall(r"^(?:- |Invariant )\*\*(COR-[A-Z]+-[A-Z0-9]+)", page, re.MULTILINE)

    shown = [one.id for section in rule_sections("corruption") for one in section.rules]

    assert len(written) > 100
    assert sorted(shown) == sorted(written)


def test_the_page_begins_with_what_its_words_mean():
    first, *others = rule_sections("corruption")

    assert first.words[0].startswith("Fish are the money.")
    assert [section.title for section in others if section.words] == []


def test_a_rule_reads_without_the_marks_of_its_page():
    found = rule("corruption", "COR-SETUP-2")

    assert found is not None
    assert found.text == "Each team then takes six."
    assert found.example == "So 88 of 100 are left."


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_rules_are_plain_words(language):
    texts = [
        words
        for section in rule_sections("corruption", language)
        for words in (
            *section.words,
            *(text for one in section.rules for text in (one.text, one.example)),
        )
    ]

    assert [words for words in texts if re.search(r"\*|`|\[A\d|->|^\(d\)|[a-z]_[a-z]", words)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_rules_examples_and_numbers(language):
    def shape(written_in: str) -> list[tuple[int, list[tuple[str, bool, list[str]]]]]:
        return [
            (
                len(section.words),
                [(one.id, bool(one.example), named(one.text)) for one in section.rules],
            )
            for section in rule_sections("corruption", written_in)
        ]

    def named(text: str) -> list[str]:
        return sorted(re.findall(r"COR-[A-Z]+-[A-Z0-9]+", text))

    assert rule_language("corruption", language) == language
    assert shape(language) == shape("en")


def test_who_reads_no_language_of_the_rules_reads_english():
    assert rule_language("corruption", "fr-ca") == "fr"
    assert rule_language("corruption", "nl") == "en"
    assert rule_language("corruption", "../fr") == "en"
    assert rule_language("corruption", None) == "en"


def test_what_is_not_there_is_none():
    assert rule("corruption", "COR-NOTHING-1") is None
    assert rule_sections("no-such-game") == ()
