"""Names of students as teachers paste them: pure text work, no database.

A pasted list may come from a register, a spreadsheet or a web page. Every line
gets an answer that the teacher sees before anything is saved: kept, changed
(how) or refused (why).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

LONGEST_NAME = 60  # characters; the column of the same length is Student.name
MOST_LINES = 400  # of one paste
LONGEST_RUN = 30  # marks in a row that are put in order (UAX #15, stream-safe text)
MOST_MARKS = 3  # combining marks on one letter: enough for Hebrew and Vietnamese, not for zalgo
JOINERS = {"\u200c", "\u200d"}  # needed inside Persian and Indic names and in emoji
LOOKS = {"\ufe0f", "\ufe0e"}  # emoji or text shape of the sign before
# Signs that count as letters, marks or pictures and show nothing at all.
_BLANK = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Forms of the sign before, which few fonts know: two names that differ in them look the same.
_FORMS = {*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0x180B, 0x1810))}
_FORMS |= set(map(chr, range(0xE0100, 0xE01F0)))
_CYRILLIC = "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441"
_CYRILLIC += "\u0442\u0443\u0445\u0456\u0455\u0458\u0501\u04cf"
_GREEK = "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7"
_ARMENIAN = "\u0585\u0578\u057d\u0570"
_LISU = "\ua4d0\ua4d1\ua4d3\ua4d4\ua4d6\ua4d7\ua4d9\ua4da\ua4dc\ua4dd\ua4df\ua4e0\ua4e1"
_LISU += "\ua4e2\ua4e3\ua4e6\ua4e7\ua4ea\ua4eb\ua4ec\ua4ee\ua4f0\ua4f2\ua4f3\ua4f4"
_CHEROKEE = "\u13aa\u13a0\u13ac\u13bb\u13ab\u13e6\u13de\u13b7\u13e2"
_CHEROKEE += "\u13da\u13a2\u13d9\u13b3\u13c3\u13df\u13c0\u13a1\u13f4"
# Signs that look like others, small or as capitals, by what ``key`` takes them for.
_LOOK_ALIKES = str.maketrans(
    {
        **dict(zip(_CYRILLIC, "abekmhopctyxisjdl", strict=True)),
        **dict(zip(_GREEK, "abezhikmnoptyx", strict=True)),
        **dict(zip(_ARMENIAN, "onuh", strict=True)),
        **dict(zip(_LISU, "bpdtgkjczfmnlsrvhwxyaeiou", strict=True)),
        **dict(zip(_CHEROKEE, "adehjklmpstvwzcgrb", strict=True)),
        **dict(zip("\u0131\u0251\u0261", "iag", strict=True)),
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u02b9\u2032`", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict(zip("\u06cc\u06a9", "\u064a\u0643", strict=True)),  # Farsi yeh and keheh
        "\u0640": None,  # Arabic tatweel, which only draws a word out
    }
)
_PARTS = re.compile(r"\d+|\D+")
_UNSEEN = str.maketrans("", "", "".join(JOINERS | LOOKS | _FORMS))


class Status(StrEnum):
    """What becomes of a line."""

    KEPT = "kept"
    CHANGED = "changed"
    THERE = "there"  # already in the class
    REFUSED = "refused"
    SKIPPED = "skipped"  # the headline of a table


class Reason(StrEnum):
    """Why a line was changed, skipped or refused; one sentence each in ``selectors.rosters``."""

    BULLET = "bullet"
    COLUMNS = "columns"
    ORDER = "order"
    TITLE = "title"
    MAIL = "mail"
    SEVERAL = "several"
    SIGNS = "signs"
    SPACES = "spaces"
    TWIN = "twin"
    HEADLINE = "headline"
    THERE = "there"
    NO_LETTER = "no_letter"
    TOO_LONG = "too_long"
    TOO_MANY = "too_many"


@dataclass(frozen=True)
class Line:
    """One line of a paste that is not blank. ``name`` is empty when nothing is saved."""

    number: int  # from 1, as in the pasted text
    text: str
    status: Status
    name: str = ""
    reasons: tuple[Reason, ...] = ()


def clean(name: str) -> str:
    """The name without signs of control, direction and nothing, heaps of accents, doubled blanks.

    Idempotent. The result may be empty or longer than ``LONGEST_NAME``.
    """
    kept: list[str] = []
    marks = 0
    for sign in composed(name):
        kind = unicodedata.category(sign)
        if sign.isspace() or kind in {"Zs", "Zl", "Zp"}:
            kept.append(" ")
            marks = 0
        elif sign in JOINERS or sign in LOOKS:
            kept.append(sign)
        elif kind.startswith("C") or sign in _BLANK:
            continue
        elif kind in {"Mn", "Me"}:
            marks += 1
            if marks <= MOST_MARKS:
                kept.append(sign)
        else:
            kept.append(sign)
            marks = 0
    words = (word.strip("".join(JOINERS)) for word in "".join(kept).split(" "))
    return unicodedata.normalize("NFC", " ".join(word for word in words if word))


def composed(text: str) -> str:
    """The text in normal form C, without the marks behind the thirtieth on one letter.

    Putting the marks on a letter in order takes time with the square of their number, in
    one step for which the whole program waits: minutes for a long text of nothing else.
    """
    kept: list[str] = []
    run = 0
    for sign in text:
        run = run + 1 if unicodedata.combining(sign) else 0
        if run <= LONGEST_RUN:
            kept.append(sign)
    return unicodedata.normalize("NFC", "".join(kept))


def key(name: str) -> str:
    """Equal for names that people would take for the same."""
    plain = unicodedata.normalize("NFKC", clean(name)).casefold()
    return plain.translate(_UNSEEN).translate(_LOOK_ALIKES)


def in_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts names as people do: É beside E, Student 2 before Student 10."""
    bare = name.casefold()
    if not bare.isascii():
        bare = "".join(
            sign
            for sign in unicodedata.normalize("NFKD", name).casefold()
            if unicodedata.category(sign) != "Mn"
        )
    parts = _PARTS.findall(bare)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


def has_letter(name: str) -> bool:
    """Whether there is a letter, a digit or a picture to call the student by."""
    return any(unicodedata.category(sign)[0] in {"L", "N"} or _is_picture(sign) for sign in name)


def numbered(base: str, number: int) -> str:
    """``Ana (2)``, cut so that it still fits."""
    tail = f" ({number})"
    return base[: LONGEST_NAME - len(tail)].rstrip() + tail


def free_name(base: str, taken: Iterable[str]) -> str:
    """``base`` if nobody has it, else the first ``base (2)``, ``base (3)`` … that is free."""
    keys = {key(name) for name in taken}
    if key(base) not in keys:
        return base
    number = 2
    while key(numbered(base, number)) in keys:
        number += 1
    return numbered(base, number)


def parse(text: str, roster: Iterable[str] = ()) -> tuple[Line, ...]:
    """One ``Line`` for each pasted line that is not blank, in the order pasted.

    ``roster`` holds the names already in the class: a pasted name that is there is
    not added again; a second student of the same name is.
    """
    rows = [(number, row) for number, row in enumerate(text.splitlines(), 1) if row.strip()]
    table = _Table.of([row for _, row in rows])
    read = [_read(number, row, table) for number, row in rows]
    return tuple(_apart(read, list(roster)))


# -- one line --------------------------------------------------------------------------------------

_BULLET = re.compile(
    r"""^\s*(?:
        [-–—•*·▪‣◦●○►✓☐]+\s*          # a bullet
      | [(\[]?\d{1,4}[.)\]:]+\s*       # 1.  1)  (1)
      | \d{1,4}\s+(?=\D)               # 1 Ana
    )""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"^[\d\s./:+-]+$")
_MAIL = re.compile(r"^[^\s@]+@\S+$")
_CLASS = re.compile(r"^\d{1,2}\s?[./-]?\s?[a-zA-Z]?$")  # 7, 7c, 10/B
_TITLES = re.compile(
    r"^(?:(?:Dr|Prof|Mr|Mrs|Ms|Miss|Mme|Mlle|Monsieur|Madame|Herr|Frau)"
    r"\.?\s+)+(?=\S)",
    re.IGNORECASE,
)
_FIRST = {"first name", "firstname", "given name", "prénom", "prenom", "vorname", "الاسم الأول",
          "الاسم"}  # fmt: skip
_LAST = {"surname", "last name", "lastname", "family name", "nom", "nom de famille", "nachname",
         "familienname", "اللقب", "اسم العائلة"}  # fmt: skip
_WHOLE = {"name", "full name", "student", "pupil", "student name", "nom et prénom", "élève",
          "الاسم الكامل", "الطالب"}  # fmt: skip
_NAMES = _FIRST | _LAST | _WHOLE
_OTHER = {"no", "no.", "nr", "nr.", "#", "n°", "number", "class", "group", "e-mail", "email",
          "mail", "date of birth", "birthday", "classe", "groupe", "id", "رقم", "الصف"}  # fmt: skip


@dataclass(frozen=True)
class _Table:
    """How the columns of a paste are to be read; without a headline both are None."""

    first: int | None = None
    last: int | None = None
    headline: str | None = None

    @classmethod
    def of(cls, rows: list[str]) -> _Table:
        """Read the first row as a headline: all its cells are known words, or two and a name."""
        if not rows:
            return cls()
        cells = [clean(cell).casefold() for cell in _cells(rows[0])]
        parts = {part.strip() for part in re.split("[,،]", cells[0])}
        if len(cells) == 1 and len(parts) == 2 and parts <= _NAMES:  # "Surname, First name"
            return cls(headline=rows[0])
        words = [cell for cell in cells if cell]
        known = [word for word in words if word in _NAMES | _OTHER]
        told = len(known) > 1 and not _NAMES.isdisjoint(known)
        if not words or (len(known) < len(words) and not told):
            return cls()
        places = {cell: place for place, cell in enumerate(cells)}
        first = next((places[word] for word in cells if word in _FIRST), None)
        last = next((places[word] for word in cells if word in _LAST), None)
        whole = next((places[word] for word in cells if word in _WHOLE), None)
        if first is None and whole is not None:
            first = whole
        if first is None:  # a lone "Nom": the column holds the whole name
            first, last = last, None
        return cls(first=first, last=last, headline=rows[0])


def _cells(row: str) -> list[str]:
    for sign in ("\t", ";"):
        if sign in row:
            return [_unquoted(cell) for cell in row.split(sign)]
    return [_unquoted(row)]


def _unquoted(cell: str) -> str:
    cell = cell.strip()
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"').strip()
    return cell


def _read(number: int, row: str, table: _Table) -> Line:
    if row == table.headline:
        return Line(number, row, Status.SKIPPED, reasons=(Reason.HEADLINE,))
    reasons: list[Reason] = []
    cells = _cells(row)
    raw = _pick(cells, table)
    if len(cells) > 1:
        reasons.append(Reason.COLUMNS)
    if "@" in raw:
        reasons.append(Reason.MAIL)
        raw = " ".join(word for word in raw.split() if "@" not in word)
        if not raw:
            return Line(number, row, Status.REFUSED, reasons=(Reason.MAIL,))
    bare = _BULLET.sub("", raw, count=1)
    if bare != raw and has_letter(bare):
        reasons.append(Reason.BULLET)
        raw = bare
    if (bare := _TITLES.sub("", raw)) != raw:
        reasons.append(Reason.TITLE)
        raw = bare
    commas = raw.count(",") + raw.count("،")
    if commas > 1:
        return Line(number, row, Status.REFUSED, reasons=(Reason.SEVERAL,))
    if commas == 1:
        last, first = (part.strip() for part in re.split("[,،]", raw))
        if has_letter(last) and has_letter(first):
            reasons.append(Reason.ORDER)
            raw = f"{first} {last}"
        else:
            raw = f"{last}{first}"
    name = clean(raw)
    if name != (as_typed := composed(raw)):
        same_signs = name.replace(" ", "") == re.sub(r"\s", "", as_typed)
        reasons.append(Reason.SPACES if same_signs else Reason.SIGNS)
    if not has_letter(name):
        return Line(number, row, Status.REFUSED, reasons=(Reason.NO_LETTER,))
    if len(name) > LONGEST_NAME:
        return Line(number, row, Status.REFUSED, reasons=(Reason.TOO_LONG,))
    status = Status.CHANGED if reasons else Status.KEPT
    return Line(number, row, status, name, tuple(reasons))


def _pick(cells: list[str], table: _Table) -> str:
    """The cells that make the name, first name first."""
    if len(cells) == 1:
        return cells[0]
    named = [cells[place] for place in (table.first, table.last)
             if place is not None and place < len(cells)]  # fmt: skip
    if named:
        return " ".join(named)
    told = [cell for cell in cells if has_letter(cell) and not _MAIL.match(cell)]
    told = [cell for cell in told if not _NUMBER.match(cell) and not _CLASS.match(cell)]
    if told and re.search("[,،]", told[0]):  # "Surname, Name" in one column is whole
        return told[0]
    return " ".join(told[:2])


# -- all lines together ----------------------------------------------------------------------------


def _apart(lines: list[Line], roster: list[str]) -> Iterator[Line]:
    """Number namesakes, leave out who is in the class already, stop at the longest list."""
    twin = re.compile(r" \(\d+\)$")
    there = Counter(key(name) for name in roster)
    there.update(key(twin.sub("", name)) for name in roster if twin.search(name))
    pasted = Counter(key(line.name) for line in lines if line.name)
    fresh = {name: count - there[name] for name, count in pasted.items()}
    taken = list(roster)
    seen: Counter[str] = Counter()
    saved = 0
    for line in lines:
        if not line.name:
            yield line
            continue
        if saved >= MOST_LINES:
            yield Line(line.number, line.text, Status.REFUSED, reasons=(Reason.TOO_MANY,))
            continue
        same = key(line.name)
        seen[same] += 1
        if seen[same] <= there[same]:
            yield Line(line.number, line.text, Status.THERE, reasons=(Reason.THERE,))
            continue
        name = line.name
        if fresh[same] > 1 and not there[same]:
            name = free_name(numbered(name, seen[same]), taken)
        elif there[same]:
            name = free_name(name, taken)
        reasons = line.reasons
        status = line.status
        if name != line.name:
            reasons, status = (*reasons, Reason.TWIN), Status.CHANGED
        taken.append(name)
        saved += 1
        yield Line(line.number, line.text, status, name, reasons)


def _is_picture(sign: str) -> bool:
    return unicodedata.category(sign) == "So"
