"""From the printed link to ten played turns: a teacher and four students in five browsers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.class_in_play import PASSWORD, phone
from tests.browser.watching import Watch, barriers, watch, wider_than_the_screen
from tests.site import Running

NAMES = ["Amina", "Bilal", "Ana (1)", "محمد عبد الرحمن"]
PASTED = "1. Amina\n2. Bilal\nAna\nAna\nمحمد عبد الرحمن"
TURNS = 10

# The first thing that can be done, in one go: another member may answer meanwhile.
ACT = """
() => {
  const act = document.querySelector('[data-act]:not([aria-disabled])');
  const voted = document.querySelector('[role=radio][aria-checked=true]');
  const first = document.querySelector('[role=radio]:not([aria-disabled]), .amount + .btn');
  (act ?? (voted ? null : first))?.click();
}
"""


def on_a_clean_page(page: Page) -> None:
    """No barrier for anybody, and nothing wider than the screen."""
    assert barriers(page) == [], page.url
    assert wider_than_the_screen(page) == 0, page.url


def open_first_account(page: Page, run: Running) -> None:
    page.goto(run.url + urlsplit(run.first_link()).path)
    on_a_clean_page(page)
    page.get_by_label("Your name").fill("Ms Okafor")
    page.get_by_label("E-mail").fill("okafor@school.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main form button").last.click()
    expect(page.get_by_role("heading", name="Your classes")).to_be_visible()
    on_a_clean_page(page)


def make_class(page: Page) -> None:
    page.get_by_role("link", name="Make your first class").click()
    page.get_by_label("Name of the class").fill("7c")
    page.locator("main form button").last.click()
    page.get_by_role("textbox", name=re.compile("one a line")).fill(PASTED)
    on_a_clean_page(page)
    page.locator("main form button").last.click()
    expect(page.get_by_role("heading", name="5 names to add")).to_be_visible()
    on_a_clean_page(page)
    page.get_by_role("button", name="Save 5 names").click()
    expect(page.get_by_role("link", name="Plan a lesson")).to_be_visible()
    on_a_clean_page(page)


def plan_lesson(page: Page) -> str:
    """A lesson with teams of who comes, open for students; the class code."""
    page.get_by_role("link", name="Plan a lesson").click()
    on_a_clean_page(page)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="Set up Corruption! for 7c")).to_be_visible()
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


def turns_played(page: Page) -> int:
    """How many turns have begun, as the log of the page tells (COR-MOVE-6)."""
    return page.locator(".log li", has_text="is to move").count()


@pytest.fixture
def browsers(browser: Browser, running: Running) -> Iterator[tuple[Page, list[Page], list[Watch]]]:
    teacher = browser.new_context(viewport={"width": 1366, "height": 768})
    students = [phone(browser) for _name in NAMES]
    watches = [watch(context, running.url) for context in (teacher, *students)]
    yield teacher.new_page(), [context.new_page() for context in students], watches
    for context in (teacher, *students):
        context.close()


def test_a_first_lesson_from_the_printed_link_to_ten_turns(
    running: Running, browsers: tuple[Page, list[Page], list[Watch]]
) -> None:
    teacher, students, watches = browsers
    open_first_account(teacher, running)
    make_class(teacher)
    code = plan_lesson(teacher)
    for page, name in zip(students, NAMES, strict=True):
        join(page, running, code, name)

    teacher.get_by_role("button", name="Start with who is here").click()
    for page in students:
        page.wait_for_url("**/matches/*/play/")
        page.locator("#say").wait_for()
        on_a_clean_page(page)
    expect(teacher.locator(".desk__person--here")).to_have_count(4, timeout=10_000)
    on_a_clean_page(teacher)

    disturbances = [refresh, open_second_tab, lose_connection]
    done = 0
    for _step in range(600):
        for page in students:
            page.wait_for_timeout(30)
            page.evaluate(ACT)
        turns = turns_played(students[0])
        if disturbances and turns >= done + 2:
            done = turns
            disturbances.pop(0)(students[len(disturbances)])
        if turns >= TURNS:
            break

    assert turns_played(students[0]) >= TURNS
    assert disturbances == []
    teacher.get_by_role("button", name="Pause all").click()
    expect(teacher.get_by_role("button", name="Go on")).to_be_visible()
    students[0].wait_for_timeout(3_000)  # flags walk and fish swim on every screen
    rivers = [page.locator(".riverbox b").inner_text() for page in students]
    assert len(set(rivers)) == 1
    teacher.get_by_role("link", name=re.compile("^(Open|Help)")).first.click()
    expect(teacher.get_by_role("heading", name="What happened")).to_be_visible()
    on_a_clean_page(teacher)
    assert [heard.foreign for heard in watches] == [[]] * 5
    assert [heard.complaints for heard in watches] == [[]] * 5
    assert "1 match" in running.manage("check_matches")


def refresh(page: Page) -> None:
    page.reload()
    page.locator("#say").wait_for()


def open_second_tab(page: Page) -> None:
    """The same student twice in one browser: both play, then the second is closed."""
    second = page.context.new_page()
    second.goto(page.url)
    second.locator("#say").wait_for()
    second.evaluate(ACT)
    second.close()


def lose_connection(page: Page) -> None:
    page.context.set_offline(True)
    page.wait_for_timeout(3_000)
    page.context.set_offline(False)
    expect(page.get_by_text("connection")).to_have_count(0, timeout=15_000)
