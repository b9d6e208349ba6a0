"""Compiled catalogues from the .po files, without msgfmt (babel is pure Python)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

_BRACE = re.compile(r"\{(\w*)\}")


@dataclass(frozen=True)
class Complaint:
    """What is wrong with one message of one catalogue."""

    path: Path
    line: int | None
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line or 0}: {self.text}"


def catalogues(root: Path) -> list[Path]:
    """The .po files below a locale folder, in order."""
    return sorted(root.glob("*/LC_MESSAGES/*.po"))


def compile_changed(root: Path) -> list[Path]:
    """Write each .mo that is absent or older than its .po. Returns those written."""
    written = []
    for po in catalogues(root):
        mo = po.with_suffix(".mo")
        if mo.exists() and mo.stat().st_mtime >= po.stat().st_mtime:
            continue
        with po.open("rb") as source:
            catalogue = read_po(source, locale=po.parent.parent.name)
        part = mo.with_suffix(f".{os.getpid()}.part")  # two sites may start at once
        with part.open("wb") as target:
            write_mo(target, catalogue)
        part.replace(mo)
        written.append(mo)
    return written


def complaints(root: Path) -> list[Complaint]:
    """Messages that would break a page: placeholders lost, plural forms missing."""
    found = []
    for po in catalogues(root):
        with po.open("rb") as source:
            catalogue = read_po(source, locale=po.parent.parent.name, abort_invalid=True)
        for message, errors in catalogue.check():
            found += [Complaint(po, message.lineno, str(error)) for error in errors]
        for message in catalogue:
            found += [Complaint(po, message.lineno, text) for text in _braces(message)]
    return found


def unfinished(root: Path) -> list[Complaint]:
    """Messages that a reader would still see in English: untranslated, fuzzy or half done."""
    found = []
    for po in catalogues(root):
        with po.open("rb") as source:
            catalogue = read_po(source, locale=po.parent.parent.name, abort_invalid=True)
        for message in catalogue:
            forms = _forms(message)
            if not message.id:
                continue
            if message.fuzzy:
                found.append(Complaint(po, message.lineno, f"fuzzy: {message.id}"))
            elif not all(forms):
                found.append(Complaint(po, message.lineno, f"untranslated: {message.id}"))
            elif message.pluralizable and len(forms) != catalogue.num_plurals:
                found.append(Complaint(po, message.lineno, f"plural forms missing: {message.id}"))
    return found


def _forms(message: Message) -> list[str]:
    """The translations of a message: one, or one for each plural form."""
    given = message.string or ""
    return [given] if isinstance(given, str) else list(given)


def _braces(message: Message) -> Iterator[str]:
    """Values in ``{name}`` form that a translation does not know or, without plural, loses."""
    sources = [message.id] if isinstance(message.id, str) else list(message.id)
    wanted = {name for source in sources for name in _BRACE.findall(source)}
    for form in _forms(message):
        used = set(_BRACE.findall(form))
        if unknown := used - wanted:
            yield f"unknown placeholders {sorted(unknown)}"
        elif form and len(sources) == 1 and wanted - used:
            yield f"missing placeholders {sorted(wanted - used)}"
