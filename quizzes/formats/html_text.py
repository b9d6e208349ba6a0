"""HTML into texts: what is marked stays marked, what is dangerous stays out.

The inverse of ``text.to_html``, and for foreign HTML as faithful as limited
Markdown allows. Scripts, styles, frames and forms are dropped with what is in
them; links keep their text; pictures are reported to the caller. The work is
linear in the length: there is no backtracking.
"""

import html
import re
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from quizzes.formats.text import (
    Code,
    Emphasis,
    Part,
    Plain,
    Quoted,
    Strong,
    escape_marks,
    parse,
    quote_marks,
    shown,
    source,
    tidy,
)

DEPTH_MAX = 60


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_BLANK = " \t\n\r\f"
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_PARAGRAPHS = _names("p h1 h2 h3 h4 h5 h6 blockquote ul ol dl table section article figure")
_LINES = _names("div li tr dt dd pre caption figcaption header footer address")
_DROPPED = _names(
    "script style head title template noscript object embed applet iframe frame frameset "
    "form input button select textarea video audio source track canvas svg math map area "
    "link meta base marquee include"
)
_VOID = _names("br img hr input embed source track area link meta base wbr frame col")
_STRONG = frozenset(("b", "strong"))
_EMPHASIS = frozenset(("i", "em"))
_CODE = frozenset(("code", "tt", "kbd", "samp"))
_RAISED = dict(zip("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", strict=True))
_LOWERED = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True))
_NEEDS_READING = re.compile(r"[<&*`\t\n\r\f\x00]|  ")
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9:-]*")
_ATTRIBUTE = re.compile(r"""([a-zA-Z_:][\w:.-]*)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")


class Image(Struct, frozen=True):
    """A picture named in HTML."""

    src: str
    alt: str


class HtmlText(Struct, frozen=True):
    """A text made from HTML, and what could not come along."""

    text: str
    images: tuple[Image, ...] = ()
    dropped: tuple[str, ...] = ()  # names of elements left out with their content
    links: bool = False  # an address was left out


class Start(Struct, frozen=True):
    """A start tag. Empty elements have no end tag."""

    name: str
    attributes: Mapping[str, str]


class End(Struct, frozen=True):
    """An end tag."""

    name: str


Event = Start | End | str


def from_html(markup: str) -> HtmlText:
    """Return the text of an HTML fragment."""
    if not _NEEDS_READING.search(markup):
        return HtmlText(tidy(markup))
    return from_events(events(markup))


def from_events(stream: Iterator[Event]) -> HtmlText:
    """Return the text of a stream of tags and characters, as from XHTML elements."""
    builder = _Builder()
    for event in stream:
        match event:
            case Start(name, attributes):
                builder.start(name, attributes)
            case End(name):
                builder.end(name)
            case str():
                builder.characters(event)
    return builder.finish()


def events(markup: str) -> Iterator[Event]:
    """Split HTML into tags and characters; what is no tag is characters."""
    at = 0
    closable = True  # is there any ">" ahead?
    while at < len(markup):
        opening = markup.find("<", at)
        if opening < 0 or not closable:
            yield html.unescape(markup[at:])
            return
        if opening > at:
            yield html.unescape(markup[at:opening])
        at = opening
        if markup.startswith("<!--", at):
            end = markup.find("-->", at + 4)
            at = len(markup) if end < 0 else end + 3
        elif markup.startswith(("<!", "<?"), at):
            end = markup.find(">", at)
            at = len(markup) if end < 0 else end + 1
        else:
            closing = markup.startswith("</", at)
            name = _NAME.match(markup, at + 1 + closing)
            end = _tag_end(markup, name.end()) if name else -1
            if name is None:
                yield "<"
                at += 1
            elif end < 0:
                closable = False
            else:
                lower = name.group().lower()
                inside = markup[name.end() : end]
                at = end + 1
                if closing:
                    yield End(lower)
                else:
                    yield Start(lower, _attributes(inside))
                    if inside.endswith("/") and lower not in _VOID:
                        yield End(lower)
                    elif lower in ("script", "style"):
                        at = _raw_end(markup, at, lower)


def _tag_end(markup: str, at: int) -> int:
    """Return where the tag ends, quotes respected; -1 when it never does."""
    end = markup.find(">", at)
    if end < 0:
        return -1
    quote = ""
    for index in range(at, min(len(markup), at + 4096)):
        char = markup[index]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and markup[index - 1] == "=":
            quote = char
        elif char == ">":
            return index
    return end


def _raw_end(markup: str, at: int, name: str) -> int:
    found = re.compile(f"</{name}", re.IGNORECASE).search(markup, at)
    return found.start() if found else len(markup)


def _attributes(inside: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(inside):
        plain = value[1:-1] if value[0] in "\"'" else value
        found.setdefault(name.lower(), html.unescape(plain))
    return found


class _Frame(Struct):
    name: str
    parts: list[Part] = field(default_factory=list)
    count: int = 0  # list items or cells so far


class _Builder:
    """Collects parts while tags open and close."""

    def __init__(self) -> None:
        self.frames = [_Frame("")]
        self.images: list[Image] = []
        self.dropped: dict[str, None] = {}
        self.links = False
        self.skipping: list[str] = []
        self.pending = 0  # line breaks due before the next character
        self.breaks = 0  # line breaks just written
        self.blank = False  # a blank is due before the next character
        self.empty = True  # nothing has been written yet
        self.quoting = False  # directly inside a span
        self.verbatim = 0  # inside pre

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        name = name.rpartition(":")[2]
        self.quoting = False
        if self.skipping:
            if name == self.skipping[-1] and name not in _VOID:
                self.skipping.append(name)
            return
        if name in _DROPPED:
            self.dropped[name] = None
            if name not in _VOID:
                self.skipping.append(name)
        elif name == "br":
            self._break()
        elif name == "img":
            self.images.append(Image(attributes.get("src", ""), tidy(attributes.get("alt", ""))))
        elif name in _VOID:
            self._block(2 if name == "hr" else 0)
        else:
            self._open(name, attributes)

    def end(self, name: str) -> None:
        name = name.rpartition(":")[2]
        self.quoting = False
        if self.skipping:
            if name == self.skipping[-1]:
                self.skipping.pop()
            return
        if name in _PARAGRAPHS or name in _LINES:
            self._block(2 if name in _PARAGRAPHS else 1)
        if name == "pre" and self.verbatim:
            self.verbatim -= 1
        if any(frame.name == name for frame in self.frames[1:]):
            while self.frames[-1].name != name:
                self._close()
            self._close()

    def characters(self, text: str) -> None:
        if self.skipping or not text:
            return
        if self.quoting and len(text) == 1 and text in " \t*`":
            self.quoting = False
            self._flush()
            self._add(Quoted(text) if text in "*`" else Plain(text))
            return
        self.quoting = False
        if self.verbatim:
            self._flush()
            self._add(Plain(text.replace("\r\n", "\n").replace("\r", "\n")))
            return
        folded = _BLANKS.sub(" ", text)
        if folded.startswith(" "):
            self.blank = True
        body = folded.strip(_BLANK)
        if body:
            self._flush()
            self._add(Plain(body))
            self.blank = folded.endswith(" ")

    def finish(self) -> HtmlText:
        while len(self.frames) > 1:
            self._close()
        return HtmlText(
            text=tidy(_written(tuple(self.frames[0].parts))),
            images=tuple(self.images),
            dropped=tuple(self.dropped),
            links=self.links,
        )

    def _open(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "a" and attributes.get("href"):
            self.links = True
        if name in _PARAGRAPHS or name in _LINES:
            self._block(2 if name in _PARAGRAPHS else 1)
        if name == "li":
            parent = next((f for f in reversed(self.frames) if f.name in ("ul", "ol")), None)
            if parent:
                parent.count += 1
                self._flush()
                mark = f"{parent.count}." if parent.name == "ol" else "-"
                self._add(Plain(f"{mark} "))
        elif name in ("td", "th"):
            row = next((f for f in reversed(self.frames) if f.name == "tr"), None)
            if row:
                row.count += 1
                if row.count > 1:
                    self._flush()
                    self._add(Plain(" | "))
        elif name == "pre":
            self.verbatim += 1
        if len(self.frames) < DEPTH_MAX:
            if name in _STRONG | _EMPHASIS | _CODE:
                self._flush()
            self.frames.append(_Frame(name))
        self.quoting = name == "span" and not attributes

    def _close(self) -> None:
        frame = self.frames.pop()
        parts = tuple(frame.parts)
        into = self.frames[-1].parts
        if frame.name in _STRONG:
            into.extend(_marked(parts, Strong))
        elif frame.name in _EMPHASIS:
            into.extend(_marked(parts, Emphasis))
        elif frame.name in _CODE:
            into.extend(_coded(parts))
        elif frame.name in ("sup", "sub") and parts:
            into.append(Plain(_shifted(_letters(parts), frame.name)))
        else:
            into.extend(parts)

    def _break(self) -> None:
        self._flush(with_blank=False)
        self.frames[-1].parts.append(Plain("\n"))
        self.breaks += 1
        self.empty = False

    def _block(self, breaks: int) -> None:
        self.pending = max(self.pending, breaks)
        if breaks:
            self.blank = False

    def _flush(self, *, with_blank: bool = True) -> None:
        """Write the blank or the line breaks that are due."""
        parts = self.frames[-1].parts
        if self.pending and not self.empty:
            missing = max(0, self.pending - self.breaks)
            if missing:
                parts.append(Plain("\n" * missing))
                self.breaks += missing
        elif self.blank and with_blank and not self.empty and not self.breaks:
            parts.append(Plain(" "))
        self.pending = 0
        self.blank = False

    def _add(self, part: Part) -> None:
        self.frames[-1].parts.append(part)
        self.breaks = 0
        self.empty = False


def _written(parts: tuple[Part, ...]) -> str:
    """Return a text that shows the parts, or as much of them as a text can."""
    wanted = shown(parts)
    plain = source(parts)
    if shown(parse(plain)) == wanted:
        return plain
    escaped = source(_escaped(wanted))
    if shown(parse(escaped)) == wanted:
        return escaped
    return escape_marks(_letters(parts))


def _escaped(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    out: list[Part] = []
    for part in parts:
        match part:
            case Plain(text):
                out.append(Plain(quote_marks(text)))
            case Strong(inner):
                out.append(Strong(_escaped(inner)))
            case Emphasis(inner):
                out.append(Emphasis(_escaped(inner)))
            case _:
                out.append(part)
    return tuple(out)


def _letters(parts: tuple[Part, ...]) -> str:
    return "".join(
        _letters(part.parts) if isinstance(part, Strong | Emphasis) else part.text for part in parts
    )


def _lines(parts: tuple[Part, ...]) -> list[list[Part]]:
    """Cut parts at line breaks."""
    lines: list[list[Part]] = [[]]
    for part in parts:
        if isinstance(part, Plain) and "\n" in part.text:
            pieces = part.text.split("\n")
            lines[-1] += [Plain(pieces[0])] if pieces[0] else []
            lines += [[Plain(piece)] if piece else [] for piece in pieces[1:]]
        else:
            lines[-1].append(part)
    return lines


def _marked(parts: tuple[Part, ...], kind: type[Strong] | type[Emphasis]) -> list[Part]:
    """Return the parts with a mark around each line, blanks at the ends outside it."""
    out: list[Part] = []
    for index, line in enumerate(_lines(parts)):
        if index:
            out.append(Plain("\n"))
        before = after = ""
        inner = list(shown(tuple(line))) if _plain_only(line) else line
        if inner and isinstance(inner[0], Plain):
            stripped = inner[0].text.lstrip()
            before = inner[0].text[: len(inner[0].text) - len(stripped)]
            inner[0] = Plain(stripped)
        if inner and isinstance(inner[-1], Plain):
            stripped = inner[-1].text.rstrip()
            after = inner[-1].text[len(stripped) :]
            inner[-1] = Plain(stripped)
        inner = [part for part in inner if part != Plain("")]
        core: list[Part]
        if not inner:
            core = []
        elif kind is Emphasis and len(inner) == 1 and isinstance(inner[0], Strong):
            core = [Strong((Emphasis(_unmarked(inner[0].parts, Emphasis)),))]
        else:
            core = [kind(_unmarked(tuple(inner), kind))]
        out += [Plain(before)] if before else []
        out += core
        out += [Plain(after)] if after else []
    return out


def _plain_only(line: list[Part]) -> bool:
    return all(isinstance(part, Plain) for part in line)


def _unmarked(parts: tuple[Part, ...], kind: type[Strong] | type[Emphasis]) -> tuple[Part, ...]:
    """Return the parts without marks that may not stand inside ``kind``."""
    out: list[Part] = []
    for part in parts:
        if isinstance(part, Strong) or (isinstance(part, Emphasis) and kind is Emphasis):
            out.extend(_unmarked(part.parts, kind))
        else:
            out.append(part)
    return tuple(out)


def _coded(parts: tuple[Part, ...]) -> list[Part]:
    out: list[Part] = []
    for index, line in enumerate(_letters(parts).split("\n")):
        if index:
            out.append(Plain("\n"))
        if line:
            out.append(Plain(line) if "`" in line else Code(line))
    return out


def _shifted(letters: str, name: str) -> str:
    table = _RAISED if name == "sup" else _LOWERED
    if all(letter in table for letter in letters):
        return "".join(table[letter] for letter in letters)
    return f"{'^' if name == 'sup' else '_'}({letters})"
