"""What can be done in a lesson: games and checks register here; the classroom knows none of them.

The only hook between the apps (docs/architecture.md). Register in ``AppConfig.ready``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise

from classroom.access import Actor, StudentActor
from classroom.errors import NotThere
from classroom.models import Lesson, Student


@dataclass(frozen=True)
class Card:
    """One thing to see or do on the pages of a class or lesson."""

    title: str | Promise
    text: str | Promise = ""
    address: str = ""
    tag: str | Promise = ""


@dataclass(frozen=True)
class Section:
    """One part of a page: a template and what it shows."""

    title: str | Promise
    template: str
    context: Mapping[str, Any] = field(default_factory=dict)


class Activity(ABC):
    """A game or a check that a lesson can hold."""

    key: str
    title: str | Promise
    summary: str | Promise = ""

    @abstractmethod
    def launch(self, lesson: Lesson) -> str:
        """The address where the teacher sets up or leads this lesson."""

    def play(self, lesson: Lesson, student: Student) -> str | None:
        """Where this student goes now; None while there is nothing to do but wait."""
        return None

    def introduction(self) -> Section | None:
        """What students may read while they wait."""
        return None

    def under_way(self, lesson: Lesson) -> bool:
        """Whether students may have somewhere to go; ``play`` and ``arrived`` wait for it."""
        return True

    def cards(self, lesson: Lesson) -> Sequence[Card]:
        """What the lesson's page shows of it, for teachers."""
        return ()

    def panels(self, lesson: Lesson) -> Sequence[Section]:
        """Parts of the lesson's page with acts of their own; templates get lesson and panel."""
        return ()

    def next_act(self, lesson: Lesson) -> Section | None:
        """The one large act at the foot of the lesson's page; the template gets lesson and act."""
        return None

    def report_sections(self, lesson: Lesson) -> Sequence[Section]:
        """Its parts of the lesson's report."""
        return ()

    def closed(self, lesson: Lesson, actor: Actor) -> None:  # noqa: B027
        """The lesson is over for today: nothing may go on by itself. Access was checked."""

    def arrived(self, lesson: Lesson, actor: StudentActor) -> None:  # noqa: B027
        """A student is in the lesson: find a place for who came late. Asked again and again."""

    def ticked(  # noqa: B027
        self, students: Sequence[Student], *, lesson: Lesson, actor: Actor
    ) -> None:
        """A teacher noted students as present without a device. Access was checked."""

    def gone(  # noqa: B027
        self, student: Student, *, lesson: Lesson | None, actor: Actor
    ) -> None:
        """A student was sent out of one lesson, or out of all. Access was checked."""

    def back(self, student: Student, *, lesson: Lesson, actor: Actor) -> None:  # noqa: B027
        """A student who was sent out is let in again. Access was checked."""

    def erase(self, student: Student) -> None:  # noqa: B027 - most keep nothing that tells
        """Forget what could still tell who the student was. Inside the caller's transaction."""

    def merge(self, guest: Student, student: Student) -> None:  # noqa: B027
        """Give what a guest did to a student of the roster. Inside the caller's transaction."""

    def export(self, student: Student) -> Mapping[str, Any]:
        """All it holds about the student, as plain values; nobody else's name, no open secret."""
        return {}


_registered: dict[str, Activity] = {}


def register(activity: Activity) -> None:
    """Offer an activity to lessons; the same key again replaces it."""
    _registered[activity.key] = activity


def activities() -> tuple[Activity, ...]:
    """All that is registered, in the order of registration."""
    return tuple(_registered.values())


def activity(key: str) -> Activity:
    """The activity of this key.

    Raises:
        NotThere: nothing of that key is registered.
    """
    try:
        return _registered[key]
    except KeyError:
        raise NotThere from None
