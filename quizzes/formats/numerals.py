"""Numbers as people write them.

``1 234,5``, ``1,234.5``, ``−3``, ``٣٫٥`` and ``2e3`` are numbers. A lone comma
or point before exactly three digits may be a decimal sign or a thousands sign;
``readings`` returns both, and whoever asks decides.
"""

import re
from decimal import Decimal

DIGITS_MAX = 20
PLACES_MAX = 20

_SPACES = dict.fromkeys(map(ord, " \u00a0\u2009\u202f'\u2019\u066c"))
_SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\ufe63": "-", "\uff0d": "-", "\u066b": "."})
_NUMBER = re.compile(r"([+-]?)(\d[\d.,]*|[.,]\d+)(?:e([+-]?\d{1,2}))?", re.ASCII | re.IGNORECASE)
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*", re.ASCII)


def readings(text: str) -> tuple[Decimal, ...]:
    """Return every number ``text`` may mean: none, one, or two when it is ambiguous."""
    plain = "".join(str(int(c)) if c.isdecimal() else c for c in text.strip()[: 4 * DIGITS_MAX])
    found = _NUMBER.fullmatch(plain.translate(_SIGNS).translate(_SPACES))
    if found is None or len(text.strip()) > 4 * DIGITS_MAX:
        return ()
    sign, body, exponent = found.groups()
    numbers = []
    for digits in _bodies(body):
        if len(digits.replace(".", "")) > DIGITS_MAX:
            continue
        number = Decimal(f"{sign}{digits}e{exponent or 0}")
        if is_sound(number) and number not in numbers:
            numbers.append(number)
    return tuple(numbers)


def is_sound(number: Decimal) -> bool:
    """Say whether the number is finite and short enough to be kept and shown."""
    if not number.is_finite():
        return False
    _, digits, exponent = number.as_tuple()
    if not isinstance(exponent, int) or not -PLACES_MAX <= exponent <= PLACES_MAX:
        return False
    return len(digits) + max(exponent, 0) <= DIGITS_MAX


def number_text(number: Decimal) -> str:
    """Return the number in plain digits with a decimal point: ``-0.50``."""
    return format(number, "f")


def _bodies(body: str) -> tuple[str, ...]:
    """Return the digits with ``.`` as decimal sign, once for each way to read them."""
    commas, points = body.count(","), body.count(".")
    if not commas and not points:
        return (body,)
    if commas and points:
        decimal = max(",.", key=body.rfind)
        other = "." if decimal == "," else ","
        whole, _, part = body.rpartition(decimal)
        if decimal in whole or other in part or not _GROUPED.fullmatch(whole):
            return ()
        return (f"{whole.replace(other, '')}.{part}",)
    mark = "," if commas else "."
    joined = body.replace(mark, "")
    grouped = _GROUPED.fullmatch(body) is not None
    if commas + points > 1:
        return (joined,) if grouped else ()
    decimal_form = body.replace(mark, ".")
    if grouped and mark == "," and not body.startswith("0"):
        return (decimal_form, joined)
    return (decimal_form,)
