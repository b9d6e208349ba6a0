"""How much one browser may send."""

from __future__ import annotations

import time
from enum import Enum

BAD_MESSAGES = 10
BURST = 20  # messages at once
A_SECOND = 10  # messages on the long run
TOO_FAST = 50  # refused for haste before it is abuse


class Verdict(Enum):
    FINE = "fine"
    TOO_FAST = "too_fast"
    ABUSE = "abuse"


class Limits:
    """Counts what one browser sends: a bucket that fills by the second."""

    __slots__ = ("_allowance", "_bad", "_counted_at", "_hasty")

    def __init__(self) -> None:
        self._allowance = float(BURST)
        self._counted_at = time.monotonic()
        self._hasty = 0
        self._bad = 0

    def message(self) -> Verdict:
        """Another message has come."""
        now = time.monotonic()
        gained = (now - self._counted_at) * A_SECOND
        self._allowance = min(float(BURST), self._allowance + gained)
        self._counted_at = now
        if self._allowance >= 1:
            self._allowance -= 1
            return Verdict.FINE
        self._hasty += 1
        return Verdict.ABUSE if self._hasty > TOO_FAST else Verdict.TOO_FAST

    def bad_message(self) -> Verdict:
        """It was no message of the protocol."""
        self._bad += 1
        return Verdict.ABUSE if self._bad >= BAD_MESSAGES else Verdict.FINE
