"""The rule page of a game as the browser reads it."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

from games.selectors.rulepages import rule, rule_sections


def test_every_rule_of_the_page_can_be_opened():
    page = (Path(settings.ROOT) / "docs/rules/corruption.md").read_text(encoding="utf-8")
    written = re.findall(r"^(?:- |Invariant )\*\*(COR-[A-Z]+-[A-Z0-9]+)", page, re.MULTILINE)

    shown = [one.id for section in rule_sections("corruption") for one in section.rules]

    assert len(written) > 100
    assert sorted(shown) == sorted(written)


def test_a_rule_reads_without_the_marks_of_its_page():
    found = rule("corruption", "COR-SETUP-2")

    assert found is not None
    assert found.text == "Each team then takes six."
    assert found.example == "So 88 of 100 are left."


def test_all_rules_are_plain_words():
    texts = [
        words
        for section in rule_sections("corruption")
        for one in section.rules
        for words in (one.text, one.example)
    ]

    assert [words for words in texts if re.search(r"\*|`|\[A\d|->", words)] == []


def test_what_is_not_there_is_none():
    assert rule("corruption", "COR-NOTHING-1") is None
    assert rule_sections("no-such-game") == ()
