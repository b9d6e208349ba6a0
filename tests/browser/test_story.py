"""Looking back on a match in a real browser: students, teacher and projector."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.class_in_play import PASSWORD, ClassInPlay, class_in_play, phone
from tests.browser.watching import barriers, small_targets, watch, wider_than_the_screen
from tests.site import Running

PLAY = """
import time
import msgspec
from classroom.access import TeacherActor
from games.bots.bot import bot_move
from games.engine.chance import seeded
from games.models import Match
from games.selectors import positions
from games.services import matches
from games.services.play import Submission

match = Match.objects.select_related("lesson__classroom__owner").get(pk={match!r})
actor = TeacherActor(match.lesson.classroom.owner)
for _move in range(60):
    position = positions.load(match.pk)
    if position.status == "ended":
        break
    opened = position.timing.opened[0]
    bot = next(iter(position.bots.values()))
    move = bot_move(position.rules, position.state, opened.decision, bot, seeded(_move))
    matches.submit_now(match_id=match.pk, actor=actor, submission=Submission(
        decision=opened.version, at=time.time(), move=msgspec.to_builtins(move),
        student=position.teams[opened.decision.seat].members[0].student,
    ))
matches.end_match(match_id=match.pk, actor=actor)
"""


@pytest.fixture(scope="module")
def ended(running: Running, browser: Browser) -> tuple[ClassInPlay, Any]:
    """A match that the teacher ended, and what the browser of a student in it has kept."""
    room = class_in_play(running, {"names": ["Noor"]}, {"names": ["Omar"]})
    context = phone(browser)
    room.join(context, "Noor")
    kept = context.storage_state()
    context.close()
    running.manage("shell", "-c", PLAY.format(match=room.match))
    return room, kept


def story(room: ClassInPlay, page: Page) -> None:
    page.goto(f"{room.run.url}/matches/{room.match}/story/")
    page.locator(".story__board .board").wait_for()


def log_in(room: ClassInPlay, page: Page) -> None:
    page.goto(f"{room.run.url}/accounts/login/")
    page.fill("input[name=login]", "okafor@school.example")
    page.fill("input[name=password]", PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_arrows_and_buttons_go_through_the_match(ended, browser):
    room, kept = ended
    context = phone(browser, storage_state=kept)
    heard = watch(context, room.run.url)
    page = context.new_page()
    story(room, page)
    place = page.locator(".story__place")

    page.keyboard.press("ArrowRight")
    expect(place).to_contain_text("Move 2 of")
    turn = int(place.inner_text().split("turn ")[1].rstrip("."))
    page.get_by_role("button", name="Next turn").click()
    expect(place).to_contain_text(f"turn {turn + 1}.")
    page.get_by_role("button", name="Turn before").click()
    expect(place).to_contain_text(f"turn {turn}.")
    page.get_by_role("slider").press("End")

    last = int(page.get_by_role("slider").get_attribute("max") or 0)
    expect(place).to_contain_text(f"Move {last + 1} of {last + 1}")
    page.locator(".story__board .board").wait_for()
    assert (heard.complaints, heard.foreign) == ([], [])
    context.close()


def test_lines_and_questions_are_there_without_scripts(ended, browser):
    room, kept = ended
    plain = phone(browser, java_script_enabled=False, storage_state=kept)
    page = plain.new_page()

    page.goto(f"{room.run.url}/matches/{room.match}/story/")

    expect(page.locator("svg.plot")).to_be_visible()
    expect(page.get_by_role("heading", name="Your own answers")).to_be_visible()
    plain.close()


@pytest.mark.parametrize(("size", "theme"), [((360, 740), "dark"), ((1920, 1080), "light")])
def test_no_barriers_when_looking_back(ended, browser, size, theme):
    room, _kept = ended
    context = phone(browser, viewport={"width": size[0], "height": size[1]})
    context.add_cookies([{"name": "theme", "value": theme, "url": room.run.url}])
    heard = watch(context, room.run.url)
    page = context.new_page()
    log_in(room, page)
    found, small, wide = [], [], []

    for address in (
        f"/matches/{room.match}/story/",
        f"/matches/{room.match}/results/",
        f"/lessons/{room.lesson}/debrief/",
    ):
        page.goto(room.run.url + address)
        page.wait_for_load_state("networkidle")
        if address.endswith("story/"):
            page.locator(".story__board .board").wait_for()
            page.locator(".story__numbers summary").click()
        found += barriers(page)
        small += small_targets(page)
        wide.append(wider_than_the_screen(page))

    assert found == []
    assert small == []
    assert wide == [0, 0, 0]
    assert (heard.complaints, heard.foreign) == ([], [])
    context.close()
