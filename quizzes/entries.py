"""What somebody has typed for a question, before it is one.

The open form of the editor as a value: the fields of every kind at once, so that a
change of kind loses no word. ``entries_of`` fills it from a question, ``question_of``
makes the question or says, field by field, what is missing. Drafts keep it as JSON.

The rules are those of ``formats.question``, asked of one field at a time: all that is
wrong is told at once, and each sentence beside its field. The fields are those of
``Entries``; a mistake in a list names its row, from 0.
"""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any, assert_never

from msgspec import Struct
from msgspec.structs import replace

from quizzes.formats import numerals
from quizzes.formats.carries import kind as kind_of
from quizzes.formats.fields import split_topics
from quizzes.formats.problems import SENTENCES
from quizzes.formats.question import (
    InvalidQuestion,
    Matching,
    Numeric,
    Ordering,
    Pair,
    Picture,
    Question,
    SeveralRight,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)
from quizzes.formats.text import tidy, tidy_line

KINDS = ("single", "several", "true-false", "short", "numeric", "matching", "ordering")
LISTS = ("choices", "accepted", "pairs", "distractors", "items")
EMPTY_ROWS = {"choices": 4, "accepted": 1, "pairs": 3, "distractors": 1, "items": 3}
LONGEST = 200_000  # characters of all fields together
MOST_ROWS = 60  # of a list


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer to choose from."""

    text: str = ""
    right: bool = False


class Couple(Struct, frozen=True, forbid_unknown_fields=True):
    """Two sides that belong together."""

    left: str = ""
    right: str = ""


class Entries(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All fields as typed; nothing is judged yet."""

    kind: str  # of KINDS
    stem: str = ""
    explanation: str = ""
    choices: tuple[Choice, ...] = ()
    truth: str = ""  # "true", "false" or "" for neither
    accepted: tuple[str, ...] = ()
    number: str = ""
    tolerance: str = ""
    pairs: tuple[Couple, ...] = ()
    distractors: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    topics: str = ""  # parted by commas
    difficulty: str = "2"
    language: str = ""
    source: str = ""
    picture: str = ""  # reference
    alt: str = ""


class Mistake(Struct, frozen=True, kw_only=True):
    """What is wrong with one field, or one row of it."""

    field: str
    code: str  # of formats.problems.SENTENCES
    row: int | None = None
    values: dict[str, str | int] = {}

    @property
    def template(self) -> str:
        """The sentence before its values are filled in, for translation."""
        return SENTENCES[self.code]


class Unfinished(ValueError):
    """Raised when the fields make no question yet. ``mistakes`` are in the order of the form."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__(", ".join(mistake.code for mistake in mistakes))
        self.mistakes = tuple(mistakes)


def entries_of(question: Question) -> Entries:
    """Return the fields that make this question."""
    picture = question.picture
    common = Entries(
        kind=kind_of(question),
        stem=question.stem,
        explanation=question.explanation,
        topics=", ".join(question.topics),
        difficulty=str(question.difficulty),
        language=question.language,
        source=question.source,
        picture=picture.ref if picture else "",
        alt=picture.alt if picture else "",
    )
    match question:
        case SingleChoice(choices=choices, right=right):
            rows = tuple(Choice(text, at == right) for at, text in enumerate(choices))
            return replace(common, choices=rows)
        case SeveralRight(choices=choices, right=several):
            rows = tuple(Choice(text, at in several) for at, text in enumerate(choices))
            return replace(common, choices=rows)
        case TrueFalse(right=truth):
            return replace(common, truth="true" if truth else "false")
        case ShortAnswer(accepted=accepted):
            return replace(common, accepted=accepted)
        case Numeric(right=number, tolerance=tolerance):
            return replace(
                common,
                number=numerals.number_text(number),
                tolerance=numerals.number_text(tolerance) if tolerance else "",
            )
        case Matching(pairs=pairs, distractors=distractors):
            couples = tuple(Couple(pair.left, pair.right) for pair in pairs)
            return replace(common, pairs=couples, distractors=distractors)
        case Ordering(items=items):
            return replace(common, items=items)
        case _:
            assert_never(question)


def question_of(entries: Entries) -> Question:
    """Return the question that the fields make. Rows without a word are left out.

    Raises:
        Unfinished: with everything that is wrong.
    """
    common, mistakes = _common(entries)
    try:
        question = _ANSWERS[entries.kind](entries)
    except Unfinished as unfinished:
        raise Unfinished(_in_order([*mistakes, *unfinished.mistakes])) from None
    if mistakes:
        raise Unfinished(_in_order(mistakes))
    return replace(question, **common)


def as_kind(entries: Entries, kind: str) -> Entries:
    """Return the fields for a question of another kind; every word stays.

    Lists that the new kind needs are begun from what is there, if they are empty.
    """
    chosen = [choice for choice in entries.choices if choice.text.strip()]
    match kind:
        case "single":
            rights = [at for at, choice in enumerate(entries.choices) if choice.right]
            choices = tuple(
                Choice(choice.text, choice.right and at == rights[0])
                for at, choice in enumerate(entries.choices)
            )
            return replace(entries, kind=kind, choices=choices)
        case "short" if not entries.accepted:
            accepted = tuple(tidy_line(choice.text) for choice in chosen if choice.right)
            return replace(entries, kind=kind, accepted=accepted)
        case "ordering" if not entries.items:
            return replace(entries, kind=kind, items=tuple(choice.text for choice in chosen))
        case _:
            return replace(entries, kind=kind)


def with_rows(entries: Entries) -> Entries:
    """Return the fields with empty rows to write in where a list has none or one."""
    filled: dict[str, Any] = {}
    for name, fewest in EMPTY_ROWS.items():
        rows = getattr(entries, name)
        if len(rows) < min(2, fewest):
            filled[name] = (*rows, *(_empty_row(name) for _ in range(fewest - len(rows))))
    return replace(entries, **filled)


def add_row(entries: Entries, name: str) -> Entries:
    """Return the fields with one more empty row in the list ``name``."""
    rows = getattr(entries, name)
    return replace(entries, **{name: (*rows, _empty_row(name))[:MOST_ROWS]})


def remove_row(entries: Entries, name: str, row: int) -> Entries:
    """Return the fields without one row of the list ``name``; no such row: unchanged."""
    rows = getattr(entries, name)
    return replace(entries, **{name: tuple(r for at, r in enumerate(rows) if at != row)})


def move_row(entries: Entries, name: str, row: int, step: int) -> Entries:
    """Return the fields with a row moved by ``step``; over an end: unchanged."""
    rows = list(getattr(entries, name))
    if 0 <= row < len(rows) and 0 <= row + step < len(rows):
        rows.insert(row + step, rows.pop(row))
    return replace(entries, **{name: tuple(rows)})


def is_blank(entries: Entries) -> bool:
    """Say whether no word of a question has been typed and no picture chosen."""
    typed = [entries.stem, entries.explanation, entries.number, entries.picture, entries.alt]
    return not any(text.strip() for text in (*typed, *_listed(entries)))


def length(entries: Entries) -> int:
    """Return how many characters all fields have together."""
    values = [getattr(entries, name) for name in Entries.__struct_fields__]
    single = [value for value in values if isinstance(value, str)]
    return sum(map(len, (*single, *_listed(entries))))


def topics_of(text: str) -> tuple[str, ...]:
    """Return the topics that are written with commas between them, each once."""
    topics = (tidy_line(part) for part in split_topics(tidy(text)))
    return tuple(dict.fromkeys(topic for topic in topics if topic))


def _empty_row(name: str) -> Any:
    return {"choices": Choice(), "pairs": Couple()}.get(name, "")


def _listed(entries: Entries) -> list[str]:
    """Return the texts of all rows of all lists."""
    return [text for name in LISTS for row in getattr(entries, name) for text in _texts(row)]


def _texts(row: Choice | Couple | str) -> tuple[str, ...]:
    match row:
        case Choice(text=text):
            return (text,)
        case Couple(left=left, right=right):
            return (left, right)
        case _:
            return (row,)


# -- one field at a time ---------------------------------------------------------------------------

_DIFFICULTIES = {"1": 1, "2": 2, "3": 3}
_FIELDS: dict[str, Callable[[Entries], dict[str, Any]]] = {
    "stem": lambda e: {"stem": tidy(e.stem)},
    "explanation": lambda e: {"explanation": tidy(e.explanation)},
    "topics": lambda e: {"topics": topics_of(e.topics)},
    "difficulty": lambda e: {"difficulty": _DIFFICULTIES.get(e.difficulty, 0)},
    "language": lambda e: {"language": tidy_line(e.language)},
    "source": lambda e: {"source": tidy_line(e.source)},
    "alt": lambda e: {
        "picture": Picture(ref=e.picture, alt=tidy_line(e.alt)) if e.picture else None
    },
}


def _common(entries: Entries) -> tuple[dict[str, Any], list[Mistake]]:
    """Return the fields that every kind has, and what is wrong with them."""
    sound: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    for field, read in _FIELDS.items():
        try:
            value = read(entries)
            TrueFalse(**{"stem": "?", "right": True, **value})
        except InvalidQuestion as wrong:
            mistakes.append(Mistake(field=field, code=wrong.code, values=wrong.values))
        else:
            sound |= value
    if entries.picture and not tidy_line(entries.alt):  # one that came in a file may lack it
        mistakes.append(Mistake(field="alt", code="question.no-alt"))
    return sound, mistakes


def _in_order(mistakes: Iterable[Mistake]) -> list[Mistake]:
    fields = Entries.__struct_fields__
    return sorted(mistakes, key=lambda mistake: (fields.index(mistake.field), mistake.row or 0))


# -- the answer of each kind; every question has "?" as its text -----------------------------------

_OF_A_ROW = {
    "question.empty-choice",
    "question.too-long",
    "question.bad-text",
    "question.bad-accepted",
}
_Rows = list[tuple[int, str]]  # number of the row and its text, those without a word left out


def _single(entries: Entries) -> Question:
    rows, rights = _chosen(entries)
    if len(rights) > 1:
        raise _wrong("choices", "question.two-right")
    choices = tuple(text for _, text in rows)
    right = rights[0] if rights else 0
    question = _try("choices", rows, lambda: SingleChoice(stem="?", choices=choices, right=right))
    if not rights:
        raise _wrong("choices", "question.no-right")
    return question


def _several(entries: Entries) -> Question:
    rows, rights = _chosen(entries)
    choices = tuple(text for _, text in rows)
    return _try(
        "choices", rows, lambda: SeveralRight(stem="?", choices=choices, right=tuple(rights))
    )


def _true_false(entries: Entries) -> Question:
    if entries.truth not in ("true", "false"):
        raise _wrong("truth", "question.no-right")
    return TrueFalse(stem="?", right=entries.truth == "true")


def _short(entries: Entries) -> Question:
    rows = _written(tidy_line(text) for text in entries.accepted)
    accepted = tuple(text for _, text in rows)
    return _try("accepted", rows, lambda: ShortAnswer(stem="?", accepted=accepted))


def _numeric(entries: Entries) -> Question:
    mistakes = []
    number = _number(entries.number)
    tolerance = _number(entries.tolerance) if entries.tolerance.strip() else Decimal(0)
    if number is None:
        mistakes.append(Mistake(field="number", code="question.bad-number"))
    if tolerance is None or tolerance < 0:
        mistakes.append(Mistake(field="tolerance", code="question.bad-tolerance"))
    if number is None or tolerance is None or mistakes:
        raise Unfinished(mistakes)
    return Numeric(stem="?", right=number, tolerance=tolerance)


def _matching(entries: Entries) -> Question:
    couples = [
        (at, tidy(couple.left), tidy(couple.right)) for at, couple in enumerate(entries.pairs)
    ]
    couples = [couple for couple in couples if couple[1] or couple[2]]
    pairs = tuple(Pair(left=left, right=right) for _, left, right in couples)
    sides = [(at, text) for at, *both in couples for text in both]
    lefts = [(at, left) for at, left, _ in couples]
    _try("pairs", sides, lambda: Matching(stem="?", pairs=pairs), same=lefts)
    others = _written(tidy(text) for text in entries.distractors)
    distractors = tuple(text for _, text in others)
    rights = [(-1, pair.right) for pair in pairs]
    return _try(
        "distractors",
        others,
        lambda: Matching(stem="?", pairs=pairs, distractors=distractors),
        same=[*rights, *others],
    )


def _ordering(entries: Entries) -> Question:
    rows = _written(tidy(text) for text in entries.items)
    return _try("items", rows, lambda: Ordering(stem="?", items=tuple(text for _, text in rows)))


_ANSWERS: dict[str, Callable[[Entries], Question]] = {
    "single": _single,
    "several": _several,
    "true-false": _true_false,
    "short": _short,
    "numeric": _numeric,
    "matching": _matching,
    "ordering": _ordering,
}


def _chosen(entries: Entries) -> tuple[_Rows, list[int]]:
    """Return the choices that have words or are marked, and the positions of the right ones."""
    rows = [(at, tidy(choice.text), choice.right) for at, choice in enumerate(entries.choices)]
    kept = [row for row in rows if row[1] or row[2]]
    rights = [position for position, (*_, right) in enumerate(kept) if right]
    return [(at, text) for at, text, _ in kept], rights


def _written(texts: Iterable[str]) -> _Rows:
    return [(at, text) for at, text in enumerate(texts) if text]


def _number(text: str) -> Decimal | None:
    """Return the one number that the text means; None if it is none or might be two."""
    readings = numerals.readings(text)
    return readings[0] if len(readings) == 1 else None


def _wrong(field: str, code: str) -> Unfinished:
    return Unfinished([Mistake(field=field, code=code)])


def _try(
    field: str, rows: _Rows, make: Callable[[], Question], *, same: _Rows | None = None
) -> Question:
    """Return what ``make`` makes. ``same``: the rows that must differ, if not all of them."""
    try:
        return make()
    except InvalidQuestion as wrong:
        row = _row(wrong, rows, rows if same is None else same)
        mistake = Mistake(field=field, code=wrong.code, row=row, values=wrong.values)
        raise Unfinished([mistake]) from None


def _row(wrong: InvalidQuestion, rows: _Rows, must_differ: _Rows) -> int | None:
    """Return the row that the mistake is about, if it is about one."""
    if wrong.code == "question.same-choice":
        seen: set[str] = set()
        for at, text in must_differ:
            if text in seen:
                return at
            seen.add(text)
        return None
    if wrong.code in _OF_A_ROW:
        return next((at for at, text in rows if text == wrong.text), None)
    return None
