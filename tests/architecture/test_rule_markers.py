"""Rules, tests and code name each other.

A rule page in docs/rules defines a rule where its id stands in bold. Each such
rule is named by the ``rule`` marker of a test, at most four ids a test, and each
id in the code is one that a page defines.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.sources import APPS, ROOT, name, python_files, tree

ID = r"[A-Z]{3}-[A-Z]+-[A-Z]?\d+[a-z]?"
DEFINED = re.compile(rf"\*\*({ID})\b")
NAMED = re.compile(rf"\b{ID}\b")
MOST_IDS = 4

PAGES = sorted((ROOT / "docs" / "rules").glob("*.md"))


def marked(path: Path) -> Iterator[tuple[str, str]]:
    """Test and rule id, for each id of a rule marker in a file of tests."""
    yield from marked_in(tree(path), name(path))


def marked_in(module: ast.AST, place: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                yield from ((f"{place}::{node.name}", rule) for rule in rule_ids(decorator))


def rule_ids(decorator: ast.expr) -> Iterator[str]:
    for node in ast.walk(decorator):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="mark"), attr="rule"), args=args
            ):
                yield from (ast.literal_eval(argument) for argument in args)


@cache
def all_marked() -> tuple[tuple[str, str], ...]:
    return tuple(pair for path in python_files("tests") for pair in marked(path))


def defined_in(page: Path) -> set[str]:
    return set(DEFINED.findall(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("rules", PAGES, ids=lambda path: path.stem)
def test_every_rule_of_the_page_is_named_by_a_test(rules):
    named = {rule for _, rule in all_marked()}

    assert sorted(defined_in(rules) - named) == []


def test_a_test_names_at_most_four_rules():
    ids: dict[str, set[str]] = {}
    for test, rule in all_marked():
        ids.setdefault(test, set()).add(rule)

    assert {test: sorted(rules) for test, rules in ids.items() if len(rules) > MOST_IDS} == {}


def test_markers_are_found_with_their_test():
    source = """
@pytest.mark.rule("COR-CAT-1", "COR-INSP-G1")
def test_one():
    pass


@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("COR-CAT-2"))])
def test_two(x):
    pass
"""

    assert list(marked_in(ast.parse(source), "here")) == [
        ("here::test_one", "COR-CAT-1"),
        ("here::test_one", "COR-INSP-G1"),
        ("here::test_two", "COR-CAT-2"),
    ]


def named_in_code() -> Iterator[tuple[str, str]]:
    for path in python_files(*APPS):
        for rule in NAMED.findall(path.read_text(encoding="utf-8")):
            yield name(path), rule


def prefix(rule: str) -> str:
    return rule.partition("-")[0]


def test_every_rule_named_by_code_or_marker_is_defined_by_its_page():
    defined = {rule for page in PAGES for rule in defined_in(page)}
    games = {prefix(rule) for rule in defined}

    unknown = {
        (place, rule)
        for place, rule in (*named_in_code(), *all_marked())
        if prefix(rule) in games and rule not in defined
    }

    assert sorted(unknown) == []
