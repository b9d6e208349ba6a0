"""The one rule for texts: limited Markdown, kept as typed.

A text is a string of characters that everything keeps byte for byte. When it is
shown, these marks count, each within one line, and nothing else does::

    **strong**   *emphasis*   `code`   \\* and \\` for the characters themselves

A line break is a line break. ``<``, ``&``, quotes, brackets and all other
backslashes are themselves. LaTeX between ``\\( \\)``, ``\\[ \\]`` or ``$$ $$`` is
left alone. There are no links, pictures, headings, lists or HTML in a text.

``to_html`` writes a text so that ``html_text`` reads it back exactly.
Why so: docs/decisions/0010-question-text.md.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

MARKS = frozenset("*`")
# Overrides of direction (U+202D, U+202E) make a text read as another than it is.
_UNSOUND = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ufeff\ufffe\uffff\ud800-\udfff]")
_BREAKS = re.compile(r" *[\n\t][ \n\t]*")
_ANY_MARK = re.compile(r"[*`]")
_CHANGED = re.compile(r"""[<>&"*`\t\n]|  """)  # what HTML needs written otherwise
_MARK = re.compile(r"`|(?<!\s)\*|\*(?!\s)")  # a star between blanks never counts
_MATH_OPENS = re.compile(r"\\[(\[]|\$\$")
_MATH_CLOSES = {r"\(": r"\)", r"\[": r"\]", "$$": "$$"}


class Plain(Struct, frozen=True):
    """Characters shown as they are; ``\\n`` is a line break."""

    text: str


class Quoted(Struct, frozen=True):
    """One mark character shown as itself, written with a backslash."""

    text: str


class Code(Struct, frozen=True):
    """Characters between backticks."""

    text: str


class Strong(Struct, frozen=True):
    """Parts between double stars."""

    parts: "tuple[Part, ...]"


class Emphasis(Struct, frozen=True):
    """Parts between single stars."""

    parts: "tuple[Part, ...]"


Part = Plain | Quoted | Code | Strong | Emphasis


def is_sound(text: str) -> bool:
    """Say whether the text may be stored: no control characters or overrides, no blank ends."""
    return text == text.strip() and not _UNSOUND.search(text)


def is_sound_line(text: str) -> bool:
    """Say whether the text is sound and one line without tabs."""
    return is_sound(text) and "\n" not in text and "\t" not in text


def tidy(text: str) -> str:
    """Return foreign text made sound: one kind of line break, no control signs or overrides."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNSOUND.sub("", text).strip()


def tidy_line(text: str) -> str:
    """Return foreign text made sound and one line; blanks inside the line stay."""
    return _BREAKS.sub(" ", tidy(text))


def parse(text: str) -> tuple[Part, ...]:
    """Return the parts of a text. ``source`` of them is the text again."""
    if not _ANY_MARK.search(text):
        return (Plain(text),) if text else ()
    return _parse(text, strong=True, emphasis=True)


def maths(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each piece of LaTeX begins and ends, its marks included."""
    missing: set[str] = set()
    at = 0
    while opens := _MATH_OPENS.search(text, at):
        at = opens.start()
        if end := _math_end(text, at, missing):
            yield at, end
        at = end or at + 1


def source(parts: tuple[Part, ...]) -> str:
    """Return the text that the parts were written as."""
    return "".join(_source(part) for part in parts)


def shown(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts as they look: quoted characters are plain, neighbours joined."""
    out: list[Part] = []
    for part in parts:
        match part:
            case Plain(text) | Quoted(text):
                if out and isinstance(out[-1], Plain):
                    out[-1] = Plain(out[-1].text + text)
                elif text:
                    out.append(Plain(text))
            case Strong(inner):
                out.append(Strong(shown(inner)))
            case Emphasis(inner):
                out.append(Emphasis(shown(inner)))
            case Code():
                out.append(part)
    return tuple(out)


def escape_marks(text: str) -> str:
    """Return text that shows exactly the characters given, with as few backslashes as will do."""
    if shown(parse(text)) == shown((Plain(text),)):
        return text
    return quote_marks(text)


def quote_marks(text: str) -> str:
    """Return text with a backslash before every mark that might count, LaTeX left alone."""
    out, at = [], 0
    for start, end in maths(text):
        out += [_MARK.sub(r"\\\g<0>", text[at:start]), text[start:end]]
        at = end
    return "".join([*out, _MARK.sub(r"\\\g<0>", text[at:])])


def to_html(text: str) -> str:
    """Return the text as safe inline HTML that is also well-formed XML.

    A ``span`` around one character keeps what HTML would lose: a blank that
    would be folded away, or a mark that was written with a backslash.
    """
    if not _CHANGED.search(text):
        return text
    return _html(parse(text), at_edge=True, to_edge=True)


def _parse(text: str, *, strong: bool, emphasis: bool) -> tuple[Part, ...]:
    # What is not closed further on need not be looked for again: without this the time would
    # grow with the square of a text's length.
    out: list[Part] = []
    plain_from = at = stop = 0
    missing: set[str] = set()

    def keep(part: Part, start: int, end: int) -> int:
        nonlocal plain_from
        if start > plain_from:
            out.append(Plain(text[plain_from:start]))
        out.append(part)
        plain_from = end
        return end

    while at < len(text):
        if at >= stop:  # a new line, in which marks may be closed
            stop = _line_end(text, at)
            missing -= {"*", "**"}
        char = text[at]
        if char == "\\" and text[at + 1 : at + 2] in MARKS and at + 1 < len(text):
            at = keep(Quoted(text[at + 1]), at, at + 2)
        elif char in "\\$" and (end := _math_end(text, at, missing)):
            at = end
        elif char == "`" and (end := _close_code(text, at, stop)):
            at = keep(Code(text[at + 1 : end]), at, end + 1)
        elif (
            strong and text.startswith("**", at) and (end := _close(text, at, "**", stop, missing))
        ):
            inner = _parse(text[at + 2 : end], strong=False, emphasis=emphasis)
            at = keep(Strong(inner), at, end + 2)
        elif (
            emphasis
            and char == "*"
            and not text.startswith("**", at)
            and not _is_word(text, at - 1)
            and (end := _close(text, at, "*", stop, missing))
        ):
            inner = _parse(text[at + 1 : end], strong=False, emphasis=False)
            at = keep(Emphasis(inner), at, end + 1)
        else:
            at += 1
    if plain_from < len(text):
        out.append(Plain(text[plain_from:]))
    return tuple(out)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _math_end(text: str, at: int, missing: set[str]) -> int:
    """Return where the LaTeX that begins at ``at`` ends, or 0; notes a mark that comes no more."""
    closes = _MATH_CLOSES.get(text[at : at + 2])
    if closes is None or closes in missing:
        return 0
    end = text.find(closes, at + 3)
    if end < 0:
        missing.add(closes)
        return 0
    return end + 2


def _close_code(text: str, at: int, stop: int) -> int:
    """Return where the backtick at ``at`` is closed before ``stop``, or 0."""
    end = text.find("`", at + 1, stop)
    return end if end > at + 1 else 0


def _close(text: str, at: int, mark: str, stop: int, missing: set[str]) -> int:
    """Return where the mark at ``at`` is closed before ``stop``, or 0; notes where it never is."""
    size = len(mark)
    start = at + size
    if mark in missing or start >= stop or text[start].isspace():
        return 0
    end = text.find(mark, start + 1, stop)
    while end > 0:
        while text.startswith("*", end + size) and end + size < stop:
            end += 1  # of a run of stars the last ones close
        before = text[end - 1]
        if (
            not before.isspace()
            and before != "\\"
            and (size == 2 or not _is_word(text, end + 1))
            and end > start
        ):
            return end
        end = text.find(mark, end + 1, stop)
    missing.add(mark)
    return 0


def _is_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (text[at].isalnum() or text[at] == "_")


def _source(part: Part) -> str:
    match part:
        case Plain(text):
            return text
        case Quoted(text):
            return f"\\{text}"
        case Code(text):
            return f"`{text}`"
        case Strong(parts):
            return f"**{source(parts)}**"
        case Emphasis(parts):
            return f"*{source(parts)}*"


def _html(parts: tuple[Part, ...], *, at_edge: bool, to_edge: bool) -> str:
    out = []
    for index, part in enumerate(parts):
        first = at_edge and index == 0
        last = to_edge and index == len(parts) - 1
        match part:
            case Plain(text):
                out.append(_html_plain(text, at_edge=first, to_edge=last))
            case Quoted(text):
                out.append(f"<span>{text}</span>")
            case Code(text):
                out.append(f"<code>{_html_plain(text, at_edge=True, to_edge=True)}</code>")
            case Strong(inner):
                out.append(f"<strong>{_html(inner, at_edge=False, to_edge=False)}</strong>")
            case Emphasis(inner):
                out.append(f"<em>{_html(inner, at_edge=False, to_edge=False)}</em>")
    return "".join(out)


_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;", "\n": "<br />"}


def _html_plain(text: str, *, at_edge: bool, to_edge: bool) -> str:
    if not _CHANGED.search(text) and (text[0] != " " or not at_edge) and text[-1] != " ":
        return text
    out = []
    for index, char in enumerate(text):
        before = text[index - 1] if index else ("\n" if at_edge else "x")
        after = text[index + 1] if index + 1 < len(text) else ("\n" if to_edge else "x")
        if char == "\t" or (char == " " and (before in " \t\n" or after in "\t\n")):
            out.append(f"<span>{char}</span>")
        else:
            out.append(_ENTITIES.get(char, char))
    return "".join(out)
