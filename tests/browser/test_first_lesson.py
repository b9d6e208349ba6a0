"""From the printed link to ten played turns: a teacher and four students in five browsers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.class_in_play import phone
from tests.browser.first_steps import (
    join,
    make_class,
    on_a_clean_page,
    open_first_account,
    plan_lesson,
)
from tests.browser.watching import Watch, watch
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


@pytest.mark.case("PV-06")
def test_a_first_lesson_from_the_printed_link_to_ten_turns(
    running: Running, browsers: tuple[Page, list[Page], list[Watch]]
) -> None:
    teacher, students, watches = browsers
    open_first_account(teacher, running)
    make_class(teacher, PASTED)
    code = plan_lesson(teacher)
    for page, name in zip(students, NAMES, strict=True):
        join(page, running, code, name)
    lesson = teacher.url.split("/")[4]
    screen, desk = (teacher.context.new_page() for _page in range(2))
    screen.goto(f"{running.url}/lessons/{lesson}/screen/")
    expect(screen.locator(".lobby-screen__names .here")).to_have_count(4)
    desk.goto(f"{running.url}/lessons/{lesson}/desk/")
    expect(desk.get_by_text("Nothing is being played")).to_be_visible()

    teacher.get_by_role("button", name="Start with who is here").click()
    # What was open before goes on by itself.
    expect(screen.locator("#screen .sheet")).to_have_count(2, timeout=10_000)
    expect(desk.locator(".desk__match .desk__team")).to_have_count(2, timeout=10_000)
    expect(desk.locator(".desk__match")).to_have_count(1)
    desk.close()
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
    expect(teacher.get_by_role("button", name="Go on").last).to_be_visible()
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
