"""Workbooks as teachers have them."""

import io
import zipfile
from datetime import date
from decimal import Decimal

import openpyxl
import pytest
import xlsxwriter

from quizzes.formats import catalog, xlsx
from quizzes.formats.problems import Place
from quizzes.formats.question import Numeric, ShortAnswer, SingleChoice, TrueFalse
from tests.quizzes.formats.children import read_limited
from tests.quizzes.formats.samples import SAMPLES

TYPES = "application/vnd.openxmlformats-"
CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    f'<Default Extension="rels" ContentType="{TYPES}package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
    f'ContentType="{TYPES}officedocument.spreadsheetml.sheet.main+xml"/><Override '
    f'PartName="/xl/s.xml" ContentType="{TYPES}officedocument.spreadsheetml.worksheet+xml"/>'
    "</Types>"
)
RELS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
    '{kind}" Target="{target}"/></Relationships>'
)
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
BOOK = (
    f'<workbook xmlns="{MAIN}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'
)


def by_hand(rows: str, *, before: str = "", head: str = "") -> bytes:
    """A workbook with the sheet data given as XML."""
    sheet = f'{head}<worksheet xmlns="{MAIN}">{before}<sheetData>{rows}</sheetData></worksheet>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", CONTENT_TYPES)
        archive.writestr(
            "_rels/.rels", RELS.format(kind="officeDocument", target="xl/workbook.xml")
        )
        archive.writestr("xl/workbook.xml", BOOK)
        archive.writestr(
            "xl/_rels/workbook.xml.rels", RELS.format(kind="worksheet", target="s.xml")
        )
        archive.writestr("xl/s.xml", sheet)
    return out.getvalue()


def cells(line: int, *texts: str) -> str:
    inside = "".join(
        f'<c r="{chr(65 + at)}{line}" t="inlineStr"><is><t>{text}</t></is></c>'
        for at, text in enumerate(texts)
    )
    return f'<row r="{line}">{inside}</row>'


def workbook(fill, *sheets: str) -> bytes:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    fill(book, *[book.add_worksheet(name) for name in sheets or ("Questions",)])
    book.close()
    return out.getvalue()


def test_numbers_dates_truths_and_formulas_are_read_as_shown():
    def fill(book, sheet):
        sheet.write_row(0, 0, ["question", "answer", "A", "B", "C"])
        sheet.write_row(1, 0, ["Dial?"])
        sheet.write_number(1, 1, 42, book.add_format({"num_format": "00000"}))
        sheet.write_number(1, 2, 42, book.add_format({"num_format": "00000"}))
        sheet.write_number(1, 3, 43)
        sheet.write_row(2, 0, ["When?", "B"])
        sheet.write_datetime(
            2,
            2,
            date(1989, 7, 14),
            book.add_format({"num_format": "d mmmm yyyy"}),
        )
        sheet.write_datetime(2, 3, date(1999, 1, 2), book.add_format({"num_format": "yyyy-mm-dd"}))
        sheet.write(3, 0, "Water is wet.")
        sheet.write_boolean(3, 1, True)
        sheet.write(4, 0, "Sum?")
        sheet.write_formula(4, 1, "=20+1", None, 21)
        sheet.write(5, 0, "Share?")
        sheet.write_number(5, 1, 0.256, book.add_format({"num_format": "0.0%"}))

    reading = xlsx.read(workbook(fill))

    assert reading.questions == (
        SingleChoice(stem="Dial?", choices=("00042", "43"), right=0),
        SingleChoice(stem="When?", choices=("14 July 1989", "1999-01-02"), right=1),
        TrueFalse(stem="Water is wet.", right=True),
        Numeric(stem="Sum?", right=Decimal(21)),
        ShortAnswer(stem="Share?", accepted=("25.6%",)),
    )
    assert reading.problems == ()


def test_formula_without_result_and_errors_name_their_cell():
    book = openpyxl.Workbook()
    book.active.append(["question", "answer"])
    book.active.append(["Sum?", "=1+1"])
    book.active.append(["Broken?", "#DIV/0!"])
    book.active["B3"].data_type = "e"
    book.active.append(["Good?", "yes"])
    out = io.BytesIO()
    book.save(out)

    reading = xlsx.read(out.getvalue())

    assert reading.questions == (TrueFalse(stem="Good?", right=True),)
    assert [(p.code, p.place, p.text) for p in reading.problems] == [
        ("table.formula", Place(line=2, row=2, cell="B2", number=1), "=1+1"),
        ("table.error", Place(line=3, row=3, cell="B3", number=2), "#DIV/0!"),
    ]


def test_every_sheet_with_our_columns_is_read_and_others_are_told():
    def fill(_book, first, second, third, hidden):
        first.write(0, 0, "Notes of mine")
        second.write_row(0, 0, ["question", "answer"])
        second.write_row(1, 0, ["Two?", "no"])
        third.write_row(2, 1, ["Frage", "Antwort"])
        third.write_row(3, 1, ["Drei?", "ja"])
        hidden.write_row(0, 0, ["question", "answer"])
        hidden.write_row(1, 0, ["Hidden?", "no"])
        hidden.hide()

    reading = xlsx.read(workbook(fill, "Notes", "One", "Zwei", "Old"))

    assert [q.stem for q in reading.questions] == ["Two?", "Drei?"]
    assert [place.part for place in reading.places] == ["One", "Zwei"]
    assert [(p.code, p.place.part) for p in reading.problems] == [("table.other-sheet", "Notes")]


@pytest.mark.case("UP-13")
def test_nothing_written_is_a_formula():
    asked = SingleChoice(stem="=1+1", choices=('=cmd|" /C calc"!A0', "@x"), right=0)

    book = openpyxl.load_workbook(io.BytesIO(xlsx.write([asked])))

    assert {cell.data_type for row in book.active.iter_rows() for cell in row} <= {
        "s",
        "inlineStr",
        "n",
    }
    assert book.active["B2"].value == "=1+1"


def test_numbers_are_written_as_numbers():
    asked = Numeric(stem="n", right=Decimal("-2.5"), tolerance=Decimal("0.1"))

    sheet = openpyxl.load_workbook(io.BytesIO(xlsx.write([asked]))).active

    assert (sheet["C2"].value, sheet["D2"].value) == (-2.5, 0.1)


def test_template_is_a_workbook_without_questions():
    reading = xlsx.read(xlsx.write([]))

    assert reading.questions == ()
    assert [p.code for p in reading.problems] == ["file.nothing-found"]


def test_same_questions_make_the_same_bytes():
    assert xlsx.write(SAMPLES) == xlsx.write(SAMPLES)


def test_workbook_written_by_hand_is_read():
    data = by_hand(
        cells(3, "question", "answer") + cells(7, "Line_x000D_&#10;break?", "Paris"),
        before='<dimension ref="A1:XFD1048576"/>',
    )

    reading = catalog.read(data)

    assert [q.stem for q in reading.questions] == ["Line\n\nbreak?"]
    assert [place.row for place in reading.places] == [7]


@pytest.mark.case("UP-07", "UP-09")
def test_hostile_workbooks_are_refused_soon():
    header = cells(1, "question", "answer")
    files = [
        by_hand(header + '<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>'),
        by_hand(header + '<row r="2"><c r="ZZZZZZZ2"><v>1</v></c></row>'),
        by_hand(header + '<row r="2"><c r="XFD2"><v>1</v></c></row>' * 500),
        by_hand(header, head="<!DOCTYPE a [<!ENTITY b 'c'>]>"),
        by_hand(header + '<row r="2"><c r="A2" t="s"><v>7</v></c></row>'),
        by_hand(header + '<row r="2"><c r="A2" s="99"><v>7</v></c></row>'),
        by_hand(header + '<row r="2"><c r="A2" t="d"><v>never</v></c></row>'),
        by_hand(header + '<row r="x"><c r="A"><v>1e999</v></c></row>'),
        by_hand("<row>" * 3_000),
    ]

    answers = read_limited([("xlsx", data) for data in files])

    assert all(answer["codes"] for answer in answers)
    assert max(answer["seconds"] for answer in answers) < 1
