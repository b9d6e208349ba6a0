"""All formats by key, and which one a file is in."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from quizzes.formats import (
    aiken,
    carries,
    content_packages,
    csv_table,
    ctdeck,
    encodings,
    gift,
    kahoot,
    moodle_xml,
    plain_text,
    qti2,
    qti3,
    qti12,
    xlsx,
)
from quizzes.formats.archives import Archive, is_archive, open_archive
from quizzes.formats.carries import Carries
from quizzes.formats.problems import Problem, Refused
from quizzes.formats.question import Question
from quizzes.formats.reading import Ledger, Reading

SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
DETECT_BYTES = 200_000
ROOT_WITHIN = 20_000
_ROOTS = {
    "quiz": "moodle",
    "qti-assessment-item": "qti3",
    "assessmentItem": "qti2",
    "questestinterop": "qti12",
}
_RESOURCES = {"imsqti_item_xmlv3": "qti3", "imsqti_item_xmlv2": "qti2", "imsqti_xmlv1p2": "qti12"}
PACKAGED = frozenset(("qti2", "qti3", "qti12"))
_ROOT = re.compile(r"<(?:[\w-]+:)?([A-Za-z][\w-]*)")


class Read(Protocol):
    """Reads a file. ``encoding`` is a key of ``encodings.CODECS`` or None to find out."""

    def __call__(self, data: bytes, encoding: str | None = None) -> Reading: ...


class Write(Protocol):
    """Writes what of the questions the format carries; pictures by reference."""

    def __call__(
        self, questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None
    ) -> bytes: ...


class Format(Struct, frozen=True, kw_only=True):
    """One file format."""

    key: str
    title: str  # as people call it; not translated
    extensions: tuple[str, ...]  # without the dot; the first is written
    media_type: str
    carries: Carries
    read: Read
    write: Write
    fits: Callable[[Question], bool]

    def carried(self, question: Question) -> Question | None:
        """Return what comes back after writing and reading; None if it is left out."""
        return carries.carried(question, self.carries, self.fits)

    def losses(self, questions: Sequence[Question]) -> tuple[Problem, ...]:
        """Return what writing these questions leaves out."""
        return carries.losses(questions, self.title, self.carries, self.fits)


FORMATS: dict[str, Format] = {
    found.key: found
    for found in (
        Format(
            key="ctdeck",
            title="Civic Table package",
            extensions=("ctdeck",),
            media_type="application/zip",
            carries=ctdeck.CARRIES,
            read=ctdeck.read,
            write=ctdeck.write,
            fits=ctdeck.fits,
        ),
        Format(
            key="csv",
            title="CSV",
            extensions=("csv",),
            media_type="text/csv",
            carries=csv_table.CARRIES,
            read=csv_table.read,
            write=csv_table.write,
            fits=csv_table.fits,
        ),
        Format(
            key="tsv",
            title="TSV",
            extensions=("tsv", "tab"),
            media_type="text/tab-separated-values",
            carries=csv_table.CARRIES,
            read=csv_table.read,
            write=csv_table.write_tabs,
            fits=csv_table.fits,
        ),
        Format(
            key="xlsx",
            title="XLSX",
            extensions=("xlsx",),
            media_type=SPREADSHEET,
            carries=xlsx.CARRIES,
            read=xlsx.read,
            write=xlsx.write,
            fits=xlsx.fits,
        ),
        Format(
            key="text",
            title="Plain text",
            extensions=("txt",),
            media_type="text/plain",
            carries=plain_text.CARRIES,
            read=plain_text.read,
            write=plain_text.write,
            fits=plain_text.fits,
        ),
        Format(
            key="gift",
            title="GIFT",
            extensions=("gift", "txt"),
            media_type="text/plain",
            carries=gift.CARRIES,
            read=gift.read,
            write=gift.write,
            fits=gift.fits,
        ),
        Format(
            key="aiken",
            title="Aiken",
            extensions=("txt",),
            media_type="text/plain",
            carries=aiken.CARRIES,
            read=aiken.read,
            write=aiken.write,
            fits=aiken.fits,
        ),
        Format(
            key="moodle",
            title="Moodle XML",
            extensions=("xml",),
            media_type="application/xml",
            carries=moodle_xml.CARRIES,
            read=moodle_xml.read,
            write=moodle_xml.write,
            fits=moodle_xml.fits,
        ),
        Format(
            key="qti2",
            title="QTI 2.1 and 2.2",
            extensions=("zip", "xml"),
            media_type="application/zip",
            carries=qti2.CARRIES,
            read=qti2.read,
            write=qti2.write,
            fits=qti2.fits,
        ),
        Format(
            key="qti12",
            title="QTI 1.2",
            extensions=("zip", "xml"),
            media_type="application/zip",
            carries=qti12.CARRIES,
            read=qti12.read,
            write=qti12.write,
            fits=qti12.fits,
        ),
        Format(
            key="qti3",
            title="QTI 3.0",
            extensions=("zip", "xml"),
            media_type="application/zip",
            carries=qti3.CARRIES,
            read=qti3.read,
            write=qti3.write,
            fits=qti3.fits,
        ),
        Format(
            key="kahoot",
            title="Kahoot-style sheet",
            extensions=("xlsx",),
            media_type=SPREADSHEET,
            carries=kahoot.CARRIES,
            read=kahoot.read,
            write=kahoot.write,
            fits=kahoot.fits,
        ),
    )
}


def detect(data: bytes) -> str:
    """Return the key of the format the file is in, or "" when nothing fits.

    Only the content counts; names and endings of files lie too often.

    Raises:
        Refused: the file is an archive past the limits.
    """
    if is_archive(data):
        return _detect_archive(data)
    text = encodings.decode(data[:DETECT_BYTES]).text.replace("\r\n", "\n").replace("\r", "\n")
    if text.lstrip().startswith("<") and (found := _detect_xml(text)):
        return found
    return _detect_text(text.lstrip("\n"))


def read(data: bytes, *, key: str = "", encoding: str | None = None) -> Reading:
    """Return the questions of a file in the format given, or the one found."""
    ledger = Ledger()
    with ledger.file():
        if not data.strip(b" \t\r\n\0"):
            raise Refused("file.empty")
        found = key or detect(data)
        if not found:
            raise Refused("file.unknown-format")
        return FORMATS[found].read(data, encoding)
    return ledger.finish()


def _detect_text(text: str) -> str:
    first = text.partition("\n")[0]
    separator = csv_table.separator_of(first)
    if not separator:
        if plain_text.looks_so(text):
            return "text"
        if aiken.looks_so(text):
            return "aiken"
        if gift.looks_so(text):
            return "gift"
        separator = csv_table.separator_of(text)
    if separator:
        return "tsv" if separator == "\t" else "csv"
    if csv_table.is_plain_table(text):
        return "csv"
    return "text" if plain_text.has_stars(text) else ""


def _detect_xml(text: str) -> str:
    names = _ROOT.findall(text[:ROOT_WITHIN])
    return next((key for name, key in _ROOTS.items() if name in names), "")


def _detect_archive(data: bytes) -> str:
    archive = open_archive(data, content_packages.ENTRIES_MAX)
    names = archive.names
    if ctdeck.DECK in names:
        return "ctdeck"
    if "xl/workbook.xml" in names:
        return "kahoot" if _is_kahoot(archive) else "xlsx"
    for name in sorted(names, key=lambda name: not name.endswith(content_packages.MANIFEST)):
        if name.lower().endswith((".xml", ".dat")):
            start = archive.read(name)[:ROOT_WITHIN].decode("utf-8", "replace")
            found = _manifest_version(start) or _detect_xml(start)
            if found in PACKAGED:
                return found
    return ""


def _is_kahoot(archive: Archive) -> bool:
    """Say whether the words of that sheet's header stand in one of the first texts."""
    for name in archive.names:
        if name == "xl/sharedStrings.xml" or name.startswith("xl/worksheets/"):
            text = archive.read(name)[:DETECT_BYTES].decode("utf-8", "replace").lower()
            if all(mark in text for mark in kahoot.MARKS) and "answer 1" in text:
                return True
    return False


def _manifest_version(start: str) -> str:
    """Return the format that the types of a manifest's resources name."""
    return next((key for mark, key in _RESOURCES.items() if mark in start), "")
