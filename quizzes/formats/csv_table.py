"""CSV and TSV: questions in rows, safe to open in a spreadsheet.

Read: ``,`` ``;`` tab or ``|``, a ``sep=`` line, any of the encodings, headers in
five languages. Written: UTF-8 with a byte order mark, CRLF.

A cell of text that a spreadsheet would run as a formula gets an apostrophe in
front, also where a separator or a quote inside the text would make it the start of
a cell if the file is opened with another separator. Reading takes it off.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Literal

from quizzes.formats import table
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS, Carries
from quizzes.formats.question import Question
from quizzes.formats.reading import Ledger, Reading
from quizzes.formats.table import Row

CARRIES = Carries(kinds=ALL_KINDS, fields=ALL_FIELDS - {"picture"})
OPEN_QUOTES_MAX = 20  # of a file; after so many, quotation marks are letters like others
_END = "\0end"
SEPARATORS = (",", ";", "\t", "|")
_SEP_LINE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
_FORMULA = "=+\\-@\t\r\0＝＋－＠"
_START = r'(?:^|(?<=[,;\t|"\n]))'
_TO_GUARD = re.compile(rf"{_START}(?='*[{_FORMULA}])")
_GUARDED = re.compile(rf"{_START}'(?='*[{_FORMULA}])")


def guard(text: str) -> str:
    """Return text that no spreadsheet runs as a formula."""
    return _TO_GUARD.sub("'", text)


def unguard(text: str) -> str:
    """Return the text that was guarded."""
    return _GUARDED.sub("", text)


def fits(question: Question) -> bool:
    """Every question fits; only pictures do not."""
    return True


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions of a CSV or TSV file."""
    ledger = Ledger()
    with ledger.file():
        text = ledger.decode(data, encoding)
        separator, text, skipped = _separator(text)
        table.read_rows(
            _rows(text, separator, skipped),
            ledger,
            cell_name=lambda row, position: f"{row}:{_letters(position)}",
            block=lambda header, cells: joined([header, cells]),
        )
    return ledger.finish()


def write(questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return the questions as CSV with commas."""
    return _write(questions, ",")


def write_tabs(
    questions: Sequence[Question],
    pictures: Mapping[str, bytes] | None = None,
) -> bytes:
    """Return the questions as tab-separated text."""
    return _write(questions, "\t")


def separator_of(text: str) -> str:
    """Return the separator if the text is a table with a header we know, or ""."""
    named = _SEP_LINE.fullmatch(text.partition("\n")[0])
    if named:
        return named.group(1)
    return next((mark for mark in SEPARATORS if _header_names(text, mark) > 1), "")


def is_plain_table(text: str) -> bool:
    """Say whether the text is even rows without a header.

    Two cells a row are enough where the separator is no mark of ordinary writing.
    """
    return any(
        len(widths := _widths(text, mark)) > 1
        and min(widths) == max(widths)
        and min(widths) >= (3 if mark == "," else 2)
        for mark in SEPARATORS
    )


def _write(questions: Sequence[Question], separator: str) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator, lineterminator="\r\n")
    header, *rows = table.write_rows(questions)
    writer.writerow(header)
    for row in rows:
        writer.writerow(
            [
                cell if table.is_number_cell(name, row) else guard(cell)
                for name, cell in zip(header, row, strict=True)
            ]
        )
    return out.getvalue().encode("utf-8-sig")


def joined(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as CSV that a person can mend and ``read`` can read."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _separator(text: str) -> tuple[str, str, int]:
    """Return the separator, the text without a ``sep=`` line, and the lines taken off."""
    first, _, rest = text.partition("\n")
    named = _SEP_LINE.fullmatch(first)
    if named:
        return named.group(1), rest, 1
    known = max(SEPARATORS, key=lambda mark: _header_names(text, mark))
    if _header_names(text, known) > 1:
        return known, text, 0
    # No header: the separator that cuts the rows most evenly into most cells.
    return max(SEPARATORS, key=lambda mark: _evenness(text, mark)), text, 0


def _header_names(text: str, separator: str) -> int:
    """Return how many columns are known by name in the best of the first rows."""
    best = 0
    for cells in _first_rows(text, separator, table.HEADER_ROWS):
        found = table.columns(cells)
        if found.are_named:
            best = max(best, len(found.single) + sum(map(len, found.numbered.values())))
    return best


def _widths(text: str, separator: str) -> list[int]:
    return [len(cells) for cells in _first_rows(text, separator, 20)]


def _evenness(text: str, separator: str) -> tuple[bool, int]:
    widths = _widths(text, separator)
    even = bool(widths) and min(widths) == max(widths) and min(widths) > 1
    return even, sum(widths)


def _first_rows(text: str, separator: str, count: int) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text[:60_000], newline=""), delimiter=separator)
    rows: list[list[str]] = []
    try:
        for cells in reader:
            if any(cells):
                rows.append(cells)
            if len(rows) == count:
                break
    except csv.Error:
        return rows
    return rows


def _letters(position: int) -> str:
    """Return what a spreadsheet calls a column, from 0: A … Z, AA … (``COLUMNS_MAX`` < ZZ)."""
    before, letter = divmod(position, 26)
    return f"{chr(ord('A') + before - 1) if before else ''}{chr(ord('A') + letter)}"


def _rows(text: str, separator: str, skipped: int) -> Iterator[Row]:
    """Yield the rows of the text.

    A quotation mark that is never closed would make one cell of the rest of the file. Only
    its own line is faulty then, and reading goes on below it.
    """
    lines = text.removesuffix("\n").split("\n")
    start = number = opened = 0
    while start < len(lines):
        quoting: Literal[0, 3] = 0 if opened < OPEN_QUOTES_MAX else 3  # QUOTE_MINIMAL, QUOTE_NONE
        below = chain((f"{line}\n" for line in islice(lines, start, None)), [_END])
        reader = csv.reader(below, delimiter=separator, quoting=quoting, strict=True)
        at = start
        for cells in _until_open(reader):
            if cells == [_END]:
                return
            number += 1
            yield Row(at + skipped + 1, [unguard(cell) for cell in cells], row=number)
            at = start + reader.line_num
        number += 1
        opened += 1
        yield _faulty(lines[at], separator, at + skipped + 1, number)
        start = at + 1


def _until_open(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    """Yield rows up to one in which a quotation mark is not closed as it should be."""
    with suppress(csv.Error):
        for cells in reader:
            if cells != [_END] and cells and cells[-1].endswith(_END):
                return
            yield cells


def _faulty(line: str, separator: str, at: int, number: int) -> Row:
    """Return a line with stray quotation marks as a row; one that stays open is a fault."""
    cells = [cell[: table.BLOCK_MAX] for cell in line.split(separator)]
    quoted = [place for place, cell in enumerate(cells) if cell.startswith('"')]
    if not quoted:
        return Row(at, cells, {0: "question.unreadable"}, row=number)
    faults = {place: "table.open-quote" for place in quoted if '"' not in cells[place][1:]}
    return Row(at, [unguard(cell) for cell in cells], faults, row=number)
