"""The rule page says what the code does, and names the tests of each rule."""

from __future__ import annotations

import re

import pytest

from games.decks.starters import starter_content
from games.engine.options import OptionField, option_fields
from games.engine.text import english
from games.rules.corruption.content import parse
from games.rules.corruption.game import Corruption
from games.rules.corruption.options import Options
from games.rules.corruption.texts import DECISION_KINDS
from tests.architecture.rule_pages import with_tests
from tests.architecture.sources import ROOT
from tests.architecture.test_rule_markers import all_marked

PAGE = (ROOT / "docs" / "rules" / "corruption.md").read_text(encoding="utf-8")
RULES = dict(re.findall(r"^- \*\*(COR-[A-Z]+-[A-Z]?\d+)\*\* (.*)$", PAGE, re.MULTILINE))


def rows(heading: str) -> list[list[str]]:
    """Cells of the table under a heading, without its head."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_tests_beside_the_rules_are_those_of_the_markers():
    """Out of date: ``python -m tests.architecture.rule_pages`` writes them anew."""
    assert with_tests(PAGE, all_marked()) == PAGE


def test_every_rule_stands_on_the_page_once():
    counts = {"INV": 2, "GOAL": 7, "SETUP": 8, "START": 3, "MOVE": 8, "CAT": 18, "PAY": 11}
    counts |= {"CHANCE": 8, "JOKER": 5, "INS": 7, "NND": 10, "LND": 8, "DON": 11, "CORR": 9}
    counts |= {"INSP": 14, "QA": 11, "BANK": 6, "PRISON": 12, "WIN": 15, "DEC": 6}
    counts |= {"BOARD": 4, "DECK": 2}

    found = re.findall(r"^- \*\*COR-([A-Z]+)-[A-Z]?\d+\*\* ", PAGE, re.MULTILINE)

    assert {section: found.count(section) for section in counts} == counts
    assert len(found) == len(RULES) == 185


def test_lists_of_tests_are_made_from_the_markers():
    page = "- **COR-CAT-1** One.\n  *Tests:* old\n- **COR-CAT-2** Two.\n\nEnd.\n"
    marked = [("tests/b.py::test_y", "COR-CAT-1"), ("tests/a.py::test_z", "COR-CAT-1")]
    marked += [("tests/a.py::test_x", "COR-CAT-1"), ("tests/a.py::test_x", "COR-CAT-1")]

    shown = with_tests(page, marked)

    assert shown == (
        "- **COR-CAT-1** One.\n  *Tests:* `a.py` x, z; `b.py` y\n"
        "- **COR-CAT-2** Two.\n  *Tests:* none yet\n\nEnd.\n"
    )
    assert with_tests(shown, marked) == shown


def shown_values(field: OptionField) -> str:
    if field.name == "qa_chain_limit":
        return "`0` (none), 1 to 9"
    return ", ".join(
        f"`{str(value).lower() if value in (True, False) else value}`" for value in field.values
    )


def test_options_of_the_page_are_those_of_the_game():
    fields = option_fields(Options)

    assert [row[:2] for row in rows("Options")] == [
        [f"`{field.name}`", shown_values(field)] for field in fields
    ]


@pytest.mark.parametrize("field", option_fields(Options), ids=lambda field: field.name)
def test_option_is_named_at_its_rule(field):
    assert f"`{field.name}`" in RULES[field.rule]


def test_decisions_of_the_page_are_those_of_the_game():
    named = [re.findall(r"`(\w+)`", row[0])[0] for row in rows("Deciding together")]

    assert sorted(named) == sorted(DECISION_KINDS)


def test_acts_of_the_page_are_those_of_the_game():
    acts = {row[0].split("`")[1] for row in rows("Deciding together") if "(act)" in row[0]}

    assert acts == Corruption.acts


@pytest.mark.rule("COR-BOARD-1", "COR-BOARD-2")
def test_board_of_the_page_is_the_starter_board():
    board = parse(starter_content("corruption")).board

    assert rows("Board") == [
        [
            category.label,
            str(category.die),
            ", ".join(map(str, category.squares)),
            ", ".join(
                f"{board.properties[item].label} {board.properties[item].price}"
                for item in category.properties
            ),
            str(sum(board.properties[item].price for item in category.properties)),
            str(category.tax),
        ]
        for category in board.categories.values()
    ]


def test_one_lesson_board_is_described_in_its_figures():
    board = parse(starter_content("corruption", "one-lesson")).board

    assert (len(board.squares), len(board.properties), board.village_cost) == (42, 9, 26)
    assert "42 squares and nine of these properties for 26 fish together" in PAGE


@pytest.mark.rule("COR-GOAL-2")
def test_game_is_labelled_for_ages_12_and_up():
    assert english(Corruption.summary).endswith("For ages 12 and up.")
