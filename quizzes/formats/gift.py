"""GIFT, Moodle's text format.

Texts without a mark of their own are written as they are; a question with bold
words, line breaks, ``<`` or ``&`` is written as ``[html]``, which Moodle shows as
we do. Topics and small fields travel in ``[tag:…]`` comments above the question.
Ordering questions use the form of Moodle's ordering type, ``{>3 ALL …}``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from msgspec import Struct

from quizzes.formats import fields, marked_text
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS, Carries
from quizzes.formats.numerals import number_text
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
from quizzes.formats.reading import Ledger, Reading
from quizzes.formats.text import escape_marks, tidy, tidy_line, to_html

CARRIES = Carries(kinds=ALL_KINDS, fields=ALL_FIELDS - {"picture"})
BLOCK_MAX = 20_000
TITLE_MAX = 50
GAP = "_____"

_ESCAPES = "~=#{}:"
_KEPT = {char: chr(0xE000 + at) for at, char in enumerate("\\" + _ESCAPES)} | {"n": chr(0xE010)}
_BACK = {ord(stand_in): char for char, stand_in in _KEPT.items()} | {0xE010: "\n"}
_PRIVATE = re.compile("[\ue000-\ue010]")
_ESCAPED = re.compile(r"\\([\\~=#{}:n])")
_TO_ESCAPE = re.compile(r"[\\~=#{}:]")
_BRACE = re.compile("[{}]")
_TITLE = re.compile(r"::(.*?)::", re.DOTALL)
_FORMAT = re.compile(r"\[(html|moodle|plain|markdown)\]\s*", re.IGNORECASE)
_TAG = re.compile(r"\[tag:((?:\\.|[^\]\\])*)\]")
_WEIGHT = re.compile(r"%(-?\d{1,3}(?:\.\d+)?)%")
_TRUTH = re.compile(r"(true|t|false|f)\s*(#.*)?", re.IGNORECASE | re.DOTALL)
_ORDER = re.compile(r">[ \t]*\d*[ \t]*[A-Z_0-9 \t]*\n", re.IGNORECASE)
_LOOKS = re.compile(r"\{\s*(?:[=~#>]|(?:true|t|false|f)\s*[}#])", re.IGNORECASE)


def fits(question: Question) -> bool:
    """Say whether the question can be told apart when it is read again."""
    if isinstance(question, ShortAnswer) and any("->" in text for text in question.accepted):
        return False  # Moodle would take it for a matching question
    return not any(_PRIVATE.search(text) for text in _texts(question))


def looks_so(text: str) -> bool:
    """Say whether the text holds an answer block of GIFT."""
    plain = _ESCAPED.sub("", text)
    return _LOOKS.search(plain) is not None and "}" in plain


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions of a GIFT file."""
    ledger = Ledger()
    with ledger.file():
        for number, block in enumerate(_blocks(ledger.decode(data, encoding)), start=1):
            with ledger.item(Place(line=block.line, number=number), block.raw, "gift"):
                ledger.keep(_question(block, ledger))
            if ledger.is_full:
                break
    return ledger.finish()


def write(questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return the questions as GIFT, UTF-8."""
    return "\n\n".join(_written(one) for one in questions if fits(one)).encode() + b"\n"


class _Block(Struct):
    """One question as it stands, escapes replaced by stand-ins."""

    line: int
    raw: str
    text: str
    tags: list[str]


class _Option(Struct):
    """One ``=`` or ``~`` of an answer block."""

    right: bool
    weight: float | None
    text: str
    feedback: str


def _blocks(text: str) -> Iterator[_Block]:
    raw: list[str] = []
    kept: list[str] = []
    tags: list[str] = []
    topics: list[str] = []  # of the category that was named last
    start = 0
    is_open = False  # inside braces
    lines = [*text.split("\n"), ""]
    braces = _next_braces(lines)
    for at, line in enumerate(lines, start=1):
        bare = line.strip()
        if not bare and is_open and braces[at] == "}":
            continue  # an empty line among the answers
        if bare.startswith("//"):
            tags += [re.sub(r"\\(.)", r"\1", tag) for tag in _TAG.findall(bare)]
            raw.append(line)
        elif bare.upper().startswith(("$CATEGORY:", "$COURSE$")) and not kept:
            topics = fields.category_topics(bare.partition(":")[2].strip())
        elif bare:
            start = start or at
            raw.append(line)
            kept.append(_PRIVATE.sub("", line))
            marks = _BRACE.findall(_ESCAPED.sub("", line))
            is_open = marks[-1] == "{" if marks else is_open
        if kept and (not bare or _ends_before_another(lines, at, braces, is_open=is_open)):
            is_open = False
            block = _ESCAPED.sub(lambda found: _KEPT[found.group(1)], "\n".join(kept).strip())
            # Who mends the block alone has the category in it.
            whole = [_tagged(topics), *raw] if topics else raw
            yield _Block(start, "\n".join(whole)[:BLOCK_MAX], block, tags + topics)
            raw, kept, tags, start = [], [], [], 0


def _next_braces(lines: Sequence[str]) -> list[str]:
    """Return for each line, and for the end, the first brace that stands in it or below."""
    found = [""]
    for line in reversed(lines):
        own = _BRACE.search(_ESCAPED.sub("", line))
        found.append(own.group() if own else found[-1])
    return found[::-1]


def _ends_before_another(
    lines: Sequence[str], at: int, braces: Sequence[str], *, is_open: bool
) -> bool:
    """Say whether a question ends with this line, and another begins without an empty one."""
    if is_open or not lines[at - 1].rstrip().endswith("}") or braces[at] != "{":
        return False
    below = lines[at].strip() if at < len(lines) else ""
    return below.startswith(("//", "::")) or _BRACE.search(_ESCAPED.sub("", below)) is not None


def _back(text: str) -> str:
    """Return text with the stand-ins replaced by the characters meant."""
    return text.translate(_BACK)


class _Texts:
    """Reads the texts of one question in its format."""

    def __init__(self, kind: str, ledger: Ledger) -> None:
        self.kind, self.ledger = kind, ledger

    def rich(self, text: str) -> str:
        own = _FORMAT.match(text.strip())
        kind = own.group(1).lower() if own else self.kind
        plain = _back(text.strip()[own.end() :] if own else text.strip())
        return marked_text.words(marked_text.interpret(plain, kind), self.ledger)


def _question(block: _Block, ledger: Ledger) -> Question:
    text = block.text
    title = _TITLE.match(text)
    if title:
        text = text[title.end() :].strip()
    own = _FORMAT.match(text)
    texts = _Texts(own.group(1).lower() if own else "moodle", ledger)
    opening = text.find("{")
    if opening < 0:
        raise Refused("gift.no-open" if "}" in text else "gift.no-answer", text=_back(text))
    closing = text.find("}", opening)
    if closing < 0:
        raise Refused("gift.no-close", text=_back(text))
    before, inside, after = text[:opening], text[opening + 1 : closing], text[closing + 1 :]
    if "{" in after or "}" in after:
        raise Refused("gift.two-answers", text=_back(text))
    stem = before
    if rest := after.strip():
        stem = f"{before.rstrip()} {GAP}{' ' if rest[0].isalnum() else ''}{rest}"
    inside, general = _general(inside)
    common = {
        "stem": texts.rich(stem) or (tidy_line(_back(title.group(1))) if title else ""),
        "explanation": texts.rich(general) if general else "",
        **fields.from_tags(block.tags, ledger),
    }
    return _answered(inside.strip(), common, texts, ledger)


def _general(inside: str) -> tuple[str, str]:
    """Cut the general feedback off an answer block."""
    body, mark, general = inside.rpartition("####")
    return (body, general.strip()) if mark else (inside, "")


def _answered(inside: str, common: dict[str, Any], texts: _Texts, ledger: Ledger) -> Question:
    if not inside:
        raise Refused("question.unsupported", text=common["stem"], type="essay")
    if inside.startswith("#"):
        return _numeric(inside[1:], common, texts, ledger)
    if truth := _TRUTH.fullmatch(inside):
        feedback = (truth.group(2) or "").split("#")[1:]
        if any(part.strip() for part in feedback):
            _explain(common, feedback[-1] if len(feedback) > 1 else "", feedback, texts, ledger)
        return TrueFalse(**common, right=truth.group(1).lower() in ("true", "t"))
    if inside.startswith(">"):
        return _ordering(inside, common, texts)
    options = list(_options(inside))
    if not options:
        raise Refused("gift.bad-answer", text=_back(inside))
    if all(option.right for option in options):
        arrows = sum("->" in option.text for option in options)
        if arrows == len(options) and arrows:
            return _matching(inside, common, texts)
        return _short(options, common, texts, ledger)
    return _choice(options, common, texts, ledger)


def _options(inside: str) -> Iterator[_Option]:
    lead = re.match(r"[^=~]*", inside)
    if lead and lead.group().strip():
        raise Refused("gift.bad-answer", text=_back(inside))
    for mark, body in re.findall(r"([=~])([^=~]*)", inside):
        text = body.strip()
        weight = _WEIGHT.match(text)
        if weight:
            text = text[weight.end() :].strip()
        text, _, feedback = text.partition("#")
        yield _Option(
            right=mark == "=",
            weight=float(weight.group(1)) if weight else None,
            text=text.strip(),
            feedback=feedback.strip(),
        )


def _explain(
    common: dict[str, Any], right: str, feedback: Sequence[str], texts: _Texts, ledger: Ledger
) -> None:
    """Keep the remark on the right answer as explanation if there is no other."""
    kept = ""
    if right.strip() and not common["explanation"]:
        kept = right
        common["explanation"] = texts.rich(right)
    if any(part.strip() and part != kept for part in feedback):
        ledger.note("note.feedback", text=common["stem"])


def _choice(
    options: Sequence[_Option], common: dict[str, Any], texts: _Texts, ledger: Ledger
) -> Question:
    choices = tuple(texts.rich(option.text) for option in options)
    equals = tuple(at for at, option in enumerate(options) if option.right)
    weighted = tuple(at for at, option in enumerate(options) if (option.weight or 0) > 0)
    right = equals or weighted
    feedback = [option.feedback for option in options]
    shown = options[right[0]].feedback if len(right) == 1 else ""
    _explain(common, shown, feedback, texts, ledger)
    if not right:
        raise Refused("question.no-right", text=common["stem"])
    if equals:
        if len(equals) > 1:
            raise Refused("question.two-right", text=common["stem"])
        if any(option.weight for option in options if not option.right):
            ledger.note("note.weights", text=common["stem"])
        return SingleChoice(**common, choices=choices, right=equals[0])
    if len({options[at].weight for at in weighted}) > 1:
        ledger.note("note.weights", text=common["stem"])
    return SeveralRight(**common, choices=choices, right=weighted)


def _short(
    options: Sequence[_Option], common: dict[str, Any], texts: _Texts, ledger: Ledger
) -> Question:
    whole = [option for option in options if option.weight in (None, 100)]
    if len(whole) < len(options):
        ledger.note("note.weights", text=common["stem"])
    accepted = dict.fromkeys(tidy_line(_back(option.text)) for option in whole)
    shown = whole[0].feedback if whole else ""
    _explain(common, shown, [option.feedback for option in options], texts, ledger)
    return ShortAnswer(**common, accepted=tuple(text for text in accepted if text))


def _matching(inside: str, common: dict[str, Any], texts: _Texts) -> Question:
    pairs: list[Pair] = []
    others: dict[str, None] = {}
    for _, body in re.findall(r"([=~])([^=~]*)", inside):
        left, _, right = body.partition("->")
        text = tidy(_back(right))
        if left.strip():
            pairs.append(Pair(left=texts.rich(left), right=text))
        else:
            others[text] = None
    return Matching(**common, pairs=tuple(pairs), distractors=tuple(others))


def _ordering(inside: str, common: dict[str, Any], texts: _Texts) -> Question:
    head = _ORDER.match(inside)
    if head is None:
        raise Refused("gift.bad-answer", text=_back(inside))
    lines = [line for line in inside[head.end() :].split("\n") if line.strip()]
    return Ordering(**common, items=tuple(texts.rich(line) for line in lines))


def _numeric(inside: str, common: dict[str, Any], texts: _Texts, ledger: Ledger) -> Question:
    parts = [part.strip() for part in re.split(r"[=~]", inside) if part.strip()]
    if not parts:
        raise Refused("question.bad-number", text=_back(inside))
    if len(parts) > 1:
        ledger.note("note.values", text=_back(inside.strip()))
    weight = _WEIGHT.match(parts[0])
    body = parts[0][weight.end() :] if weight else parts[0]
    body, _, feedback = body.partition("#")
    others = [part.partition("#")[2] for part in parts[1:]]
    _explain(common, feedback, [feedback, *others], texts, ledger)
    if ".." in body:
        lowest, _, highest = _cut(body, "..")
        low, high = fields.number(_back(lowest)), fields.number(_back(highest))
        if low > high:
            raise Refused("question.bad-tolerance", text=_back(body))
        return Numeric(**common, right=(low + high) / 2, tolerance=(high - low) / 2)
    value, _, tolerance = _cut(body, ":")
    right = fields.number(_back(value))
    margin = fields.number(_back(tolerance or "0"), "question.bad-tolerance")
    return Numeric(**common, right=right, tolerance=margin)


def _cut(text: str, mark: str) -> tuple[str, str, str]:
    before, found, after = text.partition(mark)
    return before.strip(), found, after.strip()


def _texts(question: Question) -> list[str]:
    """Return every text of a question that is written escaped."""
    texts = [question.stem, question.explanation, question.source, *question.topics]
    match question:
        case SingleChoice() | SeveralRight():
            texts += question.choices
        case ShortAnswer():
            texts += question.accepted
        case Matching():
            texts += [text for pair in question.pairs for text in (pair.left, pair.right)]
            texts += question.distractors
        case Ordering():
            texts += question.items
        case TrueFalse() | Numeric():
            pass
        case _:
            assert_never(question)
    return texts


def _escape(text: str) -> str:
    return _TO_ESCAPE.sub(r"\\\g<0>", text).replace("\n", r"\n")


def _is_bare(text: str) -> bool:
    """Say whether the text can be written as it is and be read the same."""
    return (
        to_html(text) == text
        and escape_marks(text) == text
        and not text.startswith(("[", "//", "$"))
        and "->" not in text
        and "#" not in text
    )


def _tagged(tags: Sequence[str]) -> str:
    escaped = (re.sub(r"[\\\]]", r"\\\g<0>", tag) for tag in tags)
    return "// " + " ".join(f"[tag:{tag}]" for tag in escaped)


def _written(question: Question) -> str:
    marked = [question.stem, question.explanation, *_marked_texts(question)]
    bare = all(_is_bare(text) for text in marked)

    def rich(text: str) -> str:
        return _escape(text) if bare else f"[html]{_escape(to_html(text))}"

    lines = []
    if tags := fields.tags(question):
        lines.append(_tagged(tags))
    title = _escape(tidy_line(question.stem)[:TITLE_MAX])
    lines.append(f"::{title}::{rich(question.stem)} {{{_inside(question, rich)}")
    if question.explanation:
        lines.append(f"\t####{rich(question.explanation)}")
    lines.append("}")
    return "\n".join(lines)


def _marked_texts(question: Question) -> list[str]:
    match question:
        case SingleChoice() | SeveralRight():
            return list(question.choices)
        case Matching():
            return [pair.left for pair in question.pairs]
        case Ordering():
            return list(question.items)
        case _:
            return []


def _inside(question: Question, rich: Any) -> str:
    match question:
        case SingleChoice():
            options = [
                f"\n\t{'=' if at == question.right else '~'}"
                f"{_weight(at == question.right, choice)}{rich(choice)}"
                for at, choice in enumerate(question.choices)
            ]
        case SeveralRight():
            share = f"{100 / len(question.right):.5f}".rstrip("0").rstrip(".")
            options = [
                f"\n\t~%{share if at in question.right else -100}%{rich(choice)}"
                for at, choice in enumerate(question.choices)
            ]
        case TrueFalse():
            options = ["TRUE" if question.right else "FALSE"]
        case ShortAnswer():
            options = [f"\n\t=%100%{_escape(text)}" for text in question.accepted]
        case Numeric():
            tolerance = number_text(question.tolerance)
            options = [f"#{number_text(question.right)}:{tolerance}"]
        case Matching():
            options = [
                f"\n\t={rich(pair.left)} -> {_escape(pair.right)}" for pair in question.pairs
            ]
            options += [f"\n\t= -> {_escape(text)}" for text in question.distractors]
        case Ordering():
            options = [f">{len(question.items)} ALL VERTICAL ABSOLUTE_POSITION"]
            options += [f"\n{rich(item)}" for item in question.items]
        case _:
            assert_never(question)
    return "".join(options)


def _weight(right: bool, choice: str) -> str:
    """Return a weight where the text itself would be read as one."""
    if not choice.startswith("%"):
        return ""
    return "%100%" if right else "%0%"
