"""Log lines without names and without keys (case AZ-12).

A log may be mailed to somebody who helps. It says what happened, not to whom:
e-mail addresses, query strings and the secrets in links are cut out, whoever
wrote them into the line.
"""

from __future__ import annotations

import logging
import re
import time
from datetime import datetime
from functools import partial

# Both take a whole run of signs, also one that is kept: what is tried again from each sign of a
# path of 60,000 holds the program up for 20 seconds.
_EMAIL = re.compile(r"[\w.+-]+(?P<found>@[\w-]+(?:\.[\w-]+)+)?")
_QUERY = re.compile(r"(?<=[\w/])\?[^\s'\"=]*(?P<found>=)?[^\s'\"]*")
_SECRET = re.compile(r"(/(?:invitation|screen|reset/key|confirm-email)/)[^/\s'\"]{12,}")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Seldom(logging.Filter):
    """Lets the same be said once a minute, in one line without its traceback.

    For what is said again and again as long as Redis is away, or as often as a stranger likes.
    """

    EVERY_S = 60.0

    def __init__(self) -> None:
        super().__init__()
        self._said_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written; its traceback is not."""
        now, said = time.monotonic(), record.getMessage()
        if now - self._said_at.get(said, -self.EVERY_S) < self.EVERY_S:
            return False
        self._said_at = {
            line: at for line, at in self._said_at.items() if now - at < self.EVERY_S
        } | {said: now}
        if record.exc_info:
            record.msg, record.args = "%s: %r", (said, record.exc_info[1])
            record.exc_info = record.exc_text = None
        return True


class Line(logging.Formatter):
    """One event a line (and its traceback), in the site's time zone and with its offset."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        """The line without personal data."""
        if record.name == "uvicorn.error" and _is_about_bytes(record):
            # What a stranger sends is no error of the program (case WS-09).
            record.exc_info = record.exc_text = None
        return without_names(super().format(record))

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        """``2026-03-05 09:15:02.114+01:00``: lines of two machines can be put in order."""
        return datetime.fromtimestamp(record.created).astimezone().isoformat(" ", "milliseconds")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """The line itself, without signs that would turn it around; what follows is set in.

        So nothing that somebody typed looks as if a line of its own began.
        """
        record.message = _CONTROL.sub(lambda sign: ascii(sign[0])[1:-1], record.message)
        record.message = record.message.replace("\n", "\n  ")
        return super().formatMessage(record)


def _is_about_bytes(record: logging.LogRecord) -> bool:
    return record.exc_info is not None and record.exc_info[0] is UnicodeDecodeError


def without_names(line: str) -> str:
    """The same line, with what could name or admit a person cut out."""
    line = _SECRET.sub(r"\1…", line)
    line = _QUERY.sub(partial(_cut, "?…"), line)
    return _EMAIL.sub(partial(_cut, "…@…"), line)


def _cut(shown: str, run: re.Match[str]) -> str:
    return shown if run["found"] else run[0]
