"""CSV and TSV as teachers have them, and safe for spreadsheets."""

import csv
import io
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given

from quizzes.formats import catalog, csv_table
from quizzes.formats.problems import Place
from quizzes.formats.question import (
    Matching,
    Numeric,
    Ordering,
    Pair,
    SeveralRight,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)
from tests.quizzes.formats.samples import SAMPLES
from tests.quizzes.formats.strategies import questions, texts

CORPUS = Path(__file__).parent / "corpus" / "csv"


def read(name: str):
    return csv_table.read((CORPUS / name).read_bytes())


def test_french_sheet_in_windows_1252():
    reading = read("french_semicolons_1252.csv")

    assert reading.questions == (
        SingleChoice(
            stem="Qui élit l'Assemblée nationale ?",
            choices=("Les citoyens", "Le Sénat", "Le président"),
            right=0,
            explanation='Suffrage universel; "direct"',
            topics=("Élections", "Droits"),
            difficulty=1,
            language="fr",
        ),
        TrueFalse(stem="Où est né le vote ? À Paris.", right=False),
        SeveralRight(
            stem="Quels sont des droits ?",
            choices=("La grève", "Le vol", "La presse"),
            right=(0, 2),
            topics=("Droits",),
            difficulty=3,
            language="fr",
        ),
    )
    assert reading.encoding == "windows-1252"
    assert [p.code for p in reading.problems] == ["file.encoding-guessed"]


def test_german_sheet_with_sep_line_and_byte_order_mark():
    reading = read("german_sep_line_bom.csv")

    assert reading.questions == (
        SingleChoice(
            stem="Wie heißt das Parlament?",
            choices=("Bundestag", "Bundesrat", "Landtag"),
            right=0,
            difficulty=3,
        ),
        SingleChoice(stem="Zwei Zeilen\nin einer Zelle", choices=("ja", "nein"), right=1),
    )
    assert [place.line for place in reading.places] == [3, 4]
    assert reading.problems == ()


def test_arabic_sheet_in_windows_1256():
    reading = read("arabic_1256.csv")

    assert reading.questions == (
        SingleChoice(
            stem="من يحق له التصويت في الانتخابات؟",
            choices=("كل مواطن", "التجار فقط", "لا أحد"),
            right=0,
            language="ar",
        ),
        TrueFalse(stem="الضرائب تمول المدارس", right=True),
    )
    assert reading.encoding == "windows-1256"


def test_polish_sheet_in_windows_1250():
    reading = read("polish_1250.csv")

    assert [q.stem for q in reading.questions] == [
        "Kto może głosować w wyborach?",
        "Co to jest gmina?",
    ]
    assert [q.right for q in reading.questions] == [0, 0]
    assert reading.encoding == "windows-1250"


def test_spanish_tabs_in_utf_16():
    reading = read("spanish_tabs_utf16.tsv")

    assert reading.questions == (
        Numeric(stem="¿En qué año?", right=Decimal("1978.5"), tolerance=Decimal("0.5")),
        ShortAnswer(stem="¿Capital de España?", accepted=("Madrid",)),
        TrueFalse(stem="El voto es secreto.", right=True),
    )
    assert (reading.encoding, reading.problems) == ("utf-16", ())


def test_sheet_without_header_is_read_and_told():
    reading = read("no_header.csv")

    assert reading.questions == (
        SingleChoice(
            stem="Who makes laws?", choices=("Parliament", "The courts", "The police"), right=0
        ),
        SingleChoice(
            stem="Who judges?", choices=("Parliament", "The courts", "The police"), right=1
        ),
    )
    assert [(p.code, p.place.line) for p in reading.problems] == [("table.no-header", 1)]


def test_good_rows_are_kept_and_bad_ones_named():
    reading = read("awkward_rows.csv")

    assert reading.questions == (
        SingleChoice(
            stem='What does "<b>" mean & why?', choices=("bold", "italic", "x;y"), right=0
        ),
        SingleChoice(stem='Fifth, "quoted"', choices=("5", "6", "7"), right=0),
        SingleChoice(stem="Too wide", choices=("a", "b", "c"), right=0),
        SingleChoice(stem="=1+1 is?", choices=("2", "3", "-1"), right=0),
    )
    assert [(p.code, p.place) for p in reading.problems] == [
        ("table.unknown-column", Place(line=3, row=3, cell="3:E")),
        ("question.no-text", Place(line=5, row=5, cell="5:A", number=2)),
        ("question.no-accepted", Place(line=6, row=6, cell="6:B", number=3)),
        ("question.same-choice", Place(line=10, row=10, number=6)),
    ]


def test_rows_are_counted_as_a_spreadsheet_does_and_columns_have_its_letters():
    lines = 'question,right,choice 1,choice 2\n"Two\nlines?",1,a,b\n\nWhat?,7,a,b\n'

    reading = csv_table.read(f"sep=,\n{lines}".encode())

    assert reading.places == (Place(line=3, row=2, number=1),)
    assert [found.place for found in reading.problems] == [
        Place(line=6, row=4, cell="4:B", number=2)
    ]


def test_columns_past_the_alphabet_have_two_letters():
    header = ["question", "right", *(f"n{n}" for n in range(24)), "choice 1", "choice 2", "tags"]
    odd = ["x"] * 24
    text = csv_table.joined([[*header], ["Which?", "1", *odd, "a", "b", "t"]])

    cells = [problem.place.cell for problem in csv_table.read(text.encode()).problems]

    assert cells[0] == "1:C"
    assert cells[-1] == "1:Z"
    assert csv_table._letters(26) == "AA"
    assert csv_table._letters(119) == "DP"


def test_bad_row_can_be_mended_and_read_again():
    broken = read("awkward_rows.csv").problems[-1]

    mended = csv_table.read(broken.block.replace("a,a,b", "a,c,b").encode())

    assert broken.mend_as == "csv"
    assert mended.questions == (SingleChoice(stem="Same twice", choices=("a", "c", "b"), right=0),)


def test_rows_say_their_type_by_themselves():
    reading = read("types_by_themselves.csv")

    assert reading.questions == (
        TrueFalse(stem="Water boils at 100 °C.", right=True),
        Numeric(stem="How many members?", right=Decimal("1234.5"), tolerance=Decimal("0.5")),
        ShortAnswer(stem="Capital of Kenya?", accepted=("Nairobi",)),
        Matching(
            stem="Match",
            pairs=(Pair(left="dog", right="mammal"), Pair(left="carp", right="fish")),
            distractors=("bird",),
        ),
        SingleChoice(stem="Which number is even?", choices=("3", "4", "5"), right=1),
        SeveralRight(stem="Which?", choices=("x", "y", "z"), right=(1, 2)),
    )
    assert [(p.code, p.text) for p in reading.problems] == [("question.bad-number", "1,234")]


def test_our_own_columns():
    reading = read("own_columns.csv")

    assert reading.questions == (
        SingleChoice(
            stem="Which number is even?",
            choices=("3", "4", "5"),
            right=1,
            difficulty=1,
            language="en",
            topics=("numbers", "parity"),
        ),
        SeveralRight(stem="Ticks", choices=("a", "b", "c"), right=(0, 2), topics=("ok",)),
        Ordering(stem="Order", items=("first", "second", "third"), language="en"),
        ShortAnswer(stem="Say it", accepted=("=1+1", "@home"), language="en"),
    )
    assert [(p.code, p.place.line, p.is_note) for p in reading.problems] == [
        ("question.two-right", 3, False),
        ("note.field", 4, True),
        ("note.field", 4, True),
        ("question.unsupported", 5, False),
        ("question.bad-truth", 8, False),
        ("question.bad-number", 9, False),
        ("question.unknown-right", 10, False),
    ]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separator_is_found(separator):
    rows = [["question", "A", "B", "answer"], ["Who, what; where?", "x|y", "z", "A"]]
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(rows)

    reading = csv_table.read(out.getvalue().encode())

    assert reading.questions == (
        SingleChoice(stem="Who, what; where?", choices=("x|y", "z"), right=0),
    )


@pytest.mark.parametrize(
    "text",
    [
        "question,A,B,answer\nWho?,me,you,B",
        "Question,Option A,Option B,Correct Option\nWho?,me,you,b",
        "question,option1,option2,correct\nWho?,me,you,option2",
        "question,answer 1,answer 2,correct answer\nWho?,me,you,you",
        "QUESTION;Choice (a);Choice (b);Key\nWho?;me;you;2",
        "question\tA\tB\tright\nWho?\tme\tyou\t2",
        "Who?,me,you,B\nWho?,me,you,B",
        "السؤال,أ,ب,الإجابة\nWho?,me,you,ب",
        "سؤال,الخيار أ,الخيار ب,الإجابة الصحيحة\nWho?,me,you,٢",
        "nº,question,choice_1,choice_2,right\n1,Who?,me,you,2",
    ],
)
def test_right_choice_is_named_in_many_ways(text):
    reading = catalog.read(text.encode())

    assert set(reading.questions) == {SingleChoice(stem="Who?", choices=("me", "you"), right=1)}


def test_two_columns_without_header_are_questions_and_answers():
    reading = catalog.read(b"Capital of France?;Paris\nCapital of Italy?;Rome\n")

    assert reading.questions == (
        ShortAnswer(stem="Capital of France?", accepted=("Paris",)),
        ShortAnswer(stem="Capital of Italy?", accepted=("Rome",)),
    )


@given(texts())
def test_guarded_text_comes_back(text):
    assert csv_table.unguard(csv_table.guard(text)) == text


@pytest.mark.case("UP-13")
@given(questions(frozenset(("single", "several", "short", "matching", "ordering"))))
def test_no_cell_starts_a_formula_whatever_the_separator(asked):
    for written in (csv_table.write([asked]), csv_table.write_tabs([asked])):
        text = written.decode("utf-8-sig")
        for separator in ",;\t|":
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
                for cell in row:
                    assert not cell.lstrip('"\t').startswith(tuple("=+-@＝＋－＠")), cell


@pytest.mark.case("UP-13")
def test_numbers_stay_numbers():
    asked = Numeric(stem="How cold?", right=Decimal("-5.5"), tolerance=Decimal("0.5"))

    rows = list(csv.reader(io.StringIO(csv_table.write([asked]).decode("utf-8-sig"))))

    assert rows[1][2:4] == ["-5.5", "0.5"]


def test_written_file_opens_in_a_spreadsheet():
    written = csv_table.write(SAMPLES)

    assert written.startswith(b"\xef\xbb\xbftype,question,right,")
    assert written.count(b"\r\n") == len(SAMPLES) + 1


def test_endless_quotes_and_fields_are_answered():
    for data in (b'question,A,B,answer\n"never closed', b"question,A,B,answer\n" + b"x" * 200_000):
        reading = csv_table.read(data)

        assert reading.questions == ()
        assert not all(p.is_note for p in reading.problems)


def test_quotation_mark_that_is_never_closed_costs_one_row_alone():
    text = 'question,A,B,answer\n"Who votes?,all,some,A\n"Who, then, judges?",court,king,A\n'

    reading = catalog.read(text.encode())

    assert reading.questions == (
        SingleChoice(stem="Who, then, judges?", choices=("court", "king"), right=0),
    )
    assert [(p.code, p.place.row, p.place.cell, p.text) for p in reading.problems] == [
        ("table.open-quote", 2, "2:A", '"Who votes?')
    ]


def test_quotation_marks_around_a_word_stay():
    reading = catalog.read(b'question,A,B,answer\n"Who" votes?,all,"some" of us,A\n')

    assert reading.questions == (
        SingleChoice(stem='"Who" votes?', choices=("all", '"some" of us'), right=0),
    )


def test_header_in_words_we_do_not_know_is_no_question():
    text = "Pytanie;A;B;Odpowiedź\nKto głosuje?;każdy;nikt;A\nKto sądzi?;sąd;król;sąd\n"

    reading = catalog.read(text.encode())

    assert reading.questions == (
        SingleChoice(stem="Kto głosuje?", choices=("każdy", "nikt"), right=0),
        SingleChoice(stem="Kto sądzi?", choices=("sąd", "król"), right=0),
    )
    assert [p.code for p in reading.problems] == ["table.unknown-header"]


@pytest.mark.parametrize(
    "table",
    [
        "Question,A,B,Answer\nWho judges?,king,court,B) court\n",
        "Question,Options,Answer\nWho judges?,king; court,court\n",
        'Question,Answer options,Answer\nWho judges?,"A. king\nB. court",B\n',
        "Question,A,B\nWho judges?,king,*court\n",
        "Question,A,B\nWho judges?,king,court (correct)\n",
        "#,Question,Option 1,Option 2,Correct answer\n1,Who judges?,king,court,2\n",
        '"Question #","Question Text","Answer 1","Answer 2\n(Optional)",'
        '"Correct Answer(s)\n(Only include Answer #)"\n1,Who judges?,king,court,2\n',
    ],
)
def test_tables_of_other_tools_are_read_without_a_remark(table):
    reading = catalog.read(table.encode())

    assert reading.questions == (
        SingleChoice(stem="Who judges?", choices=("king", "court"), right=1),
    )
    assert reading.problems == ()


def test_types_may_have_hyphens():
    table = "Question,Question Type,Option 1\nWho judges?,Fill-in-the-Blank,court\n"

    assert catalog.read(table.encode()).questions == (
        ShortAnswer(stem="Who judges?", accepted=("court",)),
    )
