"""The quiz sheet of Kahoot and of the tools that copied it.

A workbook with a header below some lines of hints: question, answers 1 to 4, time
limit, and the numbers of the right answers. Time limits are passed over when
reading and written as 20 seconds. Questions have at most 120 characters and
answers 75, which is the tool's limit; longer ones are read, but not written.
"""

import re
from collections.abc import Mapping, Sequence

from quizzes.formats import csv_table, workbooks
from quizzes.formats.carries import Carries, carried
from quizzes.formats.problems import Place, Refused
from quizzes.formats.question import Question, SeveralRight, SingleChoice
from quizzes.formats.reading import Ledger, Reading
from quizzes.formats.table import Row
from quizzes.formats.text import tidy
from quizzes.formats.workbooks import Sheet, cell_name

CARRIES = Carries(kinds=frozenset(("single", "several")), fields=frozenset(), lone_several=False)
STEM_MAX = 120
CHOICE_MAX = 75
CHOICES_MAX = 4
TIME_S = 20
HEADER_LINE = 8
HEADER = (
    "",
    "Question - max 120 characters",
    *(f"Answer {number} - max 75 characters" for number in range(1, CHOICES_MAX + 1)),
    "Time limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs",
    "Correct answer(s) - choose at least one",
)
MARKS = ("time limit", "correct answer")
_ANSWER = re.compile(r"answer (\d)\b")
_OWN_COLUMNS = 3 + CHOICES_MAX


def fits(question: Question) -> bool:
    """Say whether the question keeps within the limits of the sheet."""
    if not isinstance(question, SingleChoice | SeveralRight):
        return False
    return (
        len(question.stem) <= STEM_MAX
        and len(question.choices) <= CHOICES_MAX
        and all(len(choice) <= CHOICE_MAX for choice in question.choices)
    )


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions of the sheet."""
    ledger = Ledger()
    with ledger.file():
        found = [(sheet, header) for sheet in workbooks.read_sheets(data)
                 if (header := _header(sheet))]  # fmt: skip
        if not found:
            raise Refused("table.no-question-column")
        for sheet, header in found:
            part = sheet.title if len(found) > 1 else ""
            _read_sheet(sheet, header, ledger, part)
    return ledger.finish()


def write(questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return the sheet with what fits into it."""
    rows: list[Sequence[str]] = [
        [],
        ["", "Quiz"],
        ["", "Several right answers are separated by commas."],
        *([] for _ in range(HEADER_LINE - 4)),
        HEADER,
    ]
    numbers: list[set[int]] = [set() for _ in rows]
    for question in questions:
        kept = carried(question, CARRIES, fits)
        if not isinstance(kept, SingleChoice | SeveralRight):
            continue
        right = (kept.right,) if isinstance(kept, SingleChoice) else kept.right
        rows.append(
            [
                str(len(rows) - HEADER_LINE + 1),
                kept.stem,
                *kept.choices,
                *[""] * (CHOICES_MAX - len(kept.choices)),
                str(TIME_S),
                ",".join(str(at + 1) for at in right),
            ]
        )
        numbers.append({0, _OWN_COLUMNS - 1})
    return workbooks.write_sheet("Sheet1", rows, numbers, header_line=HEADER_LINE)


class _Header:
    """Where the columns are."""

    def __init__(self, row: Row) -> None:
        self.line = row.line
        self.cells = row.cells
        names = [tidy(cell).casefold() for cell in row.cells]
        self.question = _position(names, "question")
        self.right = _position(names, "correct")
        self.answers = {
            int(found.group(1)): at
            for at, name in enumerate(names)
            if (found := _ANSWER.match(name))
        }

    def __bool__(self) -> bool:
        return self.question >= 0 and self.right >= 0 and len(self.answers) > 1


def _position(names: Sequence[str], start: str) -> int:
    return next((at for at, name in enumerate(names) if name.startswith(start)), -1)


def _header(sheet: Sheet) -> _Header | None:
    return next((found for row in sheet.rows[:20] if (found := _Header(row))), None)


def _read_sheet(sheet: Sheet, header: _Header, ledger: Ledger, part: str) -> None:
    asked = [row for row in sheet.rows if row.line > header.line]
    columns = [header.question, *header.answers.values(), header.right]
    number = 0
    for row in asked:
        if not any(_cell(row, at) or at in row.faults for at in columns[:-1]):
            continue  # the template has numbered rows that were left empty
        number += 1
        block = csv_table.joined(
            [["question", *(f"choice {n}" for n in header.answers), "right"],
             [_cell(row, at) for at in columns]]
        )  # fmt: skip
        with ledger.item(row.place(number=number, part=part), block, "csv"):
            ledger.keep(_question(row, header, columns))
        if ledger.is_full:
            break


def _question(row: Row, header: _Header, columns: Sequence[int]) -> Question:
    for at in columns:
        if at in row.faults:
            raise Refused(row.faults[at], Place(cell=cell_name(row.line, at)), _cell(row, at))
    stem = _cell(row, header.question)
    if not stem:
        raise Refused("question.no-text", Place(cell=cell_name(row.line, header.question)))
    choices = {n: text for n, at in header.answers.items() if (text := _cell(row, at))}
    key = _cell(row, header.right)
    place = Place(cell=cell_name(row.line, header.right))
    marks = sorted({int(digit) for digit in re.findall(r"\d", key)})
    if not marks:
        raise Refused("question.no-right", place, key)
    if not all(mark in choices for mark in marks):
        raise Refused("question.unknown-right", place, key)
    names = list(choices)
    right = tuple(names.index(mark) for mark in marks)
    if len(right) > 1:
        return SeveralRight(stem=stem, choices=tuple(choices.values()), right=right)
    return SingleChoice(stem=stem, choices=tuple(choices.values()), right=right[0])


def _cell(row: Row, position: int) -> str:
    return tidy(row.cells[position]) if position < len(row.cells) else ""
