"""From the printed link to a lesson that students are in, through the pages alone."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.class_in_play import PASSWORD
from tests.browser.watching import barriers, wider_than_the_screen
from tests.site import Running

EMAIL = "okafor@school.example"


def on_a_clean_page(page: Page) -> None:
    """No barrier for anybody, and nothing wider than the screen."""
    assert barriers(page) == [], page.url
    assert wider_than_the_screen(page) == 0, page.url


def open_first_account(page: Page, run: Running) -> None:
    page.goto(run.url + urlsplit(run.first_link()).path)
    on_a_clean_page(page)
    page.get_by_label("Your name").fill("Ms Okafor")
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main form button").last.click()
    expect(page.get_by_role("heading", name="Your classes")).to_be_visible()
    on_a_clean_page(page)


def make_class(page: Page, names: str) -> None:
    """A class 7c of these names, one a line as a teacher may have them."""
    page.get_by_role("link", name="Make your first class").click()
    page.get_by_label("Name of the class").fill("7c")
    page.locator("main form button").last.click()
    page.get_by_role("textbox", name=re.compile("one a line")).fill(names)
    on_a_clean_page(page)
    page.locator("main form button").last.click()
    expect(page.get_by_role("heading", name=re.compile("names to add"))).to_be_visible()
    on_a_clean_page(page)
    page.get_by_role("button", name=re.compile("^Save . names")).click()
    expect(page.get_by_role("link", name="Plan a lesson")).to_be_visible()
    on_a_clean_page(page)


def plan_lesson(page: Page, board: str = "", devices: str = "") -> str:
    """A lesson with teams of who comes, on a board of this title or the usual one; its code.

    ``devices``: what the teacher says of them, or nothing.
    """
    page.get_by_role("link", name="Plan a lesson").click()
    on_a_clean_page(page)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="Set up Corruption! for 7c")).to_be_visible()
    if board:
        page.get_by_role("radio", name=re.compile(board)).check()
    if devices:
        page.get_by_role("radio", name=re.compile(devices, re.I)).check()
    page.get_by_role("button", name="Make teams").click()
    expect(page.get_by_role("heading", name="Match 1")).to_be_visible()
    on_a_clean_page(page)
    page.get_by_role("button", name="Let the students in").click()
    code = page.locator(".codebox__code")
    expect(code).to_be_visible()
    on_a_clean_page(page)
    return code.inner_text()


def join(page: Page, run: Running, code: str, name: str) -> None:
    page.goto(f"{run.url}/join/")
    on_a_clean_page(page)
    page.get_by_role("textbox").first.fill(code)
    page.get_by_role("button", name="Go on").click()
    on_a_clean_page(page)
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("You are in"))).to_be_visible()
    on_a_clean_page(page)
