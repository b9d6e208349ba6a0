"""Damaged and hostile files: a problem in words, soon, in little memory, or a reading."""

import random

import pytest

from quizzes.formats import catalog
from quizzes.formats.archives import is_archive, open_archive, write_archive
from tests.quizzes.formats.children import read_limited
from tests.quizzes.formats.samples import SAMPLES

ROUNDS = 250


def _mutated(data: bytes, chance: random.Random) -> bytes:
    """Return the file with a few bytes changed, cut out, doubled or moved."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        if not changed:
            break
        at = chance.randrange(len(changed))
        size = chance.choice((1, 1, 2, 8, 64))
        match chance.randrange(5):
            case 0:
                changed[at] = chance.randrange(256)
            case 1:
                del changed[at : at + size]
            case 2:
                changed[at:at] = changed[at : at + size]
            case 3:
                changed[at:at] = chance.choice(TOKENS)
            case _:
                changed = changed[:at]
    return bytes(changed)


TOKENS = (
    b"{",
    b"}",
    b"=",
    b"~",
    b"<",
    b">",
    b"</",
    b"]]>",
    b'"',
    b"'",
    b"\\",
    b"*",
    b"&#x0;",
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"::",
    b"%50%",
    b"->",
    b"ANSWER: Z\n",
    b"9" * 400,
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
    b"\n\n\n",
    b"*a) ",
    b"1. ",
    b"sep=|\n",
)


def _mutated_inside(data: bytes, chance: random.Random) -> bytes:
    """Return an archive with one of its files mutated, packed soundly again."""
    archive = open_archive(data)
    files = {name: archive.read(name) for name in archive.names}
    name = chance.choice(sorted(files))
    return write_archive({**files, name: _mutated(files[name], chance)})


def _sample(key: str) -> bytes:
    fmt = catalog.FORMATS[key]
    return fmt.write([kept for one in SAMPLES if (kept := fmt.carried(one))])


@pytest.mark.parametrize("key", catalog.FORMATS)
def test_damaged_files_never_crash_or_hang_a_reader(key):
    chance = random.Random(key)
    whole = _sample(key)
    files = [(key, _mutated(whole, chance)) for _ in range(ROUNDS)]
    if is_archive(whole):
        files += [(key, _mutated_inside(whole, chance)) for _ in range(ROUNDS)]
    files += [("", data) for _, data in files[:50]]

    answers = read_limited(files)

    assert all(answer["questions"] or answer["codes"] for answer in answers)
    assert max(answer["seconds"] for answer in answers) < 2


@pytest.mark.parametrize("key", catalog.FORMATS)
def test_noise_is_answered_in_words(key):
    chance = random.Random(f"noise {key}")
    files = [(key, chance.randbytes(chance.randint(1, 3_000))) for _ in range(60)]
    files += [(key, data) for data in (b"", b"\0", b"\xef\xbb\xbf", b"PK\x03\x04", b"<", b"{" * 9)]

    answers = read_limited(files)

    assert all(answer["questions"] or answer["codes"] for answer in answers)


@pytest.mark.parametrize("key", ["csv", "text", "gift", "aiken", ""])
def test_large_files_of_nothing_but_syntax_are_answered_soon(key):
    pieces = (
        "1. a\n", "a) b\n", "a\n", "\n", "{", "{=a}\n\n", "=a ~b ", "::a::", "//[tag:a]\n", '"',
        "a,b\n", ",", "ANSWER: A\n", "A. b\n", "<", "\\(", "**a ", "`", "Answer: b\n", "$$", "  ",
    )  # fmt: skip
    files = [(key, (piece * (2**19 // len(piece))).encode()) for piece in pieces]

    answers = read_limited(files)

    assert all(answer["questions"] or answer["codes"] for answer in answers)
    slowest = max(range(len(pieces)), key=lambda at: answers[at]["seconds"])
    assert answers[slowest]["seconds"] < 2, pieces[slowest]
