"""Pasted lists of names: what teachers paste, and what anybody could."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, strategies as st

from classroom.names import (
    LONGEST_NAME,
    MOST_LINES,
    Line,
    Reason,
    Status,
    clean,
    free_name,
    has_letter,
    in_order,
    key,
    numbered,
    parse,
)

ANY_TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=120)
NAMES = st.sampled_from(["Ana", "ana", "Bilal", "محمد", "Zoë", "José María", "O’Neill", "李明"])


def names(text: str, roster: tuple[str, ...] = ()) -> list[str]:
    return [line.name for line in parse(text, roster)]


@pytest.mark.parametrize(
    ("pasted", "name", "reasons"),
    [
        ("Amina", "Amina", ()),
        ("1. Amina", "Amina", (Reason.BULLET,)),
        ("12) Amina", "Amina", (Reason.BULLET,)),
        ("(3) Amina", "Amina", (Reason.BULLET,)),
        ("4 Amina", "Amina", (Reason.BULLET,)),
        ("• Amina", "Amina", (Reason.BULLET,)),
        ("- Amina", "Amina", (Reason.BULLET,)),
        ("٣. أمينة", "أمينة", (Reason.BULLET,)),
        ("Diallo, Amina", "Amina Diallo", (Reason.ORDER,)),
        ("1. Diallo, Amina", "Amina Diallo", (Reason.BULLET, Reason.ORDER)),
        ('"Diallo, Amina"', "Amina Diallo", (Reason.ORDER,)),
        ("ديالو، أمينة", "أمينة ديالو", (Reason.ORDER,)),
        ("Amina\tDiallo", "Amina Diallo", (Reason.COLUMNS,)),
        ("7\tAmina\tamina@school.example\t12.05.2013", "Amina", (Reason.COLUMNS,)),
        ("Amina;Diallo;7c", "Amina Diallo", (Reason.COLUMNS,)),
        ("Amina \t", "Amina", (Reason.COLUMNS,)),
        ("  Amina   Diallo ", "Amina Diallo", (Reason.SPACES,)),
        ("Am\u202eina\u202c", "Amina", (Reason.SIGNS,)),
        ("Amina\u200b", "Amina", (Reason.SIGNS,)),
        ("Ann-Marie O'Neill", "Ann-Marie O'Neill", ()),
        ("Jean 2", "Jean 2", ()),
        ("Zoë 🌟", "Zoë 🌟", ()),
        ("Dr. Weiß, Anneliese", "Anneliese Weiß", (Reason.TITLE, Reason.ORDER)),
        ("Prof. Dr. Graf, Max", "Max Graf", (Reason.TITLE, Reason.ORDER)),
        ("Mme Amina Diallo", "Amina Diallo", (Reason.TITLE,)),
        ("Drake Amina", "Drake Amina", ()),
        ("Herr, Amina", "Amina Herr", (Reason.ORDER,)),
        ("Diallo, Amina;7c", "Amina Diallo", (Reason.COLUMNS, Reason.ORDER)),
        ("7c;Amina", "Amina", (Reason.COLUMNS,)),
        ("Amina <amina@school.example>", "Amina", (Reason.MAIL,)),
        ("👩‍🚀", "👩‍🚀", ()),
    ],
)
def test_line_is_read_as_people_mean_it(pasted, name, reasons):
    status = Status.CHANGED if reasons else Status.KEPT

    assert parse(pasted) == (Line(1, pasted, status, name, reasons),)


@pytest.mark.parametrize(
    ("pasted", "reason"),
    [
        ("---", Reason.NO_LETTER),
        ("...", Reason.NO_LETTER),
        ("x" * 61, Reason.TOO_LONG),
        ("amina@school.example", Reason.MAIL),
        ("Ana, Bilal, Chloé", Reason.SEVERAL),
    ],
)
def test_line_that_is_no_name_is_refused_with_the_reason(pasted, reason):
    assert parse(pasted) == (Line(1, pasted, Status.REFUSED, reasons=(reason,)),)


def test_name_of_sixty_letters_is_kept():
    assert names("ü" * LONGEST_NAME) == ["ü" * LONGEST_NAME]


def test_blank_lines_are_left_out_and_lines_keep_their_numbers():
    assert [(line.number, line.name) for line in parse("\nAna\n\n  \nBilal\n")] == [
        (2, "Ana"),
        (5, "Bilal"),
    ]


@pytest.mark.parametrize(
    ("headline", "row", "name"),
    [
        ("Surname\tFirst name\tClass", "Diallo\tAmina\t7c", "Amina Diallo"),
        ("No.;Name;E-mail", "1;Amina Diallo;a@b.example", "Amina Diallo"),
        ("Nom;Prénom", "Diallo;Amina", "Amina Diallo"),
        ("Nom", "Diallo", "Diallo"),
        ("Nr\tNachname\tVorname\tKonfession", "1\tDiallo\tAmina\t-", "Amina Diallo"),
        ("Surname, First name", "Diallo, Amina", "Amina Diallo"),
    ],
)
def test_headline_of_a_table_says_which_column_is_which(headline, row, name):
    lines = parse(f"{headline}\n{row}")

    assert (lines[0].status, lines[0].reasons) == (Status.SKIPPED, (Reason.HEADLINE,))
    assert lines[1].name == name


def test_namesakes_are_kept_apart_by_numbers():
    assert names("Ana\nBilal\nana\nANA") == ["Ana (1)", "Bilal", "ana (2)", "ANA (3)"]


def test_name_in_the_roster_is_not_added_again_but_its_namesake_is():
    lines = parse("Ana\nAna\nBilal", ["Ana", "Bilal"])

    assert [(line.status, line.name) for line in lines] == [
        (Status.THERE, ""),
        (Status.CHANGED, "Ana (2)"),
        (Status.THERE, ""),
    ]


def test_numbered_namesakes_of_the_roster_are_known_again():
    assert {line.status for line in parse("Ana\nAna", ["Ana (1)", "Ana (2)"])} == {Status.THERE}


def test_list_that_is_too_long_is_cut_with_the_reason():
    lines = parse("\n".join(f"Student {letter}{n}" for letter in "AB" for n in range(250)))

    assert sum(1 for line in lines if line.name) == MOST_LINES
    assert lines[-1].reasons == (Reason.TOO_MANY,)


@pytest.mark.case("WS-20")
def test_heaps_of_accents_are_cut_down():
    zalgo = "A" + "\u0301\u0316\u0317\u0318\u0319" * 20 + "na"

    assert len(clean(zalgo)) <= 6
    assert clean("מֹשֶׁה") == unicodedata.normalize("NFC", "מֹשֶׁה")


@pytest.mark.case("WS-20")
@given(ANY_TEXT)
def test_clean_name_holds_no_control_or_direction_signs_and_stays_clean(text):
    name = clean(text)

    allowed = {"\u200c", "\u200d"}
    assert all(unicodedata.category(s)[0] != "C" or s in allowed for s in name)
    assert name == clean(name)
    assert name == name.strip()


@given(
    st.lists(st.one_of(ANY_TEXT, NAMES), max_size=30), st.lists(NAMES, max_size=4, unique_by=key)
)
def test_every_saved_name_is_good_and_unlike_all_others(rows, roster):
    text = "\n".join(rows)

    lines = parse(text, roster)

    saved = [line.name for line in lines if line.name]
    assert all(has_letter(name) and len(name) <= LONGEST_NAME for name in saved)
    assert len({key(name) for name in [*saved, *roster]}) == len(saved) + len(roster)
    assert len(lines) == sum(1 for row in text.splitlines() if row.strip())
    assert all(line.reasons for line in lines if line.status is not Status.KEPT)


@given(st.lists(NAMES, max_size=12))
def test_pasting_the_same_list_again_adds_nobody(rows):
    text = "\n".join(rows)
    roster = [line.name for line in parse(text) if line.name]

    assert [line.name for line in parse(text, roster) if line.name] == []


@given(st.text(alphabet="abc", min_size=55, max_size=60), st.integers(1, 99))
def test_number_behind_a_long_name_still_fits(name, number):
    assert len(numbered(name, number)) <= LONGEST_NAME


@pytest.mark.case("AZ-14")
@pytest.mark.parametrize(
    "name",
    [
        "\N{CYRILLIC CAPITAL LETTER A}mina",
        "\N{LISU LETTER A}mina",
        "\N{CHEROKEE LETTER GO}mina",
        "Am\N{LATIN SMALL LETTER DOTLESS I}na",
        "Amin\N{LATIN SMALL LETTER ALPHA}",
        "Am\u200dina",
        "Amina\N{VARIATION SELECTOR-1}",
        "Am\N{COMBINING GRAPHEME JOINER}ina",
        "Amina\N{HANGUL FILLER}",
        "\N{BRAILLE PATTERN BLANK}Amina",
        "Amina\N{VARIATION SELECTOR-17}",
    ],
)
def test_name_that_looks_the_same_is_the_same(name):
    assert key(name) == key("Amina")
    assert key(name) != key("Amira")


@pytest.mark.case("AZ-14")
@pytest.mark.parametrize(
    ("one", "other"),
    [("O'Neill", "O’Neill"), ("Anne-Marie", "Anne‑Marie"), ("محمد", "محـمد"), ("علي", "علی")],
)
def test_name_of_other_signs_that_look_the_same_is_the_same(one, other):
    assert key(one) == key(other)


@pytest.mark.parametrize(
    "name", ["\N{HANGUL FILLER}", "\N{BRAILLE PATTERN BLANK}", "\N{HALFWIDTH HANGUL FILLER}" * 3]
)
def test_name_that_shows_nothing_is_none(name):
    assert not has_letter(clean(name))


def test_names_are_sorted_as_people_sort_them():
    names = ["Student 10", "Zoë", "Élodie", "elif", "Student 2", "Ana (2)", "Ana (1)", "محمد"]

    assert sorted(names, key=in_order) == [
        "Ana (1)", "Ana (2)", "elif", "Élodie", "Student 2", "Student 10", "Zoë", "محمد",
    ]  # fmt: skip


def test_free_name_is_the_first_that_nobody_has():
    assert free_name("Ana", ["Bilal"]) == "Ana"
    assert free_name("Ana", ["ana", "Ana (2)"]) == "Ana (3)"


@pytest.mark.case("WS-09")
@pytest.mark.parametrize(
    "pasted",
    [
        "A" + "\u0323\u0301" * 16_000,  # marks of two kinds, to be put in order
        "A" + "\u302e\U0001d165" * 16_000,  # such marks that take room of their own
        "A" + "@" * 32_000 + " B\tC",
    ],
)
def test_long_paste_is_read_in_no_time(pasted):
    began = time.process_time()

    parse(pasted)

    assert time.process_time() - began < 2  # with the square of its length: 20 seconds and more


def test_marks_that_a_name_can_have_stay():
    assert clean("A\u0301\u0323\u0302") == unicodedata.normalize("NFC", "A\u0301\u0323\u0302")
