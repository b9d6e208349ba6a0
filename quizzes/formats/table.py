"""Questions in rows: what CSV, TSV and XLSX have in common.

Our own columns are ``type, question, right, tolerance, choice 1…, match 1…,
explanation, topics, difficulty, language, source``. Columns are known by their
names in English, French, Arabic, German and Spanish, whatever their order.
``right`` counts the choices from 1; a column named “answer” holds the letter,
the number or the text itself. Without a type the row says by itself what it is.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, assert_never

from msgspec import Struct

from quizzes.formats import fields, numerals
from quizzes.formats.carries import kind
from quizzes.formats.numerals import number_text
from quizzes.formats.problems import Place, Refused
from quizzes.formats.question import (
    CHOICES_MAX,
    Matching,
    Numeric,
    Ordering,
    Pair,
    Question,
    SeveralRight,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)
from quizzes.formats.reading import Ledger
from quizzes.formats.text import tidy, tidy_line
from quizzes.formats.text_markers import MARKS_BEFORE, without_mark

COLUMNS_MAX = 120
ROWS_MAX = 20_000
HEADER_ROWS = 12  # a header is looked for in the first rows, below titles and hints
BLOCK_MAX = 20_000
LETTERS_MAX = 8  # columns named by a letter alone
NAME_MAX = 100  # a longer cell is no name of a column


class Row(Struct, frozen=True):
    """One row: where it begins and its cells as text."""

    line: int  # from 1
    cells: Sequence[str]
    faults: Mapping[int, str] = {}  # position of a cell that has no text → code of the problem
    row: int = 0  # from 1, as spreadsheets count: cells may hold several lines; 0: as the line

    def place(self, *, cell: str = "", number: int = 0, part: str = "") -> Place:
        """Where the row stands, or one of its cells; ``number`` is the question's, from 1."""
        at = self.row or self.line
        return Place(line=self.line, row=at, cell=cell, number=number, part=part)


_COLUMNS = fields.by_word(
    type="type|kind|question type|type de question|typ|art|fragetyp|fragentyp|tipo"
    "|tipo de pregunta|نوع|النوع|نوع السؤال",
    question="question|questions|stem|question text|prompt|énoncé|enonce|intitulé"
    "|intitulé de la question|texte de la question|libellé|frage|fragen"
    "|fragetext|pregunta|preguntas|enunciado|سؤال|السؤال|نص السؤال",
    right="right|juste|richtig|correcta|الصحيح",
    answer="answer|right answer|right answers|correct|correct answer|correct answers|key"
    "|correct option|correct options|correct choice|correct choices|right option|right choice"
    "|answer key|solution|réponse|reponse|bonne réponse|bonnes réponses|réponse correcte"
    "|réponse juste|réponses correctes|réponses justes|antwort"
    "|richtige antwort|richtige antworten|lösung|respuesta"
    "|respuesta correcta|respuestas correctas|الإجابة|الاجابة|إجابة|الإجابة الصحيحة"
    "|الاجابة الصحيحة|الجواب|الجواب الصحيح",
    tolerance="tolerance|margin|tolérance|marge|toleranz|tolerancia|margen|هامش|هامش الخطأ",
    explanation="explanation|feedback|comment|rationale|explication|commentaire|erklärung"
    "|rückmeldung|explicación|comentario|الشرح|شرح|التفسير|تعليل",
    topics="topics|topic|tags|tag|category|subject|thèmes|thème|sujet|étiquettes|themen|thema"
    "|schlagwörter|temas|tema|etiquetas|الموضوع|المواضيع|الوسوم",
    difficulty="difficulty|level|difficulté|niveau|schwierigkeit|dificultad|nivel|الصعوبة|المستوى",
    language="language|lang|langue|sprache|idioma|lengua|اللغة",
    source="source|reference|quelle|fuente|المصدر|مصدر",
)
_NUMBERED = fields.by_word(
    choice="choice|option|answer|alternative|possible answer|choix|proposition|réponse|reponse"
    "|antwort|auswahl|antwortmöglichkeit|opción|opcion|respuesta|خيار|الخيار|إجابة|الإجابة|بديل",
    match="match|right side|correspondance|zuordnung|passt zu|pareja|correspondencia|المقابل|مقابل",
    wrong="wrong|wrong answer|incorrect|incorrect answer|distractor|mauvaise réponse|distracteur"
    "|falsche antwort|falsch|distraktor|respuesta incorrecta|incorrecta|إجابة خاطئة|خاطئة",
)
_TYPES = fields.by_word(
    single="single|single choice|single right|choix unique|einfachauswahl|einzelauswahl"
    "|selección única|opción única|إجابة واحدة",
    several="several|several right|multiple answers|multiple response|multiple select|checkbox"
    "|checkboxes|réponses multiples|mehrfachauswahl|varias respuestas|عدة إجابات",
    choice="choice|multiple choice|mc|mcq|qcm|choix multiple|multiple-choice|opción múltiple"
    "|selección múltiple|quiz|اختيار من متعدد",
    truth="true-false|true false|true/false|true or false|tf|t/f|boolean|vrai faux|vrai/faux"
    "|vrai ou faux|wahr falsch|wahr/falsch|richtig falsch|richtig/falsch|verdadero falso"
    "|verdadero/falso|صواب خطأ|صح خطأ|صواب أو خطأ|صح أو خطأ",
    short="short|short answer|text|fill in the blank|réponse courte|kurzantwort|kurze antwort"
    "|respuesta corta|إجابة قصيرة",
    numeric="numeric|number|numerical|numérique|nombre|zahl|numerisch|numérica|número|رقم|عددي",
    matching="matching|match|appariement|association|zuordnung|emparejamiento|relacionar|مطابقة",
    ordering="ordering|order|sequence|ordre|reihenfolge|sortieren|ordenar|orden|ترتيب",
)
_ALL_IN_ONE = fields.by_word(  # one cell for all choices
    choice="options|choices|answer options|answer choices|possible answers|propositions"
    "|choix possibles|réponses possibles|antwortmöglichkeiten|opciones|الخيارات"
)
_NUMBERED_HEAD = re.compile(r"(.*?)\s*[-_#(]?\s*(\d{1,2}|[a-z]|[أابجتدثهو])\s*\)?")
_KEY_SPLIT = re.compile(r"[\s,;/&+،]+")


_COUNTS = fields.by_word(  # columns that only count the rows
    count="#|no|nr|n°|nº|num|number|question #|question number|numéro|nummer|número|رقم|الرقم"
)
_PARTS = re.compile(r"\s*[;|\n]\s*")
_LETTERED = re.compile(r"\(?([^\W\d_]|\d{1,2})\)?\s*[.):–-]\s*(.+)", re.DOTALL)


class Columns(Struct, frozen=True):
    """Which column holds what; positions in the row from 0."""

    single: dict[str, int]  # "question" → position
    numbered: dict[str, dict[int, int]]  # "choice" → number from 1 → position
    unknown: dict[int, str]  # position → its name

    @property
    def are_named(self) -> bool:
        """Whether this row looks like a header: a question and something beside it."""
        return "question" in self.single and len(self.single) + len(self.numbered) > 1


def columns(cells: Sequence[str]) -> Columns:
    """Return what the cells would mean as a header."""
    single: dict[str, int] = {}
    numbered: dict[str, dict[int, int]] = {}
    unknown: dict[int, str] = {}
    for position, cell in enumerate(cells):
        if len(cell) > NAME_MAX:
            unknown[position] = cell
            continue
        name = _column_name(cell)
        if name in _COUNTS:
            continue
        if name in _COLUMNS and _COLUMNS[name] not in single:
            single[_COLUMNS[name]] = position
        elif group_and_number := _numbered(name):
            group, number = group_and_number
            numbered.setdefault(group, {}).setdefault(number, position)
        elif name:
            unknown[position] = cell
    return Columns(single, numbered, unknown)


def _column_name(cell: str) -> str:
    """Return the cell as the lists of names have it.

    Without hints, in brackets or behind a dash, and “answer(s)” as “answers”.
    """
    bare = re.sub(r"\s+[-–]\s.{3,}$", "", fields.folded(cell).replace("_", " "))
    bare = re.sub(r"\s*\([^()]{3,}\)$", "", bare)
    return re.sub(r"\((e?s)\)", r"\1", bare).strip(" *?")


def read_rows(
    rows: Iterable[Row],
    ledger: Ledger,
    *,
    cell_name: Callable[[int, int], str],
    block: Callable[[Sequence[str], Sequence[str]], str],
    part: str = "",
) -> None:
    """Read questions from rows into the ledger.

    ``cell_name(row, position)`` names a cell for the teacher; ``block(header,
    cells)`` is the row as text that the CSV reader can read again; ``part`` is the
    sheet, where there are several.
    """
    few = list(islice(rows, ROWS_MAX + 1))
    if len(few) > ROWS_MAX:
        ledger.problem("file.too-many", few.pop().place(part=part), limit=ROWS_MAX)
    kept = [row for row in few if row.faults or any(cell.strip() for cell in row.cells)]
    if not kept:
        raise Refused("file.nothing-found")
    if max(len(row.cells) for row in kept) > COLUMNS_MAX:
        raise Refused("table.too-wide")
    header_at = next(
        (at for at, row in enumerate(kept[:HEADER_ROWS]) if columns(row.cells).are_named), None
    )
    if header_at is None:
        found = _unnamed(kept)
        header: Sequence[str] = _names_of(found, max(len(row.cells) for row in kept))
        body = kept[1:] if _is_foreign_header(kept, found) else kept
        note = "table.no-header" if body is kept else "table.unknown-header"
        ledger.note(note, kept[0].place(part=part))
    else:
        header = kept[header_at].cells
        found = columns(header)
        body = kept[header_at + 1 :]
        for position, name in found.unknown.items():
            if any(position < len(row.cells) and row.cells[position].strip() for row in body):
                at = kept[header_at]
                cell = cell_name(at.row or at.line, position)
                place = at.place(cell=cell, part=part)
                ledger.note("table.unknown-column", place, name, what=name[:60])
    for number, row in enumerate(body, start=1):
        place = row.place(number=number, part=part)
        with ledger.item(place, block(header, row.cells)[:BLOCK_MAX], "csv"):
            reader = _RowReader(row, found, ledger, cell_name, part)
            ledger.keep(reader.question())
        if ledger.is_full:
            break


def write_rows(questions: Sequence[Question]) -> list[list[str]]:
    """Return header and rows. Cells that are numbers are so by ``is_number_cell``."""
    choices = max((len(_choices(one)) for one in questions), default=2)
    matches = max((len(_matches(one)) for one in questions), default=0)
    header = [
        "type",
        "question",
        "right",
        "tolerance",
        *(f"choice {number}" for number in range(1, max(choices, matches) + 1)),
        *(f"match {number}" for number in range(1, matches + 1)),
        "explanation",
        "topics",
        "difficulty",
        "language",
        "source",
    ]
    rows = [header]
    for one in questions:
        tolerance = number_text(one.tolerance) if isinstance(one, Numeric) else ""
        rows.append(
            [
                kind(one),
                one.stem,
                _right(one),
                tolerance,
                *_padded(_choices(one), max(choices, matches)),
                *_padded(_matches(one), matches),
                one.explanation,
                "; ".join(one.topics),
                str(one.difficulty),
                one.language,
                one.source,
            ]
        )
    return rows


def is_number_cell(header: str, row: Sequence[str]) -> bool:
    """Say whether a written cell is a number rather than text."""
    return header in ("difficulty", "tolerance") or (header == "right" and row[0] == "numeric")


class _RowReader:
    """One row as a question."""

    def __init__(
        self,
        row: Row,
        found: Columns,
        ledger: Ledger,
        cell_name: Callable[[int, int], str],
        part: str,
    ) -> None:
        self.row, self.found, self.ledger = row, found, ledger
        self.cell_name, self.part = cell_name, part

    def cell(self, position: int | None) -> str:
        if position is None or position >= len(self.row.cells):
            return ""
        if position in self.row.faults:
            raise Refused(self.row.faults[position], self._at(position), self.row.cells[position])
        return tidy(self.row.cells[position])

    def get(self, column: str) -> str:
        return self.cell(self.found.single.get(column))

    def place(self, column: str) -> Place:
        return self._at(self.found.single.get(column))

    def _at(self, position: int | None) -> Place:
        at = self.row.row or self.row.line
        cell = "" if position is None else self.cell_name(at, position)
        return self.row.place(cell=cell, part=self.part)

    def series(self, group: str) -> dict[int, str]:
        """The filled cells of a numbered group by their number."""
        cells = sorted(self.found.numbered.get(group, {}).items())
        return {number: text for number, at in cells if (text := self.cell(at))}

    def question(self) -> Question:
        stem = self.get("question")
        if not stem:
            raise Refused("question.no-text", self.place("question"))
        common: dict[str, Any] = {
            "stem": stem,
            "explanation": self.get("explanation"),
            "topics": fields.topics(fields.split_topics(self.get("topics")), self.ledger),
            "difficulty": fields.difficulty(self.get("difficulty"), self.ledger),
            "language": fields.language(self.get("language"), self.ledger),
            "source": fields.source(self.get("source"), self.ledger),
        }
        match self._type():
            case "truth":
                return self._truth(common)
            case "short":
                return self._short(common)
            case "numeric":
                return self._numeric(common)
            case "matching":
                return self._matching(common)
            case "ordering":
                return Ordering(**common, items=tuple(self.series("choice").values()))
            case group:
                return self._choice(common, group)

    def _type(self) -> str:
        word = fields.folded(self.get("type"))
        if word:
            known = _TYPES.get(word) or _TYPES.get(word.replace("-", " "))
            if known is None:
                raise Refused("question.unsupported", self.place("type"), word, type=word)
            return known
        if self.series("match"):
            return "matching"
        if self.series("choice") or self.series("wrong"):
            return "choice"
        given = self._given()
        if fields.truth(given) is not None and given not in ("0", "1"):
            return "truth"
        return "numeric" if numerals.readings(given) else "short"

    def _given(self) -> str:
        return self.get("right") or self.get("answer")

    def _key_place(self) -> Place:
        return self.place("right" if "right" in self.found.single else "answer")

    def _truth(self, common: dict[str, Any]) -> Question:
        right = fields.truth(self._given())
        if right is None:
            raise Refused("question.bad-truth", self._key_place(), self._given())
        return TrueFalse(**common, right=right)

    def _short(self, common: dict[str, Any]) -> Question:
        texts = [self._given(), *self.series("choice").values()]
        accepted = dict.fromkeys(tidy_line(text) for text in texts if text)
        if not accepted:
            raise Refused("question.no-accepted", self._key_place())
        return ShortAnswer(**common, accepted=tuple(accepted))

    def _numeric(self, common: dict[str, Any]) -> Question:
        tolerance = self.get("tolerance") or "0"
        try:
            right = fields.number(self._given())
        except Refused:
            raise Refused("question.bad-number", self._key_place(), self._given()) from None
        try:
            margin = fields.number(tolerance)
        except Refused:
            raise Refused("question.bad-tolerance", self.place("tolerance"), tolerance) from None
        return Numeric(**common, right=right, tolerance=margin)

    def _matching(self, common: dict[str, Any]) -> Question:
        lefts, rights = self.series("choice"), self.series("match")
        if len(lefts) < 2:
            raise Refused("question.few-pairs", self._at(None))
        if missing := [text for number, text in lefts.items() if number not in rights]:
            raise Refused("question.empty-choice", self._at(None), missing[0])
        pairs = tuple(Pair(left=text, right=rights[number]) for number, text in lefts.items())
        others = tuple(text for number, text in rights.items() if number not in lefts)
        return Matching(**common, pairs=pairs, distractors=others)

    def _choice(self, common: dict[str, Any], group: str) -> Question:
        choices = self.series("choice")
        wrong = self.series("wrong")
        if wrong and not choices:
            texts = (self._given(), *wrong.values())
            if not texts[0]:
                raise Refused("question.no-right", self._key_place())
            return SingleChoice(**common, choices=texts, right=0)
        if len(self.found.numbered.get("choice", ())) == 1:
            choices = _in_one_cell(choices)
        if "right" in self.found.single or "answer" in self.found.single:
            right = self._key(choices)
        else:
            choices, right = self._marked(choices)
        if group == "single" and len(right) > 1:
            raise Refused("question.two-right", self._key_place(), self._given())
        if group == "several" or len(right) > 1:
            return SeveralRight(**common, choices=tuple(choices.values()), right=right)
        return SingleChoice(**common, choices=tuple(choices.values()), right=right[0])

    def _marked(self, choices: dict[int, str]) -> tuple[dict[int, str], tuple[int, ...]]:
        """Return the choices without the stars or ticks at the right ones, and these."""
        bare = {number: _unmarked(text) for number, text in choices.items()}
        right = tuple(at for at, (_, is_right) in enumerate(bare.values()) if is_right)
        if not right:
            raise Refused("question.no-right", self._key_place())
        return {number: text for number, (text, _) in bare.items()}, right

    def _key(self, choices: dict[int, str]) -> tuple[int, ...]:
        """Return the positions of the right choices."""
        given = self._given()
        if not given:
            raise Refused("question.no-right", self._key_place())
        numbers = list(choices)
        by_text = {text: number for number, text in choices.items()}
        marks = [_mark(part) for part in _KEY_SPLIT.split(given) if part]
        by_mark = sorted({mark for mark in marks if mark})
        marks_fit = len(marks) > 0 and all(mark in choices for mark in marks)
        text_first = "right" not in self.found.single
        if given in by_text and (text_first or not marks_fit):
            return (numbers.index(by_text[given]),)
        if marks_fit:
            return tuple(numbers.index(mark) for mark in by_mark)
        parts = [part for part in re.split(r"\s*[;|\n]\s*", given) if part]
        if parts and all(part in by_text for part in parts):
            return tuple(sorted({numbers.index(by_text[part]) for part in parts}))
        named = _numbered(fields.folded(given))  # “option 2”, the name of the column
        if named and named[0] == "choice" and named[1] in choices:
            return (numbers.index(named[1]),)
        alike = {fields.folded(text): number for text, number in by_text.items()}
        if fields.folded(given) in alike:
            return (numbers.index(alike[fields.folded(given)]),)
        lettered = _LETTERED.fullmatch(given)  # “B) the text of B”
        mark = _mark(lettered.group(1)) if lettered else 0
        if lettered and fields.folded(lettered.group(2)) == fields.folded(choices.get(mark, "")):
            return (numbers.index(mark),)
        raise Refused("question.unknown-right", self._key_place(), given)


def _unmarked(choice: str) -> tuple[str, bool]:
    """Return a choice without the mark before or behind it, and whether there was one."""
    if choice[:1] in MARKS_BEFORE:
        return choice[1:].lstrip(), True
    return without_mark(choice)


def _in_one_cell(choices: dict[int, str]) -> dict[int, str]:
    """Return the choices that one cell holds, with semicolons, bars or line breaks between."""
    parts = [part for text in choices.values() for part in _PARTS.split(text) if part]
    named = [_LETTERED.fullmatch(part) for part in parts]
    if all(one and _mark(one.group(1)) == at for at, one in enumerate(named, start=1)):
        parts = [one.group(2) for one in named if one]
    return dict(enumerate(parts, start=1)) if len(parts) > 1 else choices


def _is_foreign_header(rows: Sequence[Row], found: Columns) -> bool:
    """Say whether the first row names columns in words that we do not know.

    Its last cell says no right answer, while those below it do.
    """
    if len(rows) < 2 or len(found.numbered.get("choice", ())) < 2:
        return False
    return not _says_what_is_right(rows[0]) and all(map(_says_what_is_right, rows[1:12]))


def _says_what_is_right(row: Row) -> bool:
    *others, last = row.cells
    key = tidy(last)
    return bool(key) and (0 < _mark(key) < len(others) or key in map(tidy, others[1:]))


def _mark(part: str) -> int:
    """Return the number of a choice named by a number or a letter, or 0."""
    bare = part.strip("().*").casefold()
    if bare.isdecimal() and len(bare) <= 2:
        return int(bare)
    return fields.letter_place(bare)


def _numbered(name: str) -> tuple[str, int] | None:
    """Return the group and number of a header such as “choice 3” or “B”."""
    if 0 < fields.letter_place(name) <= LETTERS_MAX:
        return "choice", fields.letter_place(name)
    if name in _ALL_IN_ONE:
        return _ALL_IN_ONE[name], 1
    found = _NUMBERED_HEAD.fullmatch(name)
    if found and found.group(1) in _NUMBERED:
        return _NUMBERED[found.group(1)], _mark(found.group(2))
    if name in _NUMBERED and name not in _COLUMNS:
        return _NUMBERED[name], 1
    return None


def _unnamed(rows: Sequence[Row]) -> Columns:
    """Return the columns of a table without header: question, answers, right answer."""
    width = max(len(row.cells) for row in rows)
    if width < 2:
        raise Refused("table.no-question-column", rows[0].place())
    numbered = {position: position for position in range(1, width - 1)}
    return Columns(
        {"question": 0, "answer": width - 1}, {"choice": numbered} if numbered else {}, {}
    )


def _names_of(found: Columns, width: int) -> list[str]:
    names = [""] * width
    for name, position in found.single.items():
        names[position] = name
    for group, numbers in found.numbered.items():
        for number, position in numbers.items():
            names[position] = f"{group} {number}"
    return names


def _padded(texts: Sequence[str], size: int) -> list[str]:
    return [*texts, *[""] * (size - len(texts))]


def _choices(question: Question) -> tuple[str, ...]:
    match question:
        case SingleChoice() | SeveralRight():
            return question.choices
        case ShortAnswer():
            return question.accepted
        case Matching():
            return tuple(pair.left for pair in question.pairs)
        case Ordering():
            return question.items
        case TrueFalse() | Numeric():
            return ()
        case _:
            assert_never(question)


def _matches(question: Question) -> tuple[str, ...]:
    if not isinstance(question, Matching):
        return ()
    return (*(pair.right for pair in question.pairs), *question.distractors)


def _right(question: Question) -> str:
    match question:
        case SingleChoice():
            return str(question.right + 1)
        case SeveralRight():
            return ", ".join(str(index + 1) for index in question.right)
        case TrueFalse():
            return "true" if question.right else "false"
        case Numeric():
            return number_text(question.right)
        case ShortAnswer() | Matching() | Ordering():
            return ""
        case _:
            assert_never(question)


assert CHOICES_MAX * 4 < COLUMNS_MAX
