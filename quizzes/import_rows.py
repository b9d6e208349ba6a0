"""The rows of an import preview: each question of a file, good or to be mended.

Pure values between what a format read and what the teacher sees. A row keeps its
number for as long as the preview lives.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quizzes.formats import catalog
from quizzes.formats.csv_table import joined
from quizzes.formats.problems import Place, Problem, problem
from quizzes.formats.question import Question
from quizzes.formats.reading import Reading
from quizzes.formats.table import BLOCK_MAX

UNSUPPORTED = "question.unsupported"
WRITTEN_ANEW = "text"  # what cannot be mended as it stood is typed as plain text


class Row(Struct, frozen=True, kw_only=True):
    """One question of the file, or why it is none."""

    number: int  # from 1
    place: Place = Place()
    question: Question | None = None
    notes: tuple[Problem, ...] = ()  # what was left out of the question
    problem: Problem | None = None  # without question
    left_out: bool = False
    mended: bool = False

    @property
    def is_saved(self) -> bool:
        """Whether the row goes into the bank as it is now."""
        return self.question is not None and not self.left_out

    @property
    def is_unsupported(self) -> bool:
        """Whether the file asks in a way that we have no questions for."""
        return self.problem is not None and self.problem.code == UNSUPPORTED

    @property
    def mend_as(self) -> str:
        """The key of the format in which the row is mended."""
        return (self.problem.mend_as if self.problem else "") or WRITTEN_ANEW

    @property
    def cells(self) -> list[tuple[str, str]]:
        """Name and content of each cell of a row of a table; empty for other formats."""
        if self.problem is None or self.problem.mend_as != "csv":
            return []
        table = list(csv.reader(io.StringIO(self.problem.block)))
        if len(table) != 2:
            return []
        names, cells = table
        cells += [""] * (len(names) - len(cells))
        return list(zip(names, cells, strict=False))


def rows_of(reading: Reading) -> tuple[list[Row], list[Problem]]:
    """The rows of a file in its order, and what is to say about the file as a whole."""
    notes: defaultdict[int, list[Problem]] = defaultdict(list)
    bad: list[Problem] = []
    whole: list[Problem] = []
    for found in reading.problems:
        if found.question is not None:
            notes[found.question].append(found)
        elif found.is_note or not (found.block or found.place.number):
            whole.append(found)
        else:
            bad.append(found)
    rows = [
        Row(number=0, place=place, question=question, notes=tuple(notes[index]))
        for index, (question, place) in enumerate(
            zip(reading.questions, reading.places, strict=True)
        )
    ]
    rows += [Row(number=0, place=found.place, problem=found) for found in bad]
    return [replace(row, number=at) for at, row in enumerate(_in_order(rows), start=1)], whole


def _in_order(rows: Sequence[Row]) -> list[Row]:
    """By number where the file numbers them all through, else by line, part after part."""
    numbers = [row.place.number for row in rows]
    if all(numbers) and len(set(numbers)) == len(numbers):
        return sorted(rows, key=lambda row: row.place.number)
    parts = {part: at for at, part in enumerate(dict.fromkeys(row.place.part for row in rows))}
    return sorted(rows, key=lambda row: (parts[row.place.part], row.place.line, row.place.number))


def mended(row: Row, block: str) -> Row:
    """The row with what the teacher made of it: a question, or what is still wrong."""
    block = block[:BLOCK_MAX]
    reading = catalog.read(block.encode("utf-8", "replace"), key=row.mend_as, encoding="utf-8")
    if len(reading.questions) == 1 and not reading.refused:
        notes = tuple(found for found in reading.problems if found.question is not None)
        return replace(row, question=reading.questions[0], notes=notes, problem=None, mended=True)
    wrong = next(iter(reading.refused), problem("question.one-only"))
    return replace(row, problem=replace(wrong, block=block, mend_as=row.mend_as))


def block_of(row: Row, cells: Sequence[str]) -> str:
    """The block that these cells make under the names of the row's columns."""
    return joined([[name for name, _cell in row.cells], list(cells)])


def to_json(rows: Iterable[Row]) -> Any:
    """The rows as plain values, for a JSON column."""
    return msgspec.to_builtins(list(rows))


def from_json(values: Any) -> list[Row]:
    """The inverse of ``to_json``."""
    return msgspec.convert(values, list[Row])


def problems_from_json(values: Any) -> list[Problem]:
    """The problems of a whole file, from a JSON column."""
    return msgspec.convert(values, list[Problem])


def with_pictures(question: Question, kept: Mapping[str, str]) -> Question:
    """The question with its picture under our reference; without one that we did not keep."""
    if question.picture is None:
        return question
    ref = kept.get(question.picture.ref)
    picture = replace(question.picture, ref=ref) if ref else None
    return replace(question, picture=picture)
