"""What search and the finder of duplicates see of a question: its words, folded.

Folded words are kept in columns and looked for as they are, so SQLite and
PostgreSQL find the same. Not told apart: what ``grading.written`` takes for the
same, letters with and without accents, and the two last letters ta marbuta and heh.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from quizzes.formats.carries import kind
from quizzes.formats.question import (
    Matching,
    Numeric,
    Ordering,
    Question,
    SeveralRight,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)
from quizzes.formats.text import Code, Emphasis, Part, Plain, Quoted, Strong, parse
from quizzes.grading.written import without_accents

_LAST_LETTERS = str.maketrans({"ة": "ه"})


def fold(text: str) -> str:
    """The form in which texts are compared."""
    return without_accents(text).translate(_LAST_LETTERS)


def words(query: str) -> tuple[str, ...]:
    """The folded words of what somebody looks for; each must be there."""
    return tuple(dict.fromkeys(filter(None, (fold(word) for word in query.split()))))


def bare(text: str) -> str:
    """A text as it is shown, without marks for bold and the like."""
    return _bare(parse(text))


def search_text(question: Question) -> str:
    """All words by which a question may be found, folded, one text a line."""
    texts = (
        question.stem,
        *_answers(question),
        question.explanation,
        *question.topics,
        question.source,
    )
    return "\n".join(fold(bare(text)) for text in texts if text)


def fingerprint(question: Question) -> str:
    """Equal for questions that ask the same with the same answers to choose from.

    The order of choices does not count, nor which one is right: of two that differ
    in that alone, one is wrong. 64 hexadecimal digits.
    """
    parts = [kind(question), fold(bare(question.stem))]
    parts += sorted(fold(bare(text)) for text in _answers(question))
    return sha256("\0".join(parts).encode()).hexdigest()


def _answers(question: Question) -> Iterable[str]:
    match question:
        case SingleChoice() | SeveralRight():
            return question.choices
        case ShortAnswer():
            return question.accepted
        case Numeric():
            return (format(question.right, "f"),)
        case Matching():
            return (*(pair.left for pair in question.pairs), *question.options)
        case Ordering():
            return question.items
        case TrueFalse():
            return ()


def _bare(parts: Iterable[Part]) -> str:
    return "".join(_characters(parts))


def _characters(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        match part:
            case Plain(text) | Quoted(text) | Code(text):
                yield text
            case Strong(inner) | Emphasis(inner):
                yield _bare(inner)
