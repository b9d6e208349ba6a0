"""A small activity, so that the classroom is tested without any game."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from classroom import activities
from classroom.access import Actor, StudentActor
from classroom.models import Lesson, Student


class Lanterns(activities.Activity):
    """Leads to a play page once a lesson's settings say that it has started."""

    key = "lanterns"
    title = "Lanterns"
    summary = "A small game for tests."

    def __init__(self) -> None:
        self.begun = True
        self.heard: list[tuple[str, str]] = []
        self.erased: list[str] = []
        self.merged: list[tuple[str, str]] = []

    def launch(self, lesson: Lesson) -> str:
        return f"/lessons/{lesson.pk}/"

    def play(self, lesson: Lesson, student: Student) -> str | None:
        return "/healthz" if lesson.settings.get("started") else None

    def under_way(self, lesson: Lesson) -> bool:
        return self.begun

    def cards(self, lesson: Lesson) -> list[activities.Card]:
        return [activities.Card(title="Match 1", text="red and blue")]

    def closed(self, lesson: Lesson, actor: Actor) -> None:
        self.heard.append(("closed", str(lesson)))

    def arrived(self, lesson: Lesson, actor: StudentActor) -> None:
        self.heard.append(("arrived", actor.student.name))

    def gone(self, student: Student, *, lesson: Lesson | None, actor: Actor) -> None:
        self.heard.append(("gone", student.name))

    def back(self, student: Student, *, lesson: Lesson, actor: Actor) -> None:
        self.heard.append(("back", student.name))

    def erase(self, student: Student) -> None:
        self.erased.append(student.name)

    def merge(self, guest: Student, student: Student) -> None:
        self.merged.append((guest.name, student.name))

    def export(self, student: Student) -> dict[str, str]:
        return {"seats": "1"}


@pytest.fixture(autouse=True)
def lanterns(monkeypatch):
    """The only registered activity."""
    game = Lanterns()
    monkeypatch.setattr(activities, "_registered", {game.key: game})
    return game


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()
