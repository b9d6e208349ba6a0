"""The projector: several matches fill the picture, and what happens comes forward by itself."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.class_in_play import class_in_play, phone
from tests.browser.playing import decide
from tests.browser.watching import barriers, watch, wider_than_the_screen
from tests.site import Running

PICTURE = {"width": 1920, "height": 1080}
READ_FROM_AFAR_PX = 36
SOON_MS = 60_000  # bots take one to three seconds over a decision

_MATCHES = """
import json
from classroom.access import TeacherActor
from classroom.models import Lesson, Teacher
from classroom.services.classrooms import create_classroom
from games.decks.starters import starters
from games.selectors.screens import screen_token
from games.services.decks import load_starters, starter_versions
from games.services.matches import TeamPlan, create_match, start_match

load_starters()
teacher = Teacher.objects.create_user(email="{email}", name="M", password=None)
actor = TeacherActor(teacher)
lesson = Lesson.objects.create(
    classroom=create_classroom(actor=actor, name="7c"), state="open", activity="corruption"
)
boards = [board.key for board in starters("corruption")]
for place in range({number}):
    chosen = starter_versions("corruption", boards[place % len(boards)])
    match = create_match(
        lesson_id=lesson.pk, actor=actor, game="corruption",
        versions={{kind: version.pk for kind, version in chosen.items()}},
        teams=[TeamPlan(students=(), played_by="bot") for _seat in range(2)],
    )
    start_match(match_id=match.pk, actor=actor)
print("MADE" + json.dumps([str(lesson.pk), screen_token(lesson)]))
"""

# How much of the picture is covered by tiles, and how small the smallest sentence or figure is.
_FILLED = """
() => [...document.querySelectorAll('.tile')].map((one) => one.getBoundingClientRect())
  .reduce((sum, box) => sum + box.width * box.height, 0) / (innerWidth * innerHeight)
"""
_SMALLEST = """
() => Math.min(...[...document.querySelectorAll('.tile :is(.say, .tile__name, .count)')]
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))
"""
# Words that are cut off at the edge of their tile.
_CUT = """
() => [...document.querySelectorAll('.tile__team, .tile__in')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.trim())
"""


_emails = iter(f"teacher{number}@school.example" for number in range(1, 1000))


def overview(running: Running, browser: Browser, number: int) -> Page:
    """The projector of a lesson with so many matches between bots."""
    printed = running.manage("shell", "-c", _MATCHES.format(number=number, email=next(_emails)))
    lesson, token = json.loads(printed.partition("MADE")[2])
    page = browser.new_context(viewport=PICTURE).new_page()
    page.goto(f"{running.url}/lessons/{lesson}/screen/?screen={token}")
    expect(page.locator(".tile .board")).to_have_count(number)
    return page


@pytest.mark.parametrize("number", [2, 3, 8])
def test_matches_side_by_side_fill_the_picture(running, browser, number):
    page = overview(running, browser, number)
    heard = watch(page.context, running.url)

    assert page.evaluate(_FILLED) > 0.9
    assert page.evaluate(_SMALLEST) >= READ_FROM_AFAR_PX
    assert page.evaluate(_CUT) == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert (barriers(page), wider_than_the_screen(page)) == ([], 0)
    forward = page.locator(".tile :is(.moment, .tile__glimpse)").filter(visible=True)
    expect(forward.first).to_be_visible(timeout=SOON_MS)
    assert (heard.complaints, heard.foreign) == ([], [])


def test_tiles_stack_on_a_small_screen(running, browser):
    page = overview(running, browser, 2)
    page.set_viewport_size({"width": 360, "height": 740})

    assert wider_than_the_screen(page) == 0
    page.locator(".tile").last.click()
    expect(page.locator(".screen__say h1")).to_be_visible()


def test_a_question_stays_in_front_without_its_answer_until_it_is_answered(running, browser):
    room = class_in_play(
        running, {"names": ["Noor"]}, {"names": ["Omar"]}, email="question@school.example"
    )
    pages = [room.join(phone(browser), name) for name in ("Noor", "Omar")]
    board = browser.new_context(viewport=PICTURE).new_page()
    board.goto(room.board)
    expect(board.locator(".ahead li")).to_have_count(6)
    assert all(board.locator(".ahead__name").all_inner_texts())

    to_the_question(running, room.match)

    question = board.locator(".moment .question")
    expect(question.locator(".answer")).to_have_count(4)
    expect(question.locator(".right")).to_have_count(0)
    board.clock.install()
    board.clock.fast_forward(30_000)
    expect(question.locator(".right")).to_have_count(0)
    team = [page for page in pages if page.locator(".decision > .answers").count()]
    decide(team, lambda _page, button: button.click())
    expect(question.locator(".right")).to_have_count(1)


def to_the_question(running: Running, match: str) -> None:
    """Play on until a question is open."""
    running.manage("shell", "-c", _TO_THE_QUESTION.format(match=match))


_TO_THE_QUESTION = """
import time
import msgspec
from classroom.access import TeacherActor
from games.bots.bot import bot_move
from games.engine.chance import seeded
from games.models import Match
from games.services import log, matches
from games.services.play import Submission

match = Match.objects.select_related("lesson__classroom__owner").get(pk={match!r})
actor = TeacherActor(match.lesson.classroom.owner)
for number in range(600):
    position = log.load(match.pk)
    if position.state.question is not None and position.state.question.asked:
        break
    opened = position.timing.opened[0]
    bot = next(iter(position.bots.values()))
    move = bot_move(position.rules, position.state, opened.decision, bot, seeded(number))
    matches.submit_now(match_id=match.pk, actor=actor, submission=Submission(
        decision=opened.version, at=time.time(), move=msgspec.to_builtins(move),
        student=position.teams[opened.decision.seat].members[0].student,
    ))
assert not position.state.question.answered
"""
