"""A class that plays, for browser tests: made at once on the site, joined through its pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.site import Running

PASSWORD = "four calm words here"

_MAKE = """
import json
from classroom.access import TeacherActor
from classroom.models import Lesson, Student, Teacher
from classroom.services.classrooms import create_classroom
from games.selectors.screens import screen_token
from games.services.decks import load_starters, starter_versions
from games.services.matches import TeamPlan, create_match, start_match

wish = json.loads({wish!r})
load_starters()
teacher = Teacher.objects.create_user(
    email=wish["email"], name="Ms Okafor", password=wish["password"]
)
actor = TeacherActor(teacher)
room = create_classroom(actor=actor, name="7c")
lesson = Lesson.objects.create(classroom=room, state="open", activity="corruption")
board = wish["board"]
versions = {{kind: v.pk for kind, v in starter_versions("corruption", board).items()}}
plans = []
for team in wish["teams"]:
    names = team.pop("names", [])
    ids = [str(Student.objects.create(classroom=room, name=name).pk) for name in names]
    plans.append(TeamPlan(students=tuple(ids), **team))
match = create_match(
    lesson_id=lesson.pk, actor=actor, game="corruption", versions=versions, teams=plans,
    **wish["match"],
)
start_match(match_id=match.pk, actor=actor)
made = {{"lesson": lesson.pk, "match": match.pk, "code": room.code, "token": screen_token(lesson)}}
print("MADE" + json.dumps(made, default=str))
"""


@dataclass(frozen=True)
class ClassInPlay:
    """One lesson with one match of Corruption! that has started."""

    run: Running
    lesson: str
    match: str
    code: str
    token: str  # of the read-only link to its board

    def join(self, context: BrowserContext, name: str) -> Page:
        """A student's browser, from the code to the play page."""
        page = context.new_page()
        page.goto(f"{self.run.url}/join/")
        page.get_by_role("textbox").first.fill(self.code)
        page.get_by_role("textbox").first.press("Enter")
        page.get_by_role("button", name=name).click()
        page.goto(f"{self.run.url}/matches/{self.match}/play/")
        page.locator("#say").wait_for()
        return page

    @property
    def board(self) -> str:
        """Address of the board for all to look at."""
        return f"{self.run.url}/matches/{self.match}/board/?screen={self.token}"


def class_in_play(
    run: Running,
    *teams: Mapping[str, Any],
    email: str = "okafor@school.example",
    board: str = "two-villages",
    **match: Any,
) -> ClassInPlay:
    """Make a class on the site; ``teams`` are fields of TeamPlan, with ``names`` of students."""
    told = {"email": email, "password": PASSWORD, "board": board}
    wish = {**told, "teams": teams, "match": match}
    printed = run.manage("shell", "-c", _MAKE.format(wish=json.dumps(wish)))
    made = json.loads(printed.partition("MADE")[2])
    return ClassInPlay(run, **made)


def phone(browser: Browser, **settings: Any) -> BrowserContext:
    """A small phone of its own."""
    return browser.new_context(**{"viewport": {"width": 360, "height": 740}, **settings})
