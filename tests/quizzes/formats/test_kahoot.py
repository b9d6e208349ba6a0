"""The quiz sheet of Kahoot, as people fill it in."""

import io

import openpyxl

from quizzes.formats import catalog, kahoot
from quizzes.formats.problems import Place
from quizzes.formats.question import SeveralRight, SingleChoice

HEADER = (
    None,
    "Question - max 120 characters",
    "Answer 1 - max 75 characters",
    "Answer 2 - max 75 characters",
    "Answer 3 - max 75 characters",
    "Answer 4 - max 75 characters",
    "Time limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs",
    "Correct answer(s) - choose at least one",
)


def filled(*rows: tuple) -> bytes:
    """The template as it is downloaded, with rows below its header."""
    book = openpyxl.Workbook()
    book.active["B2"] = "Quiz template"
    book.active["B3"] = "Add questions, at least two answer alternatives"
    for at, row in enumerate((HEADER, *rows)):
        for column, value in enumerate(row, start=1):
            book.active.cell(row=8 + at, column=column, value=value)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_filled_in_template():
    reading = catalog.read(
        filled(
            (1, "Who may vote?", "Owners", "Every citizen", None, None, 20, 2),
            (2, "Which are rights?", "Speech", "Theft", "Press", None, 30, "1,3"),
            (3, "Which are even?", 1, 2, 3, 4, 30, 2.4),
            (4, None, None, None, None, None, None, None),
            (5, "No key", "a", "b", None, None, 20, None),
            (6, "Key on an empty answer", "a", "b", None, None, 20, "4"),
            (7, None, "a", "b", None, None, 20, "1"),
            (8, "One answer", "a", None, None, None, 20, 1),
        )
    )

    assert reading.questions == (
        SingleChoice(stem="Who may vote?", choices=("Owners", "Every citizen"), right=1),
        SeveralRight(stem="Which are rights?", choices=("Speech", "Theft", "Press"), right=(0, 2)),
        SeveralRight(stem="Which are even?", choices=("1", "2", "3", "4"), right=(1, 3)),
    )
    assert [(p.code, p.place) for p in reading.problems] == [
        ("question.no-right", Place(line=13, row=13, cell="H13", number=4)),
        ("question.unknown-right", Place(line=14, row=14, cell="H14", number=5)),
        ("question.no-text", Place(line=15, row=15, cell="B15", number=6)),
        ("question.few-choices", Place(line=16, row=16, number=7)),
    ]


def test_bad_row_can_be_mended_and_read_again():
    broken = kahoot.read(filled((1, "No key", "a", "b", None, None, 20, None))).problems[0]

    mended = catalog.read(broken.block.rstrip().encode() + b"2\n", key=broken.mend_as)

    assert mended.questions == (SingleChoice(stem="No key", choices=("a", "b"), right=1),)


def test_written_sheet_has_the_layout_of_the_template():
    asked = SeveralRight(stem="Which?", choices=("a", "b", "c"), right=(0, 2))

    sheet = openpyxl.load_workbook(io.BytesIO(kahoot.write([asked]))).active

    assert tuple(cell.value for cell in sheet[8]) == HEADER
    assert [cell.value for cell in sheet[9]] == [1, "Which?", "a", "b", "c", None, 20, "1,3"]


def test_questions_over_the_limits_are_told_before_writing():
    long = SingleChoice(stem="s" * 121, choices=("a", "b"), right=0)
    wide = SingleChoice(stem="s", choices=("a", "b", "c", "d", "e"), right=0)

    told = catalog.FORMATS["kahoot"].losses([long, wide])

    assert [p.code for p in told] == ["write.shape", "write.shape"]


def test_another_workbook_is_answered_in_words():
    out = io.BytesIO()
    openpyxl.Workbook().save(out)

    assert [p.code for p in kahoot.read(out.getvalue()).problems] == ["table.no-question-column"]


def test_the_sheet_saved_as_csv_takes_no_time_limit_for_an_answer():
    sheet = (
        "Question - max 120 characters,Answer 1 - max 75 characters,Answer 2 - max 75 characters,"
        "Answer 3,Answer 4,Time limit (sec) – 5 or 20,Correct answer(s) - choose at least one\n"
        "Who votes?,Citizens,Nobody,,,20,1\n"
    )

    (question,) = catalog.read(sheet.encode()).questions

    assert question == SingleChoice(stem="Who votes?", choices=("Citizens", "Nobody"), right=0)
