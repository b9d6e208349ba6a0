"""How a line of the permission tables is written.

An answer is a status, or ``LOGIN`` (sent to the log-in page), ``JOIN`` (sent to the
page for the class code) or ``GO`` (sent on, because it worked).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.permissions.world import ROLES, World

LOGIN, JOIN, GO = "log in", "join", "go on"
Answer = int | str


@dataclass(frozen=True)
class Line:
    """What one address answers to each role for one method."""

    name: str  # "classroom:classes"
    method: str
    expect: Mapping[str, Answer]
    data: Mapping[str, Any] | Callable[[World], Mapping[str, Any]] | None = None
    args: Callable[[World], Mapping[str, Any]] | None = None  # where the usual ones do not fit

    def __str__(self) -> str:
        return f"{self.method} {self.name}"

    def form(self, world: World) -> Mapping[str, Any]:
        """What is posted."""
        return self.data(world) if callable(self.data) else self.data or {}


def everybody(answer: Answer, **others: Answer) -> dict[str, Answer]:
    """The same for all roles, but for some."""
    return {**dict.fromkeys(ROLES, answer), **others}


def teachers(answer: Answer, *, own: bool = False) -> dict[str, Answer]:
    """The class's teachers; with ``own`` the owner alone. Others learn nothing."""
    return {
        **dict.fromkeys(("anonymous", "guest", "student", "other_student"), LOGIN),
        **dict.fromkeys(("other_teacher", "staff"), 404),
        "co_teacher": 403 if own else answer,
        "owner": answer,
    }


def any_teacher(answer: Answer, **others: Answer) -> dict[str, Answer]:
    """Whoever has an account."""
    return {
        **dict.fromkeys(("anonymous", "guest", "student", "other_student"), LOGIN),
        **dict.fromkeys(("owner", "co_teacher", "other_teacher", "staff"), answer),
        **others,
    }


def administrators(answer: Answer) -> dict[str, Answer]:
    """Site administrators alone."""
    return {**any_teacher(404), "staff": answer}


def players(answer: Answer, *, others: Answer = JOIN) -> dict[str, Answer]:
    """Students and guests of the lesson, from the browser that holds them."""
    return everybody(others, student=answer, guest=answer)
