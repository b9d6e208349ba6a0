"""What a log tells about students, and what it is told from.

Three kinds are kept apart for good: knowledge, choices in a role, participation.
None of them is a mark.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from msgspec import Struct


class FactKind(Enum):
    KNOWLEDGE = "knowledge"
    CHOICE = "choice"
    PARTICIPATION = "participation"


class Fact(Struct, frozen=True, kw_only=True):
    """One thing a log tells about one student.

    ``what`` names it inside the game ("token_taken", "qa_alone"); ``about`` is
    the card, question or decision; ``value`` a count or an outcome word.
    """

    kind: FactKind
    student: str
    seat: int
    what: str
    about: str = ""
    topic: str = ""
    value: str | int = 1
    version: int  # of the record that it was read from


class LoggedVote(Struct, frozen=True, kw_only=True):
    """One stored vote: the last of a student in a stage of a decision."""

    decision: int  # version at which the decision opened
    student: str
    seat: int
    stage: str  # "silent" or "open"
    move: Any


class LoggedStep(Struct, frozen=True, kw_only=True):
    """One record of the log with its move and events decoded."""

    version: int
    kind: str  # setup, move, timeout, bot, teacher, join, leave, ...
    seat: int | None = None
    decision: int | None = None
    student: str | None = None  # who acted, or who joined or left
    move: Any = None
    events: tuple[Any, ...] = ()


class Play(Struct, frozen=True, kw_only=True):
    """A whole match as facts are read from it: its log without what was rewound, and its votes."""

    steps: tuple[LoggedStep, ...]
    votes: tuple[LoggedVote, ...]
