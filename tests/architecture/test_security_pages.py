"""What docs/security says is proven exists: every case has its test or its reason."""

from __future__ import annotations

import ast
import csv
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, name, python_files, tree

PAGES = ROOT / "docs" / "security"
STATUSES = {"met", "part", "open", "does not apply"}


def rows(page: str) -> list[dict[str, str]]:
    with (PAGES / page).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def marks(module: ast.AST) -> Iterator[str]:
    """The ids of all case markers of a file of tests."""
    for node in ast.walk(module):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="mark"), attr="case"), args=args
            ):
                for argument in args:
                    match argument:
                        case ast.Starred(value=ast.Tuple(elts=several)):
                            yield from (ast.literal_eval(one) for one in several)
                        case _:
                            yield ast.literal_eval(argument)


@cache
def marked() -> dict[str, str]:
    """A file of tests for each case that is marked."""
    return {case: name(path) for path in python_files("tests") for case in marks(tree(path))}


def test_every_case_is_marked_by_a_test_or_says_why_not():
    listed = {row["case"]: row["why no test"] for row in rows("cases.csv")}

    assert sorted(case for case, why in listed.items() if not why and case not in marked()) == []
    assert sorted(case for case, why in listed.items() if why and case in marked()) == []
    assert sorted(marked().keys() - listed.keys()) == []


def test_no_case_and_no_requirement_stands_twice():
    for ids in (
        [row["case"] for row in rows("cases.csv")],
        [row["id"] for row in rows("asvs-5.0-l2.csv")],
    ):
        assert sorted({one for one in ids if ids.count(one) > 1}) == []


def test_list_of_requirements_is_whole():
    levels = [row["level"] for row in rows("asvs-5.0-l2.csv")]

    assert (levels.count("1"), levels.count("2")) == (70, 183)


def test_security_page_counts_them_as_they_are():
    decided = Counter(row["status"] for row in rows("asvs-5.0-l2.csv"))
    applies = decided.total() - decided["does not apply"]
    of_one = Counter(row["status"] for row in rows("asvs-5.0-l2.csv") if row["level"] == "1")
    page = " ".join((ROOT / "SECURITY.md").read_text(encoding="utf-8").split())

    assert of_one["open"] == 0
    assert (
        f"Of the {applies} that apply {decided['met']} are met, "
        f"{decided['part']} in part and {decided['open']} open; none of level 1 is open, "
        f"{of_one['part']} are met in part"
    ) in page


@pytest.mark.parametrize("row", rows("asvs-5.0-l2.csv"), ids=lambda row: row["id"])
def test_requirement_is_decided_and_its_evidence_exists(row):
    applies = row["status"] != "does not apply"

    assert row["status"] in STATUSES
    assert row["applies"] == ("yes" if applies else "no")
    assert row["evidence"] or row["status"] != "met"
    assert applies or row["note"]  # why not
    for evidence in filter(None, row["evidence"].split(";")):
        path, _, test = evidence.partition("::")
        assert (ROOT / path).exists(), evidence
        assert not test or f"def {test}(" in Path(ROOT / path).read_text(encoding="utf-8"), evidence
