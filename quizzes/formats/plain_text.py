"""Plain text, as questions are typed into a document.

::

    1. Who may vote?
    a) Owners
    *b) Every citizen
    Explanation: Article 21
    Topics: rights; elections

A star marks a right choice; “Answer: b” below or a star behind does as well. Other types use lines
with a label: ``True or false: true``, ``Short answer: Paris`` (one a line),
``Number: 42`` and ``Tolerance: 0.5``, ``Match: France`` followed by ``With:
Paris`` (a ``With`` alone belongs to nothing), ``Step: first``. Labels are known
in five languages. Everything after a marker up to the next one is text, line
breaks included; a line of text that looks like a marker, and an empty one, has a
backslash in front.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from msgspec import Struct, field

from quizzes.formats import fields
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS, Carries
from quizzes.formats.fields import letter_place
from quizzes.formats.numerals import number_text, readings
from quizzes.formats.problems import Place, Refused
from quizzes.formats.question import (
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
from quizzes.formats.reading import BLOCKS_MAX, Ledger, Reading
from quizzes.formats.text import tidy, tidy_line

CARRIES = Carries(kinds=ALL_KINDS, fields=ALL_FIELDS - {"picture"}, lone_several=False)
BLOCK_MAX = 20_000


def _labels(**groups: str) -> dict[str, str]:
    return {word: key for key, words in groups.items() for word in words.split("|")}


_LABELS = _labels(
    explanation="explanation|feedback|explication|erklärung|explicación|الشرح|التفسير",
    topics="topics|topic|tags|thèmes|thème|themen|thema|temas|tema|المواضيع|الموضوع",
    difficulty="difficulty|level|difficulté|niveau|schwierigkeit|dificultad|nivel|الصعوبة",
    language="language|langue|sprache|idioma|اللغة",
    source="source|quelle|fuente|المصدر",
    truth="true or false|true/false|vrai ou faux|wahr oder falsch|verdadero o falso"
    "|صواب أو خطأ|صح أو خطأ",
    short="short answer|réponse courte|kurzantwort|respuesta corta|إجابة قصيرة",
    number="number|nombre|zahl|número|العدد|الرقم",
    tolerance="tolerance|tolérance|toleranz|tolerancia|هامش الخطأ",
    match="match|associer|zuordnen|relacionar|صل",
    **{"with": "with|avec|mit|con|مع"},
    step="step|étape|schritt|paso|الخطوة",
    answer="answer|answers|ans|correct|right answer|correct answer|correct answers|key|answer key"
    "|réponse|réponses|bonne réponse|antwort|richtige antwort|lösung|respuesta|respuesta correcta"
    "|الإجابة|الإجابة الصحيحة|الجواب",
)
_WRITTEN = {
    "explanation": "Explanation",
    "topics": "Topics",
    "difficulty": "Difficulty",
    "language": "Language",
    "source": "Source",
}
_NUMBERED = re.compile(
    r"\s*(?:(?:(?:q|question|frage|pregunta|سؤال)\s*)?\d{1,4}(?:\s?[.):]|[-–])(?:\s+|$)"
    r"|(?:question|frage|pregunta|سؤال|السؤال)\s*\d{1,4}\s*$)",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"\s*([*✓✔]?)\s*\(?([A-Za-z\u0621-\u064a])(?:\)\s*|\.\s+|\s?[-–]\s+)")
_LABEL = re.compile(
    rf"\s*({'|'.join(sorted(map(re.escape, _LABELS), key=len, reverse=True))})\s*[:：]\s*",
    re.IGNORECASE,
)
_MARKED = re.compile(rf"(?:\s*$|{_NUMBERED.pattern}|{_CHOICE.pattern}|{_LABEL.pattern})", re.I)
_ESCAPED = re.compile(rf"\\(?=\\*{_MARKED.pattern})", re.IGNORECASE)
_TO_ESCAPE = re.compile(rf"\\*{_MARKED.pattern}", re.IGNORECASE)
_BEHIND = re.compile(
    r"\s*(?:[*✓✔]|\((?:correct|right|true|juste|vrai|richtig|correcta|صحيح)\))$", re.IGNORECASE
)
_PLUS_MINUS = re.compile(r"\s*(?:±|\+/-|\+-)\s*")


def fits(question: Question) -> bool:
    """Every question fits; only pictures do not."""
    return True


def begins_a_question(line: str) -> bool:
    """Say whether a line begins with the number of a question."""
    return _NUMBERED.match(line) is not None


def has_stars(text: str) -> bool:
    """Say whether a choice is marked with a star, as in questions without numbers."""
    return any(
        (found := _CHOICE.match(line)) and found.group(1) and ")" in found.group()
        for line in text.split("\n", 400)
    )


def looks_so(text: str) -> bool:
    """Say whether the text begins with a numbered question and has markers below.

    A heading may stand before it where a star marks a choice, as in no other format.
    """
    lines = text.split("\n", 400)
    start = next((line for line in lines if line.strip()), "")
    if not begins_a_question(start):
        return has_stars(text) and any(begins_a_question(line) for line in lines)
    return any(_CHOICE.match(line) or _LABEL.match(line) for line in lines)


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions of a text."""
    ledger = Ledger()
    with ledger.file():
        drafts = _drafts(ledger.decode(data, encoding).split("\n"))
        for number, draft in enumerate(drafts, start=1):
            place = Place(line=draft.line, number=number)
            block = "\n".join(draft.lines)[:BLOCK_MAX]
            if not draft.is_numbered and not draft.choices and not draft.entries:
                ledger.problem("text.stray", place, tidy_line(block))
                continue
            with ledger.item(place, block, "text"):
                ledger.keep(_question(draft, ledger))
            if ledger.is_full:
                break
    return ledger.finish()


def write(questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return the questions as numbered text, UTF-8."""
    blocks = (_written(number, one) for number, one in enumerate(questions, start=1))
    return "\n\n".join(blocks).encode() + b"\n"


class _Entry(Struct):
    """Text behind one marker."""

    line: int
    lines: list[str]

    @property
    def text(self) -> str:
        return tidy("\n".join(self.lines))


class _Choice(_Entry):
    letter: str
    right: bool


class _Draft(Struct):
    """One question as it stands."""

    line: int
    is_numbered: bool
    stem: _Entry
    lines: list[str] = field(default_factory=list)
    choices: list[_Choice] = field(default_factory=list)
    entries: list[tuple[str, _Entry]] = field(default_factory=list)

    def all(self, label: str) -> list[str]:
        return [entry.text for name, entry in self.entries if name == label]

    def get(self, label: str) -> str:
        return "\n".join(self.all(label))

    def line_of(self, label: str) -> int:
        return next((entry.line for name, entry in self.entries if name == label), self.line)


def _drafts(lines: list[str]) -> list[_Draft]:
    drafts: list[_Draft] = []
    current: _Entry | None = None  # what a line without marker continues
    blanks = 0  # empty lines just passed
    for at, line in enumerate(lines, start=1):
        if not line.strip():
            blanks += 1
            continue
        draft = drafts[-1] if drafts else None
        numbered = _NUMBERED.match(line)
        choice = None if numbered else _CHOICE.match(line)
        label = None if numbered or choice else _LABEL.match(line)
        if choice and not _is_choice(choice, draft):
            choice = None
        if numbered or draft is None or _begins_anew(draft, blanks, choice or label):
            rest = line[numbered.end() :] if numbered else _plain(line)
            current = _Entry(at, [rest])
            draft = _Draft(line=at, is_numbered=numbered is not None, stem=current)
            drafts.append(draft)
            if len(drafts) > BLOCKS_MAX:
                break
        elif choice:
            letter = choice.group(2).casefold()
            rest = line[choice.end() :]
            current = found = _Choice(at, [rest], letter=letter, right=bool(choice.group(1)))
            draft.choices.append(found)
        elif label:
            current = _Entry(at, [line[label.end() :]])
            draft.entries.append((_LABELS[label.group(1).casefold()], current))
        else:
            assert current is not None
            current.lines += [""] * blanks + [_plain(line)]
        draft.lines += [""] * (blanks if draft.lines else 0) + [line]
        blanks = 0
    return drafts


def _begins_anew(draft: _Draft, blanks: int, marker: re.Match[str] | None) -> bool:
    """Say whether a line after blank ones is a new question without number."""
    return bool(blanks and marker is None and (draft.choices or draft.entries))


def _is_choice(found: re.Match[str], draft: _Draft | None) -> bool:
    """Tell a choice from a line that happens to begin with a letter, such as initials."""
    if draft is None:
        return False
    if found.group(1) or ")" in found.group():
        return True
    return letter_place(found.group(2)) == len(draft.choices) + 1


def _plain(line: str) -> str:
    return _ESCAPED.sub("", line, count=1) if line.startswith("\\") else line


def _question(draft: _Draft, ledger: Ledger) -> Question:
    stem = draft.stem.text
    if not stem:
        raise Refused("question.no-text")
    common: dict[str, Any] = {
        "stem": stem,
        "explanation": draft.get("explanation"),
        "topics": fields.topics(fields.split_topics(draft.get("topics")), ledger),
        "difficulty": fields.difficulty(draft.get("difficulty"), ledger),
        "language": fields.language(draft.get("language"), ledger),
        "source": fields.source(draft.get("source"), ledger),
    }
    labels = {name for name, _ in draft.entries}
    if draft.choices:
        return _choice(draft, common)
    if "truth" in labels:
        return _truth(draft, "truth", common)
    if "number" in labels:
        return _number(draft, "number", common)
    if "short" in labels:
        accepted = dict.fromkeys(tidy_line(text) for text in draft.all("short") if text)
        return ShortAnswer(**common, accepted=tuple(accepted))
    if "match" in labels or "with" in labels:
        return _matching(draft, common)
    if "step" in labels:
        return Ordering(**common, items=tuple(draft.all("step")))
    if "answer" in labels:
        return _answer(draft, common)
    raise Refused("text.no-answer", text=stem)


def _choice(draft: _Draft, common: dict[str, Any]) -> Question:
    choices = tuple(choice.text for choice in draft.choices)
    right = tuple(at for at, choice in enumerate(draft.choices) if choice.right)
    key = draft.get("answer") or draft.get("short")
    if not right and key:
        right = _key(draft, key, choices)
    elif not right:  # we write stars in front; others put them behind
        right = tuple(at for at, choice in enumerate(choices) if _BEHIND.search(choice))
        choices = tuple(_BEHIND.sub("", choice) for choice in choices)
    if not right:
        raise Refused("question.no-right", text=common["stem"])
    if len(right) > 1:
        return SeveralRight(**common, choices=choices, right=right)
    return SingleChoice(**common, choices=choices, right=right[0])


def _key(draft: _Draft, key: str, choices: tuple[str, ...]) -> tuple[int, ...]:
    """Return the positions of the choices that a line “Answer: b, c” names."""
    letters = [choice.letter for choice in draft.choices]
    named = [part.strip("().").casefold() for part in re.split(r"[\s,;&+،]+", key) if part]
    if named and all(name in letters for name in named):
        return tuple(sorted({letters.index(name) for name in named}))
    lead = _CHOICE.match(key)
    bare = key[lead.end() :] if lead else key
    for text in (key, bare):
        if text in choices:
            return (choices.index(text),)
    if lead and lead.group(2).casefold() in letters:
        return (letters.index(lead.group(2).casefold()),)
    raise Refused("question.unknown-right", Place(line=draft.line_of("answer")), key)


def _truth(draft: _Draft, label: str, common: dict[str, Any]) -> Question:
    right = fields.truth(draft.get(label))
    if right is None:
        raise Refused("question.bad-truth", Place(line=draft.line_of(label)), draft.get(label))
    return TrueFalse(**common, right=right)


def _number(draft: _Draft, label: str, common: dict[str, Any]) -> Question:
    value, *margin = _PLUS_MINUS.split(draft.get(label), maxsplit=1)
    tolerance = draft.get("tolerance") or (margin[0] if margin else "0")
    try:
        right = fields.number(value)
        around = fields.number(tolerance, "question.bad-tolerance")
    except Refused as refused:
        name = label if refused.problem.code == "question.bad-number" else "tolerance"
        place = Place(line=draft.line_of(name))
        raise Refused(refused.problem.code, place, refused.problem.text) from None
    return Numeric(**common, right=right, tolerance=around)


def _matching(draft: _Draft, common: dict[str, Any]) -> Question:
    pairs: list[Pair] = []
    others: list[str] = []
    left: _Entry | None = None
    for name, entry in draft.entries:
        if name == "match":
            if left:
                raise Refused("text.no-with", Place(line=left.line), left.text)
            left = entry
        elif name == "with" and left:
            pairs.append(Pair(left=left.text, right=entry.text))
            left = None
        elif name == "with":
            others.append(entry.text)
    if left:
        raise Refused("text.no-with", Place(line=left.line), left.text)
    return Matching(**common, pairs=tuple(pairs), distractors=tuple(others))


def _answer(draft: _Draft, common: dict[str, Any]) -> Question:
    """Return what a bare “Answer: …” makes of the question."""
    answer = draft.get("answer")
    if fields.truth(answer) is not None and answer not in ("0", "1"):
        return _truth(draft, "answer", common)
    if readings(_PLUS_MINUS.split(answer, maxsplit=1)[0]):
        return _number(draft, "answer", common)
    accepted = dict.fromkeys(tidy_line(text) for text in draft.all("answer") if text)
    return ShortAnswer(**common, accepted=tuple(accepted))


def _escaped(text: str) -> str:
    """Return text whose lines, but for the first, are no markers."""
    first, *rest = text.split("\n")
    return "\n".join([first, *(f"\\{line}" if _TO_ESCAPE.match(line) else line for line in rest)])


def _written(number: int, question: Question) -> str:
    lines = [f"{number}. {_escaped(question.stem)}"]

    def add(label: str, text: str) -> None:
        lines.append(f"{label}: {_escaped(text)}")

    match question:
        case SingleChoice() | SeveralRight():
            right = (question.right,) if isinstance(question, SingleChoice) else question.right
            for at, choice in enumerate(question.choices):
                star = "*" if at in right else ""
                lines.append(f"{star}{chr(ord('a') + at)}) {_escaped(choice)}")
        case TrueFalse():
            add("True or false", "true" if question.right else "false")
        case ShortAnswer():
            for accepted in question.accepted:
                add("Short answer", accepted)
        case Numeric():
            add("Number", number_text(question.right))
            if question.tolerance:
                add("Tolerance", number_text(question.tolerance))
        case Matching():
            for pair in question.pairs:
                add("Match", pair.left)
                add("With", pair.right)
            for other in question.distractors:
                add("With", other)
        case Ordering():
            for item in question.items:
                add("Step", item)
        case _:
            assert_never(question)
    if question.explanation:
        add(_WRITTEN["explanation"], question.explanation)
    if question.topics:
        add(_WRITTEN["topics"], "; ".join(question.topics))
    if question.difficulty != 2:
        add(_WRITTEN["difficulty"], str(question.difficulty))
    for name in ("language", "source"):
        if value := getattr(question, name):
            add(_WRITTEN[name], value)
    return "\n".join(lines)
