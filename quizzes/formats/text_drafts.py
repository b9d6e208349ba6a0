"""A plain text cut into questions as they stand, before they are understood.

Where letters and labels do not say it, what stands under a question may: a list with
bullets, numbers or boxes, choices in one line, or a key at the end of the document.
These are looked for only where a question would have no answer otherwise, so what we
write never depends on them.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from quizzes.formats import text_markers
from quizzes.formats.question import CHOICES_MAX
from quizzes.formats.reading import BLOCKS_MAX
from quizzes.formats.text import tidy
from quizzes.formats.text_markers import (
    BULLET,
    CHOICE,
    INLINE_KEY,
    KEY,
    LABEL,
    LABELS,
    NUMBERED,
    RULE,
    is_right,
    place_of,
)

KEY_LINE_MAX = 2_000

_SIDE = frozenset(("answer", "explanation", "topics", "difficulty", "language", "source"))
_INLINE = re.compile(
    r"(?:^|(?<=\s))(?P<mark>[*✓✔✅]?)(?:\(?(?P<letter>[A-Za-z\u0621-\u064a])\)\s*"
    r"|(?P<pointed>[A-Za-z\u0621-\u064a])\.\s+)"
)
_KEY_HEAD = re.compile(
    r"\W*(?:answer keys?|answers?|keys?|solutions?|corrigé|correction|réponses|antworten"
    r"|lösungen|respuestas|soluciones|مفتاح الإجابة|الإجابات|الأجوبة|الحلول)\b\s*(?:\*\*|__)?\s*"
    r"(?P<colon>[:：]?)\s*(?:\*\*|__)?\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_KEY_PAIR = r"(?P<number>\d{1,4})\s*[.):=–-]?\s*\(?(?P<letter>[A-Za-z\u0621-\u064a])\)?"
_KEY_PAIRS = re.compile(rf"(?:\W*{_KEY_PAIR})(?![^\W\d_])")
_KEY_LINE = re.compile(rf"\W*{_KEY_PAIR}(?:[.):–-]*\s+.*)?\s*")


class Entry(Struct):
    """Text behind one marker."""

    line: int
    lines: list[str]

    @property
    def text(self) -> str:
        """What stands there, blank ends cut off."""
        return tidy("\n".join(self.lines))


class Choice(Entry):
    """One choice: the letter or number it is called by, and whether a mark says it is right."""

    letter: str
    right: bool


class Draft(Struct):
    """One question as it stands."""

    line: int
    stem: Entry
    number: int = 0  # 0: not numbered
    style: str = ""  # of its number
    lines: list[str] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    entries: list[tuple[str, Entry]] = field(default_factory=list)
    listing: str = ""  # what names the choices: "letter", "roman", "number"
    bullets: int = 0  # lines of the stem that begin with one

    @property
    def is_question(self) -> bool:
        """Whether anything says so: else these lines belong to no question."""
        return bool(self.number or self.style or self.choices or self.entries)

    def all(self, label: str) -> list[str]:
        """The texts behind a label."""
        return [entry.text for name, entry in self.entries if name == label]

    def get(self, label: str) -> str:
        """What stands behind a label, however often it is there."""
        return "\n".join(self.all(label))

    def line_of(self, label: str) -> int:
        """Where a label stands, or the question."""
        return next((entry.line for name, entry in self.entries if name == label), self.line)


def drafts(lines: Sequence[str]) -> list[Draft]:
    """Return the questions of a text as they stand."""
    found = [_listed(draft) for draft in _cut(lines)]
    if any(_waits_for_a_key(draft) for draft in found):
        end, keys = _keys(lines)
        if keys:
            found = [_listed(draft) for draft in _cut(lines[:end])]
            for draft in found:
                if draft.number in keys and _waits_for_a_key(draft):
                    line, letter = keys[draft.number]
                    draft.entries.append(("answer", Entry(line, [letter])))
    return found


def _cut(lines: Sequence[str]) -> list[Draft]:
    found: list[Draft] = []
    current: Entry | None = None  # what a line without marker continues
    blanks = 0  # empty lines just passed
    for at, line in enumerate(lines, start=1):
        if not line.strip() or RULE.match(line):
            blanks += 1
            continue
        draft = found[-1] if found else None
        numbered = NUMBERED.match(line)
        item = numbered if numbered and draft and _is_item(numbered, draft) else None
        if item:
            numbered = None
        choice = None if numbered or item else CHOICE.match(line)
        if choice and not _is_choice(choice, draft):
            choice = None
        label = None if numbered or item or choice else LABEL.match(line)
        key = None if label or not (draft and draft.choices) else KEY.match(line)
        marked = choice or item or label or key
        if numbered or draft is None or _begins_anew(draft, line, blanks, marked):
            if numbered:
                current = Entry(at, [text_markers.rest(numbered)])
                number, style = text_markers.number_of(numbered), text_markers.style_of(numbered)
                draft = Draft(line=at, stem=current, number=number, style=style)
            else:
                current = Entry(at, [text_markers.unescaped(line)])
                draft = Draft(line=at, stem=current)
            found.append(draft)
            if len(found) > BLOCKS_MAX:
                break
        elif choice:
            current = _choice(choice, at)
            _take_choice(draft, current, "roman" if _is_roman(choice, draft) else "letter")
        elif item:
            counted = str(text_markers.number_of(item))
            current = Choice(at, [text_markers.rest(item)], letter=counted, right=False)
            _take_choice(draft, current, "number")
        elif key:
            current = Entry(at, [key.group("keys")])
            draft.entries.append(("answer", current))
        elif label:
            current = Entry(at, [text_markers.rest(label)])
            draft.entries.append((LABELS[label.group("label").casefold()], current))
        else:
            assert current is not None
            current.lines += [""] * blanks + [text_markers.unescaped(line)]
            draft.bullets += BULLET.match(line) is not None
        draft.lines += [""] * (blanks if draft.lines else 0) + [line]
        blanks = 0
    return found


def _begins_anew(draft: Draft, line: str, blanks: int, marker: re.Match[str] | None) -> bool:
    """Say whether a line after blank ones is a new question without number."""
    if not blanks or marker is not None:
        return False
    if draft.choices or draft.entries:
        return True
    return draft.bullets > 1 and not draft.number and not BULLET.match(line)


def _is_item(found: re.Match[str], draft: Draft) -> bool:
    """Tell the numbered items of a question, 1) 2) 3), from the next question."""
    if draft.entries or not draft.number or text_markers.style_of(found) == draft.style:
        return False
    if draft.choices and draft.listing != "number":
        return False
    is_head = text_markers.style_of(found) == "word"
    return not is_head and text_markers.number_of(found) == len(draft.choices) + 1


def _is_choice(found: re.Match[str], draft: Draft | None) -> bool:
    """Tell a choice from a line that happens to begin with a letter, such as initials."""
    if draft is None:
        return False
    if found.group("mark") or ")" in found.group("end"):
        return True
    place = place_of(found.group("letter"), roman=_is_roman(found, draft))
    return place == len(draft.choices) + 1 or (place == 1 and draft.listing in ("number", "roman"))


def _is_roman(found: re.Match[str], draft: Draft) -> bool:
    letter = found.group("letter").casefold()
    if len(letter) > 1:
        return True
    return letter in "ivx" and (draft.listing == "roman" or (letter == "i" and not draft.choices))


def _choice(found: re.Match[str], line: int) -> Choice:
    mark, text = found.group("mark") or "", found.string[found.end() :]
    right = is_right(mark) or is_right(found.group("behind") or "")
    if mark == "**":  # “**A)** text” is only the letter in bold
        right = not text.startswith("**")
        text = text.removeprefix("**") if not right else text.rstrip().removesuffix("**")
    return Choice(line, [text], letter=found.group("letter").casefold(), right=right)


def _take_choice(draft: Draft, choice: Choice, listing: str) -> None:
    """Add a choice; what was listed in another way before it belongs to the question."""
    if draft.choices and draft.listing != listing and choice.letter in ("a", "أ", "i", "1"):
        first = draft.choices[0].line - draft.line
        draft.stem.lines += draft.lines[first:]
        draft.choices.clear()
    draft.listing = draft.listing if draft.choices else listing
    draft.choices.append(choice)


def _waits_for_a_key(draft: Draft) -> bool:
    if not draft.number or not draft.choices or any(name == "answer" for name, _ in draft.entries):
        return False
    return not any(one.right or text_markers.without_mark(one.text)[1] for one in draft.choices)


def _keys(lines: Sequence[str]) -> tuple[int, dict[int, tuple[int, str]]]:
    """Return where the key at the end of a document begins, and its letters by question.

    Each letter is with the line it stands in, from 1. Without such a key: nothing.
    """
    for start in range(len(lines) - 1, -1, -1):
        head = _KEY_HEAD.fullmatch(lines[start].strip())
        if head is None or (head.group("rest") and not head.group("colon")):
            continue
        keys: dict[int, tuple[int, str]] = {}
        told = [(start + 1, head.group("rest")), *enumerate(lines[start + 1 :], start + 2)]
        for at, line in told:
            pairs = list(_pairs(line))
            if line.strip() and not pairs and not RULE.match(line):
                return len(lines), {}
            keys |= {number: (at, letter) for number, letter in pairs}
        return start, keys
    return len(lines), {}


def _pairs(line: str) -> Iterator[tuple[int, str]]:
    """Yield number and letter of each answer of a line of a key; nothing if it is another line."""
    if len(line) > KEY_LINE_MAX:
        return
    found = list(_KEY_PAIRS.finditer(line))
    whole = "".join(one.group() for one in found)
    if found and len(whole) + len(line) - len(line.rstrip(" \t.;,*")) >= len(line):
        for one in found:
            yield int(one.group("number")), one.group("letter")
    elif alone := _KEY_LINE.fullmatch(line):
        yield int(alone.group("number")), alone.group("letter")


def _listed(draft: Draft) -> Draft:
    """Return the draft with the choices that no letter at the start of a line names."""
    if not {name for name, _ in draft.entries} <= _SIDE:
        return draft
    if not draft.choices and draft.bullets > 1:
        _take_bullets(draft)
    elif len(draft.choices) <= CHOICES_MAX and not _is_in_order(draft.choices):
        _take_inline(draft)
    return draft


def _take_bullets(draft: Draft) -> None:
    """Make choices of the list with bullets that the question ends in."""
    lines = draft.stem.lines
    first = next(at for at, line in enumerate(lines) if BULLET.match(line))
    choices: list[Choice] = []
    marks: list[str] = []
    for at, line in enumerate(lines[first:], start=first):
        found = BULLET.match(line)
        if found:
            marks.append(found.group("bullet"))
            text = line[found.end() :]
            choices.append(Choice(draft.stem.line + at, [text], letter="", right=False))
        elif choices:
            choices[-1].lines.append(line)
    if len(choices) < 2 or not tidy("\n".join(lines[:first])):
        return
    if len(set(marks)) > 1:  # one mark for all of them says nothing
        for choice, mark in zip(choices, marks, strict=True):
            choice.right = is_right(mark)
    draft.stem.lines = lines[:first]
    draft.choices = choices
    draft.listing = "bullet"


def _take_inline(draft: Draft) -> None:
    """Make choices of letters within lines: “a) yes   b) no   Answer: a”."""
    last = draft.choices[-1] if draft.choices else draft.stem
    told = INLINE_KEY.search(last.text)
    if told:
        last.lines = [last.text[: told.start()]]
        draft.entries.append(("answer", Entry(last.line, [told.group("keys")])))
    pieces = list(_pieces(draft.stem, draft.stem.text))
    stem, inline = pieces[0], pieces[1:]
    for choice in draft.choices:
        (own, *others) = _pieces(choice, choice.text)
        inline += [Choice(choice.line, own.lines, letter=choice.letter, right=choice.right)]
        inline += others
    if len(inline) > 1 and _is_in_order(inline) and stem.text:
        draft.stem.lines, draft.choices = stem.lines, inline


def _pieces(entry: Entry, text: str) -> Iterator[Choice]:
    """Yield what stands before the first letter of a text, and then the choices in it."""
    begin, letter, right = 0, "", False
    for found in _INLINE.finditer(text):
        named = found.group("letter") or found.group("pointed")
        if not letter and place_of(named, roman=False) != 1 and not isinstance(entry, Choice):
            continue
        before = text[begin : found.start()]
        yield Choice(entry.line, [before], letter=letter, right=right)
        begin, letter, right = found.end(), named.casefold(), bool(found.group("mark"))
    yield Choice(entry.line, [text[begin:]], letter=letter, right=right)


def _is_in_order(choices: Sequence[Choice]) -> bool:
    """Say whether the choices are two or more whose letters follow each other from the first."""
    if len(choices) < 2:
        return False
    if choices[0].letter in ("1", "i", ""):
        return True
    return all(place_of(one.letter, roman=False) == at for at, one in enumerate(choices, start=1))
