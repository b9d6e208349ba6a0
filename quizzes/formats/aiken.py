"""Aiken: single choice and nothing else, the simplest format Moodle reads.

::

    Who may vote?
    A. Owners
    B. Every citizen
    ANSWER: B
"""

import itertools
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from quizzes.formats.carries import Carries, carried
from quizzes.formats.plain_text import begins_a_question
from quizzes.formats.problems import Place, Refused
from quizzes.formats.question import Question, SingleChoice
from quizzes.formats.reading import BLOCKS_MAX, Ledger, Reading
from quizzes.formats.text import tidy
from quizzes.formats.text_markers import LABEL

CARRIES = Carries(kinds=frozenset(("single",)), fields=frozenset(), line_breaks=False)
BLOCK_MAX = 20_000

_CHOICE = re.compile(r"\s*([A-Za-z])[.)](?:\s+|$)")
_ANSWER = re.compile(r"\s*ANSWERS?\s*:\s*(.*?)\s*", re.IGNORECASE)
_SEVERAL = re.compile(r"[A-Z](?:\s*(?:[,;&]|\band\b)\s*[A-Z])+", re.IGNORECASE)
_SEPARATOR = re.compile(r"sep=")  # would be taken for CSV


class _Draft(Struct):
    line: int
    stem: list[str] = field(default_factory=list)
    choices: list[list[str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    key: str | None = None
    key_line: int = 0


def fits(question: Question) -> bool:
    """Say whether no text of the question looks like a line of the format."""
    if not isinstance(question, SingleChoice):
        return False
    if begins_a_question(question.stem):
        return False  # would be taken for plain text
    return not any(mark.match(question.stem) for mark in (_CHOICE, _ANSWER, _SEPARATOR))


def looks_so(text: str) -> bool:
    """Say whether choices with letters are followed by a line ANSWER: B."""
    lines = text.split("\n", 400)
    return any(
        (found := _ANSWER.fullmatch(line)) and len(found.group(1)) == 1 and _CHOICE.match(before)
        for before, line in itertools.pairwise(lines)
    )


def has_more(text: str) -> bool:
    """Say whether plain text can hold what stands there, and this format cannot.

    That is two right answers, a remark in the line below the answer, or a number in
    front of each question.
    """
    lines = text.split("\n", 400)
    answers = [_ANSWER.fullmatch(line) for line in lines]
    numbers = sum(begins_a_question(line) for line in lines)
    return 0 < sum(map(bool, answers)) <= numbers or any(
        found and (_SEVERAL.fullmatch(found.group(1)) or LABEL.match(below))
        for found, below in zip(answers, lines[1:], strict=False)
    )


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions of an Aiken file."""
    ledger = Ledger()
    with ledger.file():
        for number, draft in enumerate(_drafts(ledger.decode(data, encoding)), start=1):
            block = "\n".join(draft.lines)[:BLOCK_MAX]
            with ledger.item(Place(line=draft.line, number=number), block, "aiken"):
                ledger.keep(_question(draft))
            if ledger.is_full:
                break
    return ledger.finish()


def write(questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return the single-choice questions as Aiken, UTF-8."""
    blocks = []
    for question in questions:
        kept = carried(question, CARRIES, fits)
        if isinstance(kept, SingleChoice):
            choices = [f"{chr(65 + at)}. {text}" for at, text in enumerate(kept.choices)]
            blocks.append("\n".join([kept.stem, *choices, f"ANSWER: {chr(65 + kept.right)}"]))
    return "\n\n".join(blocks).encode() + b"\n"


def _drafts(text: str) -> list[_Draft]:
    drafts: list[_Draft] = []
    draft: _Draft | None = None
    blank = False
    for at, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            blank = True
            continue
        answer = _ANSWER.fullmatch(line)
        choice = _CHOICE.match(line)
        ended = draft is not None and blank and draft.choices and not answer and not choice
        if draft is None or ended:
            draft = _Draft(line=at)
            drafts.append(draft)
            if len(drafts) > BLOCKS_MAX:
                break
        draft.lines.append(line)
        if answer:
            draft.key, draft.key_line = answer.group(1), at
            draft = None
        elif choice and ord(choice.group(1).upper()) - 65 == len(draft.choices) and draft.stem:
            draft.choices.append([line[choice.end() :]])
        elif draft.choices:
            draft.choices[-1].append(line)
        else:
            draft.stem.append(line)
        blank = False
    return drafts


def _question(draft: _Draft) -> Question:
    stem = tidy("\n".join(draft.stem))
    if not stem:
        raise Refused("question.no-text")
    if not draft.choices:
        raise Refused("question.few-choices", text=stem)
    if draft.key is None:
        raise Refused("aiken.no-answer", text=stem)
    choices = tuple(tidy("\n".join(lines)) for lines in draft.choices)
    letter = draft.key.strip("().").upper()
    right = ord(letter) - 65 if len(letter) == 1 and letter.isascii() else -1
    if not 0 <= right < len(choices):
        raise Refused("question.unknown-right", Place(line=draft.key_line), draft.key)
    return SingleChoice(stem=stem, choices=choices, right=right)
