"""XLSX: our own template, and any sheet whose columns have names we know.

Cells are read as the text a person sees. Every sheet with such columns is read;
others are told. Cells are written as text, never as formulas.
"""

from collections.abc import Mapping, Sequence

from quizzes.formats import csv_table, table, workbooks
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS, Carries
from quizzes.formats.problems import Place, Refused
from quizzes.formats.question import Question
from quizzes.formats.reading import Ledger, Reading
from quizzes.formats.workbooks import Sheet

CARRIES = Carries(kinds=ALL_KINDS, fields=ALL_FIELDS - {"picture"})
SHEET = "Questions"


def fits(question: Question) -> bool:
    """Every question fits; only pictures do not."""
    return True


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions of a workbook. A workbook settles its encoding itself."""
    ledger = Ledger()
    with ledger.file():
        sheets = workbooks.read_sheets(data)
        if not sheets:
            raise Refused("file.nothing-found")
        named = [sheet for sheet in sheets if _has_header(sheet)] or sheets[:1]
        for sheet in sheets:
            if sheet not in named:
                ledger.note("table.other-sheet", Place(part=sheet.title), what=sheet.title)
        for sheet in named:
            part = sheet.title if len(sheets) > 1 else ""
            with ledger.file():
                table.read_rows(
                    sheet.rows,
                    ledger,
                    cell_name=workbooks.cell_name,
                    block=lambda header, cells: csv_table.joined([header, cells]),
                    part=part,
                )
    return ledger.finish()


def write(questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return a workbook of the questions; without any, the empty template."""
    rows = table.write_rows(questions)
    numbers = [
        {at for at, name in enumerate(rows[0]) if line and table.is_number_cell(name, row)}
        for line, row in enumerate(rows)
    ]
    return workbooks.write_sheet(SHEET, rows, numbers)


def _has_header(sheet: Sheet) -> bool:
    return any(table.columns(row.cells).are_named for row in sheet.rows[: table.HEADER_ROWS])
