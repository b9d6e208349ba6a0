"""Bytes into text: which encoding a file was saved in.

Certain: a byte order mark, zero bytes (UTF-16), bytes that are valid UTF-8.
Otherwise Windows-1252, 1250 or 1256 is guessed from the letters that would
appear, and the teacher may choose another in the preview.
"""

import codecs

from msgspec import Struct

CODECS = {
    "utf-8": "utf-8",
    "utf-16": "utf-16",
    "windows-1250": "cp1250",
    "windows-1252": "cp1252",
    "windows-1256": "cp1256",
}
SAMPLE_LETTERS = 4_000

_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)


def _weights(groups: dict[str, float]) -> dict[str, float]:
    return {letter: weight for letters, weight in groups.items() for letter in letters}


# How well a letter speaks for its encoding where the encodings disagree; 0.5 otherwise.
_WEIGHTS = {
    "windows-1252": _weights(
        {"¡¿": 2, "éèàêçñãåœ": 1, "æø": 0.8, "õ": 0.6, "ûù": 0.4, "ì": 0.2, "þð": -1, "ºª³¹¼¾": -2}
    ),
    "windows-1250": _weights(
        {
            "éčěřšąćęłśżő": 1,
            "ůžńźşţť": 0.8,
            "űă": 0.7,
            "ďň": 0.6,
            "ľ": 0.3,
            "ĺ": -0.5,
            "ŕ": -1,
            "ˇ": -2,
        }
    ),
    "windows-1256": {},
}


class Decoded(Struct, frozen=True):
    """Text, and how it was read."""

    text: str
    encoding: str  # a key of CODECS
    certain: bool  # False: guessed
    whole: bool = True  # False: some bytes had no meaning in this encoding


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Return the text of a file, in the given encoding or the one found.

    Raises:
        KeyError: the encoding is not one of ``CODECS``.
    """
    if encoding is not None:
        return _decode_as(data, encoding)
    for mark, name, codec in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], name, codec)
    if b"\0" in data[:4096]:
        sample = data[:4096]
        big = sample[0::2].count(0) > sample[1::2].count(0)
        return _decoded(data, "utf-16", "utf-16-be" if big else "utf-16-le")
    try:
        return Decoded(data.decode("utf-8"), "utf-8", certain=True)
    except UnicodeDecodeError:
        name = _guess(data)
        return _decoded(data, name, CODECS[name], certain=False)


def _decode_as(data: bytes, encoding: str) -> Decoded:
    codec = CODECS[encoding]
    for mark, name, marked in _MARKS:
        if name == encoding and data.startswith(mark):
            return _decoded(data[len(mark) :], name, marked)
    if codec == "utf-16":
        big = data[0:4096:2].count(0) > data[1:4096:2].count(0)
        codec = "utf-16-be" if big else "utf-16-le"
    return _decoded(data, encoding, codec)


def _decoded(data: bytes, name: str, codec: str, *, certain: bool = True) -> Decoded:
    try:
        return Decoded(data.decode(codec), name, certain=certain)
    except UnicodeDecodeError:
        return Decoded(data.decode(codec, "replace"), name, certain=certain, whole=False)


def _guess(data: bytes) -> str:
    sample = _sample(data)
    # On equal terms the one in widest use wins: it stands first.
    names = ("windows-1252", "windows-1250", "windows-1256")
    return max(names, key=lambda name: _score(sample, name))


def _sample(data: bytes) -> bytes:
    """Return enough of the file to hold SAMPLE_LETTERS letters outside ASCII."""
    seen = 0
    for index, byte in enumerate(data):
        seen += byte >= 0x80
        if seen >= SAMPLE_LETTERS:
            return data[: index + 1]
    return data


def _score(sample: bytes, name: str) -> float:
    text = sample.decode(CODECS[name], "replace")
    weights = _WEIGHTS[name]
    score = 0.0
    for index, char in enumerate(text):
        if char < "\x80":
            continue
        before = text[index - 1] if index else " "
        after = text[index + 1] if index + 1 < len(text) else " "
        ascii_beside = (before.isascii() and before.isalpha()) or (
            after.isascii() and after.isalpha()
        )
        if char == "\ufffd":
            score -= 5
        elif "\u0600" <= char <= "\u06ff":
            arabic_beside = "\u0600" <= before <= "\u06ff" or "\u0600" <= after <= "\u06ff"
            score += -1.5 if ascii_beside else 1.5 if arabic_beside else 0
        elif char.isalpha():
            crowded = before > "\x7f" and before.isalpha() and after > "\x7f" and after.isalpha()
            capital_inside = char.isupper() and before.islower()
            score += -1 if crowded or capital_inside else weights.get(char.lower(), 0.5)
        else:
            score += weights.get(char, -1 if ascii_beside and char in "³¹¼¾¿¡ˇ˘¸°" else 0)
    return score
