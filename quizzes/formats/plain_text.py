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

How lines begin is in ``text_markers``, how they are cut into questions, and what is
made of lists and keys that follow no such rule, in ``text_drafts``.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from quizzes.formats import fields
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS, Carries
from quizzes.formats.numerals import number_text, readings
from quizzes.formats.problems import Place, Refused
from quizzes.formats.question import (
    InvalidQuestion,
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
from quizzes.formats.reading import Ledger, Reading
from quizzes.formats.text import tidy_line
from quizzes.formats.text_drafts import Draft, Entry, drafts
from quizzes.formats.text_markers import CHOICE, LABEL, NUMBERED, escaped, without_mark

CARRIES = Carries(kinds=ALL_KINDS, fields=ALL_FIELDS - {"picture"}, lone_several=False)
BLOCK_MAX = 20_000
END_MAX = 60  # of a question: how far from its end a word for true or false is looked for
LOOK_LINES = 400  # enough to know the format

_WRITTEN = {
    "explanation": "Explanation",
    "topics": "Topics",
    "difficulty": "Difficulty",
    "language": "Language",
    "source": "Source",
}
_PLUS_MINUS = re.compile(r"\s*(?:±|\+/-|\+-)\s*")
_LEAD_LETTER = re.compile(r"\(?([A-Za-z\u0621-\u064a])\)?(?=\s*[(,:;.\u2013\u2014-])")
_TRUTH_END = re.compile(  # “The sky is blue. (T)”, “The sky is blue. – false”
    r"(?:\s*[(\[]\s*(?P<in>[^\W\d_]{1,9})\s*[)\]]"
    r"|(?:\s+[-–—:=]\s*|\t\s*| {2,})(?P<cut>[^\W\d_]{1,9})"
    r"|(?<=[.!?…؟])\s+(?P<after>[^\W\d_]{2,9}))\s*\.?$"
)
_TRUTH_CUE = re.compile(
    r"\n\W*(?:true\s*(?:/|or)\s*false|t\s*/\s*f|vrai\s*(?:/|ou)\s*faux|v\s*/\s*f"
    r"|(?:wahr|richtig)\s*(?:/|oder)\s*falsch|verdadero\s*(?:/|o)\s*falso"
    r"|(?:صواب|صح)\s*(?:/|أو|أم)\s*خطأ)\W*$",
    re.IGNORECASE,
)


def fits(question: Question) -> bool:
    """Every question fits; only pictures do not."""
    return True


def begins_a_question(line: str) -> bool:
    """Say whether a line begins with the number of a question."""
    return NUMBERED.match(line) is not None


def has_stars(text: str) -> bool:
    """Say whether a choice is marked with a star, as in questions without numbers."""
    return any(
        (found := CHOICE.match(line)) and found.group("mark") and ")" in found.group()
        for line in text.split("\n", LOOK_LINES)
    )


def looks_so(text: str) -> bool:
    """Say whether the text begins with a numbered question and has markers below.

    A heading may stand before it where a star marks a choice, as in no other format.
    """
    lines = text.split("\n", LOOK_LINES)
    start = next((line for line in lines if line.strip()), "")
    if not begins_a_question(start):
        return has_stars(text) and any(begins_a_question(line) for line in lines)
    return any(CHOICE.match(line) or LABEL.match(line) for line in lines)


def reads_some(text: str) -> bool:
    """Say whether a question can be understood in the beginning of the text."""
    for draft in drafts(text.split("\n", LOOK_LINES)[:LOOK_LINES]):
        try:
            if draft.is_question and _question(draft, Ledger()):
                return True
        except (Refused, InvalidQuestion):
            continue
    return False


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions of a text."""
    ledger = Ledger()
    with ledger.file():
        cut = drafts(ledger.decode(data, encoding).split("\n"))
        for number, draft in enumerate(cut, start=1):
            place = Place(line=draft.line, number=number)
            block = "\n".join(draft.lines)[:BLOCK_MAX]
            if not draft.is_question:
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


def _question(draft: Draft, ledger: Ledger) -> Question:
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
    if end := _TRUTH_END.search(stem, max(0, len(stem) - END_MAX)):
        right = fields.truth(end.group("in") or end.group("cut") or end.group("after"))
        if right is not None and (bare := stem[: end.start()].rstrip()):
            return TrueFalse(**(common | {"stem": bare}), right=right)
    raise Refused("text.no-answer", text=stem)


def _choice(draft: Draft, common: dict[str, Any]) -> Question:
    choices = tuple(choice.text for choice in draft.choices)
    right = tuple(at for at, choice in enumerate(draft.choices) if choice.right)
    key = draft.get("answer") or draft.get("short")
    if len(right) == len(choices):  # a list of stars
        right = () if key else right
    if not right and key:
        right = _key(draft, key, choices)
    elif not right:  # we write stars in front; others put them behind
        bare = [without_mark(choice) for choice in choices]
        right = tuple(at for at, (_, is_right) in enumerate(bare) if is_right)
        choices = tuple(text for text, _ in bare)
    if not right:
        raise Refused("question.no-right", text=common["stem"])
    if len(right) > 1:
        return SeveralRight(**common, choices=choices, right=right)
    return SingleChoice(**common, choices=choices, right=right[0])


def _key(draft: Draft, key: str, choices: tuple[str, ...]) -> tuple[int, ...]:
    """Return the positions of the choices that a line “Answer: b, c” names."""
    letters = [choice.letter for choice in draft.choices]
    if not any(letters):  # a list with bullets: people count or letter it in their heads
        letters = [chr(ord("a") + at) for at in range(len(choices))]
    parts = re.split(r"[\s,;&+،]+|\b(?:and|et|und|y)\b", key)
    named = [part.strip("().").casefold() for part in parts if part.strip("().")]
    if named and all(name in letters for name in named):
        return tuple(sorted({letters.index(name) for name in named}))
    lead = CHOICE.match(key)
    bare = key[lead.end() :] if lead else key
    for text in (key, bare):
        if text in choices:
            return (choices.index(text),)
    counted = [int(name) for name in named if name.isdecimal() and len(name) < 3]
    if counted and len(counted) == len(named) and all(1 <= at <= len(choices) for at in counted):
        return tuple(sorted({at - 1 for at in counted}))
    letter = lead.group("letter") if lead else ""
    if not letter and (first := _LEAD_LETTER.match(key)):
        letter = first.group(1)
    if letter.casefold() in letters:
        return (letters.index(letter.casefold()),)
    raise Refused("question.unknown-right", Place(line=draft.line_of("answer")), key)


def _truth(draft: Draft, label: str, common: dict[str, Any]) -> Question:
    right = fields.truth(draft.get(label))
    if right is None:
        raise Refused("question.bad-truth", Place(line=draft.line_of(label)), draft.get(label))
    return TrueFalse(**common, right=right)


def _number(draft: Draft, label: str, common: dict[str, Any]) -> Question:
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


def _matching(draft: Draft, common: dict[str, Any]) -> Question:
    pairs: list[Pair] = []
    others: list[str] = []
    left: Entry | None = None
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


def _answer(draft: Draft, common: dict[str, Any]) -> Question:
    """Return what a bare “Answer: …” makes of the question."""
    answer = draft.get("answer")
    if fields.truth(answer) is not None and answer not in ("0", "1"):
        stem = common["stem"]
        cue = _TRUTH_CUE.search(stem, max(0, len(stem) - END_MAX))
        bare = stem[: cue.start()] if cue else stem
        return _truth(draft, "answer", common | {"stem": bare})
    if readings(_PLUS_MINUS.split(answer, maxsplit=1)[0]):
        return _number(draft, "answer", common)
    accepted = dict.fromkeys(tidy_line(text) for text in draft.all("answer") if text)
    return ShortAnswer(**common, accepted=tuple(accepted))


def _written(number: int, question: Question) -> str:
    lines = [f"{number}. {escaped(question.stem)}"]

    def add(label: str, text: str) -> None:
        lines.append(f"{label}: {escaped(text)}")

    match question:
        case SingleChoice() | SeveralRight():
            right = (question.right,) if isinstance(question, SingleChoice) else question.right
            for at, choice in enumerate(question.choices):
                star = "*" if at in right else ""
                lines.append(f"{star}{chr(ord('a') + at)}) {escaped(choice)}")
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
