"""Spreadsheet values as the text a person sees in the cell.

Numbers follow their number format (leading zeros, places, percent, thousands),
dates theirs; where the format leaves the look to the computer's region, dates
are written ISO. Booleans are TRUE and FALSE.
"""

import math
import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal

_REGIONAL = frozenset(("mm-dd-yy", "m/d/yy h:mm", "general"))
_SECTION = re.compile(r'"[^"]*"|\\.|[^;]')
_TOKEN = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.|(E[+-]0+)|(.)')
_DATE_TOKEN = re.compile(
    r'"([^"]*)"|\\(.)|\[(h+|m+|s+)\]|\[[^\]]*\]|(AM/PM|A/P|y+|m+|d+|h+|s+(?:\.0+)?)|(.)',
    re.IGNORECASE,
)
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_UNSHOWN = re.compile(r"_x([0-9A-Fa-f]{4})_")
FORMAT_MAX = 200
_DIGITS_MAX = 40
_WIDE = Context(prec=3 * FORMAT_MAX)


def shown(value: object, number_format: str = "General") -> str:
    """Return what the cell shows. Unknown values show as their plain text."""
    number_format = number_format[:FORMAT_MAX]
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case str():
            return _UNSHOWN.sub(_character, value)
        case int() | float():
            return _number(value, number_format)
        case datetime() | date() | time() | timedelta():
            return _moment(value, number_format)
        case _:
            return str(value)


def escaped(text: str) -> str:
    """Return text as a workbook stores it: what looks like ``_x0041_`` is kept apart."""
    return re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text)


def _character(found: re.Match[str]) -> str:
    char = chr(int(found.group(1), 16))
    return "\n" if char == "\r" else char


def _number(value: float, number_format: str) -> str:
    if not math.isfinite(value):
        return str(value)
    sections = _sections(number_format)
    first = sections[0].strip()
    if first.lower() in ("", "general", "@") or "/" in first:
        return _general(value)
    number = Decimal(value) if isinstance(value, int) else Decimal(repr(value))
    if number.adjusted() > _DIGITS_MAX or number.adjusted() < -_DIGITS_MAX:
        return _general(value)
    section, sign = first, "-" if number < 0 else ""
    if number < 0 and len(sections) > 1:
        section, sign = sections[1], ""
    elif number == 0 and len(sections) > 2:
        section = sections[2]
    shown_number = _formatted(abs(number), section)
    return f"{sign}{shown_number}".strip()


def _general(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    text = format(value, ".15g")
    if "e" in text and 1e-10 < abs(value) < 1e16:
        return format(Decimal(text), "f")
    return text.replace("e", "E")


def _sections(number_format: str) -> list[str]:
    sections = [""]
    at = 0
    while at < len(number_format):
        found = _SECTION.match(number_format, at)
        if found is None:  # the separator
            sections.append("")
            at += 1
        else:
            sections[-1] += found.group()
            at = found.end()
    return sections


def _formatted(number: Decimal, section: str) -> str:
    """Return a number of no sign by one section of a format."""
    tokens: list[tuple[bool, str]] = []  # (is it a placeholder, what)
    for quoted, escaped_char, currency, power, char in _TOKEN.findall(section):
        if power:
            places = section.partition("E")[0].partition(".")[2].count("0")
            return format(number, f".{places}E")
        if char in ("0", "#", "?", ".", ",", "%"):
            tokens.append((True, char))
        else:
            tokens.append((False, quoted or escaped_char or currency or char))
    marks = "".join(what for is_mark, what in tokens if is_mark)
    if not set(marks) & set("0#?"):
        return "".join(what for _, what in tokens) or _general(float(number))
    percent = marks.count("%")
    digits = marks.replace("%", "")
    scale = len(digits) - len(digits.rstrip(","))
    whole_marks, _, part_marks = digits.rstrip(",").partition(".")
    grouped = "," in whole_marks
    places = sum(mark in "0#?" for mark in part_marks)
    scaled = number.scaleb(2 * percent - 3 * scale, _WIDE)
    rounded = scaled.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _WIDE)
    whole, _, part = format(rounded, "f").partition(".")
    optional = len(part_marks) - len(part_marks.rstrip("#?"))
    for _ in range(optional):
        part = part.removesuffix("0") if part.endswith("0") else part
    if whole == "0" and "0" not in whole_marks:
        whole = ""
    return _filled(tokens, whole, part, grouped=grouped)


def _filled(tokens: list[tuple[bool, str]], whole: str, part: str, *, grouped: bool) -> str:
    """Put the digits into the placeholders, literals in between."""
    point = next((at for at, token in enumerate(tokens) if token == (True, ".")), len(tokens))
    before: list[str] = []
    digits = list(whole)
    left = [at for at, (is_mark, what) in enumerate(tokens[:point]) if is_mark and what in "0#?"]
    written = 0
    for at in range(point - 1, -1, -1):
        is_mark, what = tokens[at]
        if not is_mark:
            before.append(what)
        elif what == "%":
            before.append("%")
        elif what != ",":
            rest = digits[::-1] if left and at == left[0] else digits[-1:][::-1]
            fill = rest or (["0"] if what == "0" else [])
            for digit in fill:
                if grouped and written and written % 3 == 0:
                    before.append(",")
                before.append(digit)
                written += 1
            del digits[len(digits) - len(rest) :]
    after: list[str] = []
    decimals = list(part)
    for is_mark, what in tokens[point:]:
        if not is_mark or what == "%":
            after.append(what)
        elif what == ".":
            after.append("." if part else "")
        elif decimals:
            after.append(decimals.pop(0))
    return "".join(reversed(before)) + "".join(after)


def _moment(value: date | time | timedelta, number_format: str) -> str:
    section = _sections(number_format)[0]
    if isinstance(value, timedelta):
        seconds = int(value.total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if section.lower() in _REGIONAL or section.startswith("[$-F"):
        return _iso(value)
    tokens = _DATE_TOKEN.findall(section)
    codes = [code.lower() for _, _, _, code, _ in tokens]
    half_day = any(code in ("am/pm", "a/p") for code in codes)
    out: list[str] = []
    for at, (quoted, escaped_char, _, code, char) in enumerate(tokens):
        if not code:
            out.append(quoted or escaped_char or ("" if char == "@" else char))
            continue
        near = [other for other in codes[:at] if other][-1:], [c for c in codes[at + 1 :] if c][:1]
        minutes = (
            code.lower()[0] == "m"
            and len(code) < 3
            and ((near[0][:1] and near[0][0][0] == "h") or (near[1][:1] and near[1][0][0] == "s"))
        )
        out.append(_date_part(value, "n" * len(code) if minutes else code.lower(), half_day))
    return "".join(out).strip() or _iso(value)


def _iso(value: date | time) -> str:
    if isinstance(value, datetime):
        if value.time() == time():
            return value.date().isoformat()
        return value.isoformat(sep=" ", timespec="minutes" if not value.second else "seconds")
    return value.isoformat()


def _date_part(value: date | time, code: str, half_day: bool) -> str:
    clock = value if isinstance(value, time | datetime) else time()
    day = value if isinstance(value, date) else date(1899, 12, 31)
    size = len(code)
    hour = (clock.hour % 12 or 12) if half_day else clock.hour
    match code[0]:
        case "y":
            return f"{day.year:04}" if size > 2 else f"{day.year % 100:02}"
        case "m" if size > 2:
            name = _MONTHS[day.month - 1]
            return name if size == 4 else name[:3] if size == 3 else name[0]
        case "m":
            return f"{day.month:0{size}}"
        case "d" if size > 2:
            name = _DAYS[day.weekday()]
            return name if size > 3 else name[:3]
        case "d":
            return f"{day.day:0{size}}"
        case "h":
            return f"{hour:0{min(size, 2)}}"
        case "n":
            return f"{clock.minute:0{size}}"
        case "s":
            return f"{clock.second:0{min(size, 2)}}"
        case _:
            return ("AM" if clock.hour < 12 else "PM")[: 1 if code == "a/p" else 2]
