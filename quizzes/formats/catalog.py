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
from quizzes.formats.reading import Ledger, Reading, unified

SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP = "application/zip"
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


def _(title: str) -> str:
    """Mark a title for translation."""
    return title


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
    title: str  # as people call it; what has words in it is marked for translation
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


class Module(Protocol):
    """What each module of a format has."""

    @property
    def CARRIES(self) -> Carries: ...  # noqa: N802 - named as in the modules
    @property
    def read(self) -> Read: ...
    @property
    def write(self) -> Write: ...
    @property
    def fits(self) -> Callable[[Question], bool]: ...


def _format(
    key: str,
    title: str,
    module: Module,
    *extensions: str,
    media_type: str,
    write: Write | None = None,
) -> Format:
    """A format as its module has it; ``write``: where the module writes more than one."""
    return Format(
        key=key,
        title=title,
        extensions=extensions,
        media_type=media_type,
        carries=module.CARRIES,
        read=module.read,
        write=write or module.write,
        fits=module.fits,
    )


FORMATS: dict[str, Format] = {
    found.key: found
    for found in (
        _format("ctdeck", _("Civic Table package"), ctdeck, "ctdeck", media_type=ZIP),
        _format("csv", "CSV", csv_table, "csv", media_type="text/csv"),
        _format(
            "tsv",
            "TSV",
            csv_table,
            "tsv",
            "tab",
            media_type="text/tab-separated-values",
            write=csv_table.write_tabs,
        ),
        _format("xlsx", "XLSX", xlsx, "xlsx", media_type=SPREADSHEET),
        _format("text", _("Plain text"), plain_text, "txt", media_type="text/plain"),
        _format("gift", "GIFT", gift, "gift", "txt", media_type="text/plain"),
        _format("aiken", "Aiken", aiken, "txt", media_type="text/plain"),
        _format("moodle", "Moodle XML", moodle_xml, "xml", media_type="application/xml"),
        _format("qti2", _("QTI 2.1 and 2.2"), qti2, "zip", "xml", media_type=ZIP),
        _format("qti12", "QTI 1.2", qti12, "zip", "xml", media_type=ZIP),
        _format("qti3", "QTI 3.0", qti3, "zip", "xml", media_type=ZIP),
        _format("kahoot", _("Kahoot-style sheet"), kahoot, "xlsx", media_type=SPREADSHEET),
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
    text = unified(encodings.decode(data[:DETECT_BYTES]).text)
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
            return "text" if aiken.has_more(text) else "aiken"
        if gift.looks_so(text):
            return "gift"
        separator = csv_table.separator_of(text)
    if separator:
        return "tsv" if separator == "\t" else "csv"
    if plain_text.reads_some(text):
        return "text"
    if csv_table.is_plain_table(text):
        return "csv"
    # What cannot be read as it is can be mended in the preview.
    return "text" if plain_text.has_stars(text) or plain_text.begins_a_question(first) else ""


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
