"""Codes that people read aloud and type: class codes, personal codes, secrets of links.

No look-alikes: no 0 and O, no 1, I and L. Six signs of 31 are 29.7 bits
(case AZ-09); a personal code is a second step behind the class code and locks
after five misses (AZ-15).
"""

from __future__ import annotations

import hashlib
import secrets
import unicodedata

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CLASS_CODE_LENGTH = 6
PERSONAL_CODE_LENGTH = 4
LONGEST_TYPED = 40  # signs, blanks and dashes among them


def new_class_code() -> str:
    return _draw(CLASS_CODE_LENGTH)


def new_personal_code() -> str:
    return _draw(PERSONAL_CODE_LENGTH)


def new_secret() -> str:
    """The secret of a link or a device: 192 bits, safe in an address."""
    return secrets.token_urlsafe(24)


def fingerprint(secret: str) -> str:
    """What is stored of a secret: enough to know it again, not to use it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def typed(code: str) -> str:
    """A code as it was meant: capitals, without blanks and dashes, full-width signs made plain.

    What comes behind the longest that anybody types is left out: the time for marks that are
    heaped on one letter grows with the square of their number.
    """
    plain = unicodedata.normalize("NFKC", code[:LONGEST_TYPED]).upper()
    return "".join(sign for sign in plain if sign.isalnum())


def spaced(code: str) -> str:
    """``KFR 7WM``: how a class code is shown."""
    half = len(code) // 2
    return f"{code[:half]} {code[half:]}"


def _draw(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
