"""The rule pages of the games, as they are read in the browser.

``docs/rules/<game>.md`` is the one place where rules are written, and
``docs/rules/<language>/<game>.md`` says them in other languages; here a page is cut
into sections and single rules with their ids. Marks for those who read the code
(what was decided, which option changes it) are left out.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from msgspec import Struct

SOURCE = "en"

_LANGUAGE = re.compile(r"[a-z]{2,3}")
_SECTION = re.compile(r"^#{2,3} (?:[\d.]+ )?(.+)$")
_RULE = re.compile(r"^(?:- |Invariant )\*\*([A-Z]+-[A-Z]+-[A-Z0-9]+)(?: \([A-Z]+\))?\*\*:? ?(.*)$")
_WORD = re.compile(r"^- (.+)$")
_EXAMPLE = re.compile(r"^(.*?) \*([^*]+)\*$")
_OPTION = re.compile(r" ?`[a-z_]+`")
_CODES = re.compile(r" \([A-Z][A-Z0-9, .-]*\)$")


class Rule(Struct, frozen=True, kw_only=True):
    """One rule: its id, what it says, and a worked example or ""."""

    id: str
    text: str
    example: str


class Section(Struct, frozen=True, kw_only=True):
    """Rules under one heading; what its words mean stands before them."""

    title: str
    words: tuple[str, ...]
    rules: tuple[Rule, ...]


@lru_cache
def rule_sections(game: str, language: str = SOURCE) -> tuple[Section, ...]:
    """All rules of a game by heading, in the order of its page; () without a page.

    ``language`` is one that ``rule_language`` has given.
    """
    page = _page(game, language)
    if not page.exists():
        return ()
    sections: list[tuple[str, list[str], list[Rule]]] = []
    for line in page.read_text(encoding="utf-8").splitlines():
        if heading := _SECTION.match(line):
            sections.append((_CODES.sub("", heading[1]), [], []))
        elif (found := _RULE.match(line)) and sections:
            sections[-1][2].append(_rule(found[1], found[2]))
        elif (word := _WORD.match(line)) and sections:
            sections[-1][1].append(_bare(word[1]))
    return tuple(
        Section(title=title, words=tuple(words), rules=tuple(rules))
        for title, words, rules in sections
        if rules
    )


def rule(game: str, rule_id: str, language: str = SOURCE) -> Rule | None:
    """One rule by its id; None where the page has none of that name."""
    return next(
        (
            rule
            for section in rule_sections(game, language)
            for rule in section.rules
            if rule.id == rule_id
        ),
        None,
    )


def rule_language(game: str, wanted: str | None) -> str:
    """The language in which a reader of ``wanted`` gets the rules: theirs, or English."""
    base = (wanted or SOURCE).split("-")[0]
    return base if _LANGUAGE.fullmatch(base) and _page(game, base).exists() else SOURCE


def _page(game: str, language: str) -> Path:
    folder = Path(settings.ROOT) / "docs" / "rules"
    return folder / f"{game}.md" if language == SOURCE else folder / language / f"{game}.md"


def _rule(rule_id: str, text: str) -> Rule:
    """The words of a line; what stands in italics at its end is an example."""
    plain = _OPTION.sub("", text.removeprefix("(d) ")).strip()
    found = _EXAMPLE.match(plain)
    words, example = found.groups() if found else (plain, "")
    return Rule(id=rule_id, text=_bare(words), example=_bare(example))


def _bare(words: str) -> str:
    return words.replace("**", "").replace("*", "").replace(" -> ", " → ").strip()
