"""Shows beside each rule of a page in docs/rules the tests that name it.

    python -m tests.architecture.rule_pages

writes the lists anew, from the ``rule`` markers of the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.architecture.test_rule_markers import PAGES, all_marked

RULE = re.compile(r"^- \*\*([A-Z]{3}-[A-Z]+-[A-Z]?\d+[a-z]?)\*\* ")
TESTS = "  *Tests:* "


def with_tests(page: str, marked: Iterable[tuple[str, str]]) -> str:
    """The page with a line of tests under each rule; ``marked``: test and rule id."""
    tests: dict[str, list[str]] = {}
    for test, rule in marked:
        tests.setdefault(rule, []).append(test)
    return "\n".join(_lines(page, tests))


def _lines(page: str, tests: dict[str, list[str]]) -> Iterator[str]:
    for line in page.split("\n"):
        if line.startswith(TESTS.rstrip()):
            continue
        yield line
        if rule := RULE.match(line):
            yield TESTS + listed(tests.get(rule[1], []))


def listed(tests: list[str]) -> str:
    """``tests/a.py::one`` and so on, in the order of their files, each file named once."""
    names: dict[str, list[str]] = {}
    for test in sorted(set(tests)):
        file, _, name = test.partition("::")
        names.setdefault(file.removeprefix("tests/"), []).append(name.removeprefix("test_"))
    files = (f"`{file}` {', '.join(found)}" for file, found in names.items())
    return "; ".join(files) or "none yet"


def refresh(pages: Iterable[Path] = PAGES) -> None:
    """Write the lists of all pages anew."""
    marked = all_marked()
    for path in pages:
        page = path.read_text(encoding="utf-8")
        path.write_text(with_tests(page, marked), encoding="utf-8")


if __name__ == "__main__":
    refresh()
