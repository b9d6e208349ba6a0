"""Questions as students see them: limited Markdown as safe HTML.

The one renderer of the bank. ``as_html`` escapes everything and lets through the
marks of docs/decisions/0010-question-text.md and nothing else. LaTeX stays as typed;
it is set apart so that it also reads from left to right inside Arabic.

``shown`` takes what is typed, finished or not, so that a preview is drawn by the same
code as the question itself. templates/quizzes/_question.html shows the result.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

from quizzes.entries import Entries
from quizzes.formats.text import Code, Emphasis, Part, Plain, Quoted, Strong, maths, parse, tidy


@dataclass(frozen=True)
class Option:
    """One answer to choose from, a side of a pair or an item to be put in order."""

    letter: str
    html: SafeString
    right: bool = False


@dataclass(frozen=True)
class Shown:
    """A question ready for a template. ``answer`` and ``why`` are for teachers and reviews."""

    kind: str
    stem: SafeString
    options: tuple[Option, ...]  # in the order a student sees
    lefts: tuple[SafeString, ...]  # of a matching question
    answer: tuple[SafeString, ...]  # lines that say what is right, where no option is marked
    why: SafeString
    holds: bool | None = None  # of a true-false question, if it is said
    direction: str = "auto"  # of the whole sheet: that of its first letter
    language: str = ""
    picture: str = ""  # reference
    alt: str = ""


def as_html(text: str) -> SafeString:
    """Return a text of a question as safe inline HTML."""
    return _html(parse(text))


def shown(entries: Entries) -> Shown:
    """Return the question that is typed, as far as it is there."""
    options, lefts, answer = _answer(entries)
    return Shown(
        kind=entries.kind,
        stem=as_html(tidy(entries.stem)),
        options=options,
        lefts=lefts,
        answer=answer,
        why=as_html(tidy(entries.explanation)),
        holds={"true": True, "false": False}.get(entries.truth),
        direction=direction(entries.stem),
        language=entries.language,
        picture=entries.picture,
        alt=entries.alt,
    )


def direction(text: str) -> str:
    """Return "rtl" or "ltr" by the first letter that has a direction, "auto" without one."""
    for char in text:
        found = unicodedata.bidirectional(char)
        if found in ("L", "R", "AL"):
            return "ltr" if found == "L" else "rtl"
    return "auto"


def mixed(texts: Sequence[str]) -> list[str]:
    """Return the texts in an order that tells nothing, the same at every look."""
    ordered = sorted(texts, key=str.casefold)
    if len(ordered) > 1 and ordered == list(texts):
        ordered.append(ordered.pop(0))
    return ordered


_Answer = tuple[tuple[Option, ...], tuple[SafeString, ...], tuple[SafeString, ...]]


def _answer(entries: Entries) -> _Answer:
    """Return options, left sides and the lines that say what is right."""
    match entries.kind:
        case "single" | "several":
            chosen = [(tidy(choice.text), choice.right) for choice in entries.choices]
            return _options((text, right) for text, right in chosen if text), (), ()
        case "short":
            return (), (), tuple(_as_typed(text) for text in _written(entries.accepted))
        case "numeric":
            number, tolerance = entries.number.strip(), entries.tolerance.strip()
            line = f"{number} ± {tolerance}" if tolerance else number
            return (), (), (_as_typed(line),) if number else ()
        case "matching":
            pairs = [(tidy(pair.left), tidy(pair.right)) for pair in entries.pairs]
            rights = [right for _, right in pairs if right]
            offered = mixed(list(dict.fromkeys([*rights, *_written(entries.distractors)])))
            answer = tuple(
                format_html("{} – {}", as_html(left), as_html(right))
                for left, right in pairs
                if left and right
            )
            lefts = tuple(as_html(left) for left, _ in pairs if left)
            return _options((text, False) for text in offered), lefts, answer
        case "ordering":
            items = _written(entries.items)
            return (
                _options((text, False) for text in mixed(items)),
                (),
                tuple(as_html(item) for item in items),
            )
        case _:
            return (), (), ()


def _as_typed(text: str) -> SafeString:
    """Return a text in which no marks count, such as an accepted answer."""
    return format_html("{}", text)


def _written(texts: Iterable[str]) -> list[str]:
    return [text for text in map(tidy, texts) if text]


def _options(texts: Iterable[tuple[str, bool]]) -> tuple[Option, ...]:
    letters = (*ascii_lowercase, *(f"{n}" for n in range(27, 100)))
    return tuple(
        Option(letter, as_html(text), right)
        for letter, (text, right) in zip(letters, texts, strict=False)
    )


def _html(parts: tuple[Part, ...]) -> SafeString:
    return format_html_join("", "{}", ((_part(part),) for part in parts))


def _part(part: Part) -> SafeString:
    match part:
        case Plain(text):
            return _plain(text)
        case Quoted(text):
            return format_html("{}", text)
        case Code(text):
            return format_html("<code>{}</code>", text)
        case Strong(parts):
            return format_html("<strong>{}</strong>", _html(parts))
        case Emphasis(parts):
            return format_html("<em>{}</em>", _html(parts))


def _plain(text: str) -> SafeString:
    out, at = [], 0
    for start, end in maths(text):
        out.append(_lines(text[at:start]))
        out.append(format_html('<bdi class="math" dir="ltr">{}</bdi>', _lines(text[start:end])))
        at = end
    out.append(_lines(text[at:]))
    return format_html_join("", "{}", ((piece,) for piece in out))


def _lines(text: str) -> SafeString:
    *others, last = text.split("\n")
    before = format_html_join("", "{}<br>", ((line,) for line in others))
    return before + conditional_escape(last)
