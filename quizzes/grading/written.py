"""When two written answers are the same.

Not told apart: capital and small letters; runs of blanks; full-width and other
compatibility forms; digits of any script; kinds of quotation marks, apostrophes
and dashes; punctuation at either end; Arabic vowel signs, tatweel and the forms
of alef and final yeh. Told apart but close: letters with and without accents.
"""

import re
import unicodedata

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ´`′", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("أإآٱ", "ا"),
        "ى": "ي",
        "ـ": None,
        "\u00ad": None,
        **{chr(code): None for code in range(0x064B, 0x0653)},
        **{chr(code): None for code in (*range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060)},
    }
)
_ENDS = " .,;:!?\"'…()[]¿¡؟،؛"
_BLANKS = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return the form in which two same answers are equal."""
    alike = unicodedata.normalize("NFKC", text.translate(_ALIKE)).translate(_ALIKE)
    digits = "".join(str(int(c)) if c.isdecimal() else c for c in alike)
    folded = unicodedata.normalize("NFC", digits.casefold())
    blanks = _BLANKS.sub(" ", folded)
    stripped = blanks.strip(_ENDS)
    return stripped or blanks.strip()  # an answer that is all punctuation stays


def without_accents(text: str) -> str:
    """Return the plain form with all accents taken off."""
    apart = unicodedata.normalize("NFD", plain(text))
    bare = "".join(char for char in apart if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", bare)
