"""Log lines without names and without keys (QUALITY AZ-12).

A log may be mailed to somebody who helps. It says what happened, not to whom:
e-mail addresses, query strings and the secrets in links are cut out, whoever
wrote them into the line.
"""

from __future__ import annotations

import logging
import re

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
_QUERY = re.compile(r"(?<=[\w/])\?[^\s'\"]*=[^\s'\"]*")
_SECRET = re.compile(r"(/(?:invitation|screen|reset/key)/)[^/\s'\"]{12,}")


class Line(logging.Formatter):
    """One event a line (and its traceback), in the site's time zone."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        """The line without personal data."""
        if record.name == "uvicorn.error" and _is_about_bytes(record):
            # What a stranger sends is no error of the program (QUALITY WS-09).
            record.exc_info = record.exc_text = None
        return without_names(super().format(record))


def _is_about_bytes(record: logging.LogRecord) -> bool:
    return record.exc_info is not None and record.exc_info[0] is UnicodeDecodeError


def without_names(line: str) -> str:
    """The same line, with what could name or admit a person cut out."""
    line = _SECRET.sub(r"\1…", line)
    line = _QUERY.sub("?…", line)
    return _EMAIL.sub("…@…", line)
