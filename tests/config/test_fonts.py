"""Our own sentences need only the first file of each font; the others wait for names and decks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

ROOT = Path(settings.ROOT)
FACE = re.compile(r'src: url\("\.\./fonts/([\w-]+)\.woff2"\).*?\n\s+unicode-range: ([^;]+);')
FIRST = {"noto-sans-latin", "noto-serif-latin", "noto-sans-arabic"}


def ranges() -> dict[str, set[str]]:
    """The letters that each file is loaded for, as the stylesheet says."""
    css = (ROOT / "static" / "css" / "base.css").read_text(encoding="utf-8")
    return {file: letters_of(listed) for file, listed in FACE.findall(css)}


def letters_of(listed: str) -> set[str]:
    found: set[str] = set()
    for part in listed.split(","):
        first, _, last = part.strip().removeprefix("U+").partition("-")
        found |= {chr(code) for code in range(int(first, 16), int(last or first, 16) + 1)}
    return found


def written() -> set[str]:
    """Every letter of catalogues and of the decks that come with the program."""
    letters: set[str] = set()
    for path in (ROOT / "locale").glob("*/LC_MESSAGES/*.po"):
        with path.open("rb") as file:
            for message in read_po(file):
                for words in (message.id, message.string):
                    letters |= set("".join(words))
    for path in (ROOT / "games" / "decks").rglob("*.yaml"):
        letters |= set(path.read_text(encoding="utf-8"))
    return letters - {"\n", "\t"}


def test_own_sentences_need_the_first_files_alone():
    known = ranges()

    assert written() - known["noto-sans-latin"] - known["noto-sans-arabic"] == set()
    assert known["noto-serif-latin"] == known["noto-sans-latin"]


def test_every_font_file_is_loaded_for_letters_of_its_own():
    known = ranges()
    files = {path.stem for path in (ROOT / "static" / "fonts").glob("*.woff2")}

    assert set(known) == files
    assert files > FIRST
    for family in ("noto-sans-latin", "noto-serif-latin", "noto-sans-arabic"):
        faces = [letters for file, letters in known.items() if file.startswith(family)]
        assert sum(map(len, faces)) == len(set().union(*faces))


@pytest.mark.parametrize("letters", ["éàçœ«»", "Müller Żółć Ștefan", "پژمان گلناز"])
def test_letters_of_names_are_in_some_file(letters):
    assert set(letters) <= set().union(*ranges().values())
