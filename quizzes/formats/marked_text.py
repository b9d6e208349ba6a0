"""Texts of formats that carry HTML: what they say, and what could not come along.

Everything that is dropped is noted beside the question. The first picture of a
question becomes its picture; it is taken from the file or from a ``data:``
address, never fetched.
"""

import base64
import binascii
import html
import re
from collections.abc import Callable

from msgspec import Struct

from quizzes.formats import pictures as kept_pictures
from quizzes.formats.html_text import HtmlText, Image, from_html
from quizzes.formats.question import ALT_MAX, Picture
from quizzes.formats.reading import Ledger
from quizzes.formats.text import escape_marks, tidy, tidy_line, to_html

KINDS = ("html", "moodle", "plain", "markdown")
_HTML = re.compile(r"</?[a-zA-Z][^<>]*>|&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]\w*);")
_BLOCKS = re.compile(r"<(?:p|div|br|li|ul|ol|table|h\d|pre)\b", re.IGNORECASE)
_REMOTE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//|\s*(?:https?|ftp|file):", re.IGNORECASE)
_QUOTED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_DATA = re.compile(r"\s*data:image/[a-z+.-]+;base64,([A-Za-z0-9+/=\s]+)", re.IGNORECASE)

Resolve = Callable[[str], bytes | None]


class Stem(Struct, frozen=True):
    """The text of a question and its picture."""

    text: str
    picture: Picture | None


def interpret(text: str, kind: str) -> HtmlText:
    """Return what text of one of Moodle's formats says. ``kind`` is one of ``KINDS``."""
    if kind == "html":
        return from_html(text)
    if kind == "markdown":
        return HtmlText(tidy(text))
    if kind == "plain" or not _HTML.search(text):
        return HtmlText(escape_marks(tidy(text)))
    if not _BLOCKS.search(text):
        text = text.strip().replace("\n", "<br>")
    return from_html(text)


def words(found: HtmlText, ledger: Ledger) -> str:
    """Return the text alone; pictures in it are told and left out."""
    _note_dropped(found, ledger)
    for image in found.images:
        ledger.note("picture.remote" if _REMOTE.match(image.src) else "picture.place",
                    text=image.src[:80])  # fmt: skip
    return found.text


def stem(found: HtmlText, ledger: Ledger, resolve: Resolve) -> Stem:
    """Return the text with the first picture that can be had.

    ``resolve`` returns the bytes of a name in the file, or None.
    """
    _note_dropped(found, ledger)
    picture: Picture | None = None
    for image in found.images:
        if picture:
            ledger.note("picture.place", text=image.src[:80])
        else:
            picture = _picture(image, ledger, resolve)
    return Stem(found.text, picture)


def stem_html(text: str, picture: Picture | None, src: str) -> str:
    """Return the text as HTML with its picture below; ``src`` is where the file has it."""
    body = f"<p>{to_html(text)}</p>"
    if picture is None:
        return body
    alt = html.escape(picture.alt).replace("\n", "&#10;").replace("\t", "&#9;")
    return f'{body}<p><img src="{src}" alt="{alt}" /></p>'


def _note_dropped(found: HtmlText, ledger: Ledger) -> None:
    for name in found.dropped:
        ledger.note("note.markup", text=found.text, what=name)
    if found.links:
        ledger.note("note.links", text=found.text)


def _picture(image: Image, ledger: Ledger, resolve: Resolve) -> Picture | None:
    shown = image.src[:80]
    inline = _DATA.match(image.src)
    if inline:
        data = decoded(inline.group(1))
    elif _REMOTE.match(image.src):
        ledger.note("picture.remote", text=shown)
        return None
    else:
        data = resolve(image.src)
    if data is None:
        ledger.note("picture.missing", text=shown)
        return None
    ref = kept_pictures.reference(data)
    if not ref:
        ledger.note("picture.kind", text=shown)
        return None
    ledger.pictures[ref] = data
    alt = tidy_line(image.alt)[:ALT_MAX].rstrip()
    if not alt:
        ledger.note("picture.no-alt", text=shown)
    return Picture(ref=ref, alt=alt)


def unquoted(address: str) -> str:
    """Return an address with ``%20`` and the like as the letters they stand for."""
    return _QUOTED.sub(
        lambda found: bytes.fromhex(found.group().replace("%", "")).decode("utf-8", "replace"),
        address,
    )


def decoded(text: str) -> bytes | None:
    """Return base64 as bytes, or None if it is none."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
