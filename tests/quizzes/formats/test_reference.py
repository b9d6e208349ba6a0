"""The page about formats says what the code does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from quizzes.formats import catalog, csv_table, plain_text
from quizzes.formats.carries import FIELDS, KIND_TAGS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "formats.md").read_text()


def table(name: str) -> list[str]:
    """The rows of a table of the page, without its header."""
    found = re.search(rf"<!-- table of {name} -->\n(.*?)<!-- end -->", PAGE, re.DOTALL)
    assert found
    return found.group(1).strip().split("\n")[2:]


def row(*cells: str | bool) -> str:
    shown = ("✓" if cell is True else "–" if cell is False else cell for cell in cells)
    return f"| {' | '.join(shown)} |"


def test_types_are_as_the_page_says():
    assert table("types") == [
        row(fmt.title, f"`{key}`", *(kind in fmt.carries.kinds for kind in KIND_TAGS.values()))
        for key, fmt in catalog.FORMATS.items()
    ]


def test_fields_are_as_the_page_says():
    assert table("fields") == [
        row(
            fmt.title,
            *(name in fmt.carries.fields for name in FIELDS),
            fmt.carries.line_breaks,
            fmt.carries.lone_several and "several" in fmt.carries.kinds,
            fmt.carries.distractors and "matching" in fmt.carries.kinds,
        )
        for fmt in catalog.FORMATS.values()
    ]


@pytest.mark.parametrize(
    ("name", "reader", "count"), [("csv", csv_table, 7), ("text", plain_text, 6)]
)
def test_examples_of_the_page_are_read_without_a_problem(name, reader, count):
    example = re.search(rf"```{name}\n(.*?)```", PAGE, re.DOTALL)
    assert example

    reading = reader.read(example.group(1).encode())

    assert (len(reading.questions), reading.problems) == (count, ())


def test_formats_and_grading_need_no_django():
    code = (
        "import sys, quizzes.formats.catalog, quizzes.grading.judging;"
        "print('django' in sys.modules)"
    )

    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert ended.stdout.strip() == "False"
