"""Workbooks as rows of text, under limits.

The archive is checked first (``archives``), and no part may hold a DTD. Reading
is done by openpyxl; it raises whatever it stumbles over in a damaged workbook,
so all of that is one answer here: the workbook is broken.
"""

import io
import re
import warnings
from collections.abc import Sequence
from datetime import datetime

import openpyxl
from msgspec import Struct
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter

from quizzes.formats.archives import Archive, open_archive, write_archive
from quizzes.formats.cell_text import escaped, shown
from quizzes.formats.numerals import readings
from quizzes.formats.problems import Place, Refused
from quizzes.formats.table import COLUMNS_MAX, ROWS_MAX, Row

SHEETS_MAX = 20
_EXACT_DIGITS = 15
_WHEN = datetime(2020, 1, 1)  # noqa: DTZ001 - workbooks know no time zone
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")
_CREATED = re.compile(rb"(<dcterms:created[^>]*>)[^<]*")


_Cell = tuple[object, str, str]  # value, number format, type as the workbook has it


class Sheet(Struct, frozen=True):
    """One sheet: its name and its rows. Numbers of rows are kept, empty rows left out."""

    title: str
    rows: Sequence[Row]


def cell_name(line: int, position: int) -> str:
    """Return the name of a cell as the spreadsheet shows it: ``C7``."""
    return f"{get_column_letter(position + 1)}{line}"


def read_sheets(data: bytes) -> list[Sheet]:
    """Return the visible sheets that hold anything.

    Raises:
        Refused: past the limits, a DTD, or damaged.
    """
    formulas = _check_parts(open_archive(data))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and extensions that do not matter here
        try:
            values = _sheets(data, data_only=True)
            written = _sheets(data, data_only=False) if formulas else {}
        except Exception as broken:
            if isinstance(broken, MemoryError):
                raise
            raise Refused("workbook.broken", text=type(broken).__name__) from None
    sheets = []
    for title, rows in values.items():
        kept = [
            _row(line, cells, written.get(title, {}).get(line, ())) for line, cells in rows.items()
        ]
        sheets.append(Sheet(title, [row for row in kept if row.faults or any(row.cells)]))
    return [sheet for sheet in sheets if sheet.rows]


def write_sheet(
    title: str,
    rows: Sequence[Sequence[str]],
    numbers: Sequence[set[int]],
    *,
    header_line: int = 1,
) -> bytes:
    """Return a workbook of one sheet. ``numbers`` names the number cells of each row.

    Everything else is typed as text, so nothing in it is ever a formula.
    """
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet(title)
    sheet.freeze_panes = f"A{header_line + 1}"
    for position, name in enumerate(rows[header_line - 1]):
        width = 44 if name.lower().startswith(("question", "explanation")) else 18
        sheet.column_dimensions[get_column_letter(position + 1)].width = width
    wrapped = Alignment(wrap_text=True, vertical="top")
    for line, (row, number_cells) in enumerate(zip(rows, numbers, strict=True), start=1):
        cells = []
        for position, text in enumerate(row):
            number = _exact(text) if position in number_cells else None
            if number is not None:
                cell = WriteOnlyCell(sheet, value=number)
            else:
                cell = WriteOnlyCell(sheet, value=escaped(text))
                if text:
                    cell.data_type = "s"
                cell.number_format = "@"
            cell.alignment = wrapped
            if line == header_line:
                cell.font = Font(bold=True)
            cells.append(cell)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return write_archive(_timeless(open_archive(out.getvalue())))


def _timeless(archive: Archive) -> dict[str, bytes]:
    """Return the parts without the time of writing: same questions, same bytes."""
    parts = {name: archive.read(name) for name in archive.names}
    when = _WHEN.isoformat().encode() + b"Z"
    core = "docProps/core.xml"
    parts[core] = _CREATED.sub(rb"\g<1>" + when, _MODIFIED.sub(rb"\g<1>" + when, parts[core]))
    return parts


def _exact(text: str) -> int | float | None:
    """Return the number if the spreadsheet can hold it exactly."""
    found = readings(text)
    if len(found) != 1:
        return None
    number = found[0]
    if len(number.as_tuple().digits) > _EXACT_DIGITS:
        return None
    return int(number) if number == number.to_integral_value() else float(number)


def _check_parts(archive: Archive) -> bool:
    """Refuse any DTD; return whether a sheet holds formulas."""
    formulas = False
    for name in archive.names:
        if name.lower().endswith((".xml", ".rels", ".vml")):
            content = archive.read(name)
            if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
                raise Refused("xml.dtd", Place(part=name))
            if b"\0" in content:  # UTF-16 would hide a DTD from the line above
                raise Refused("workbook.broken", Place(part=name))
            formulas = formulas or re.search(rb"<(?:\w+:)?f[ >/]", content) is not None
    return formulas


def _sheets(data: bytes, *, data_only: bool) -> dict[str, dict[int, list[_Cell]]]:
    """Return by sheet and row the cells as (value, number format, type)."""
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=data_only)
    found: dict[str, dict[int, list[_Cell]]] = {}
    for sheet in book.worksheets[:SHEETS_MAX]:
        if sheet.sheet_state != "visible":
            continue
        sheet.reset_dimensions()
        rows: dict[int, list[_Cell]] = {}
        limited = sheet.iter_rows(max_row=ROWS_MAX + 1, max_col=COLUMNS_MAX + 1)
        for line, row in enumerate(limited, start=1):
            cells: list[_Cell] = [
                (cell.value, getattr(cell, "number_format", "") or "", cell.data_type or "")
                for cell in row
            ]
            while cells and cells[-1][0] is None:
                cells.pop()
            if cells:
                rows[line] = cells
        found[sheet.title] = rows
    book.close()
    return found


def _row(
    line: int,
    cells: Sequence[_Cell],
    written: Sequence[_Cell],
) -> Row:
    texts: list[str] = []
    faults: dict[int, str] = {}
    for position, (value, number_format, data_type) in enumerate(cells):
        if data_type == "e":
            faults[position] = "table.error"
        texts.append(shown(value, number_format))
    for position, (value, _, data_type) in enumerate(written):
        if data_type == "f" and (position >= len(cells) or cells[position][0] is None):
            faults[position] = "table.formula"
            texts += [""] * (position + 1 - len(texts))
            texts[position] = str(value)
    return Row(line, texts, faults)
