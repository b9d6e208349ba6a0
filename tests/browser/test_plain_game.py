"""A game for which nobody has drawn anything is played on the page that any game has."""

from __future__ import annotations

import json

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.class_in_play import phone
from tests.browser.watching import (
    barriers,
    longer_than_the_screen,
    small_targets,
    watch,
    wider_than_the_screen,
)
from tests.site import Running, site

MOST = 60  # decisions of three rounds, and more
SEEN_MS = 20_000

_MAKE = """
import json
from django.conf import settings
from tests.games.world import make_world
world = make_world(2)
match = world.started()
sessions = [world.student_session(student) for student in world.students]
print("MADE" + json.dumps([str(match.pk), settings.SESSION_COOKIE_NAME, sessions]))
"""


def test_a_match_is_played_to_its_end(browser: Browser) -> None:
    with site(seed=1, env={"DJANGO_SETTINGS_MODULE": "tests.lanterns_settings"}) as run:
        contexts = [phone(browser), phone(browser, viewport={"width": 1366, "height": 768})]
        watches = [watch(context, run.url) for context in contexts]
        ana, ben = pages = open_pages(run, contexts)
        expect(ana.locator("#say")).to_have_text("Which card do you lay?")
        expect(ana.locator("#tabs button")).to_have_text(["Decide", "Log", "Help"])
        expect(ana.locator(".strip")).to_contain_text("Dusk")
        for page in pages:
            assert (barriers(page), small_targets(page)) == ([], [])
            assert (wider_than_the_screen(page), longer_than_the_screen(page)) == (0, 0)
        decide, log = (ben.locator(f".table__{part}").bounding_box() for part in ("decide", "log"))
        assert decide is not None
        assert log is not None
        assert decide["width"] > 400  # no empty place where a board would be
        assert log["x"] > decide["x"]

        kinds = play_to_the_end(pages)

        assert {"Which card do you lay?", "Do you contest who leads?"} <= kinds
        for page in pages:
            expect(page.locator(".decision.over")).to_be_visible(timeout=SEEN_MS)
        ana.get_by_role("button", name="Log").click()
        expect(ana.locator(".table__log")).to_contain_text("lit a lantern")
        assert [heard.complaints for heard in watches] == [[], []]


def open_pages(run: Running, contexts: list[BrowserContext]) -> list[Page]:
    """A play page for each of two students, one a team."""
    printed = run.manage("shell", "-c", _MAKE)
    match, cookie, sessions = json.loads(printed.partition("MADE")[2])
    pages = []
    for context, session in zip(contexts, sessions, strict=True):
        context.add_cookies([{"name": cookie, "value": session, "url": run.url}])
        page = context.new_page()
        page.goto(f"{run.url}/matches/{match}/play/")
        expect(page.locator(".mates .light:not(.unknown)")).to_have_count(1)
        pages.append(page)
    return pages


def play_to_the_end(pages: list[Page]) -> set[str]:
    """Do the first thing that is offered, whoever is asked; the sentences that were read."""
    read: set[str] = set()
    for _decision in range(MOST):
        asked = [page for page in pages if page.locator(".decision:not(.waited, .over)").count()]
        if all(page.locator(".decision.over").count() for page in pages):
            return read
        if not asked:
            pages[0].wait_for_timeout(200)
            continue
        page = asked[0]
        say = page.locator("#say").inner_text()
        read.add(say)
        before = page.locator(".log").text_content()
        offered = page.locator("[data-act], .decision > .btn.soft, .decision [role=radio]")
        # What is offered besides a deed lies folded away: a press on it would wait for the clock.
        offered.filter(visible=True).first.click()
        for one in pages:
            one.wait_for_function(
                "told => document.querySelector('.log').textContent !== told",
                arg=before,
                timeout=SEEN_MS,
            )
    raise AssertionError(read)
