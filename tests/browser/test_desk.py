"""The teacher's desk and the projector on the running site."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.class_in_play import PASSWORD, ClassInPlay, class_in_play, phone
from tests.browser.watching import barriers, small_targets, watch, wider_than_the_screen
from tests.site import Running

_emails = iter(f"adeyemi{number}@school.example" for number in range(1, 1000))


@pytest.fixture
def lesson(running: Running) -> tuple[ClassInPlay, str]:
    """A class in play and the address of its teacher's account."""
    email = next(_emails)
    return class_in_play(running, {"names": ["Noor"]}, {"names": ["Omar"]}, email=email), email


def teacher(browser: Browser, run: Running, email: str, **settings: object) -> BrowserContext:
    """The teacher's browser, logged in."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, **settings)
    page = context.new_page()
    page.goto(f"{run.url}/accounts/login/")
    page.fill("input[name=login]", email)
    page.fill("input[name=password]", PASSWORD)
    page.locator("main form button").last.click()
    page.wait_for_url(lambda address: "login" not in address)
    page.close()
    return context


def blocked(context: BrowserContext) -> BrowserContext:
    """The same browser in a network that lets no socket through."""
    context.route_web_socket("**/ws/**", lambda socket: socket.close(code=1000))
    return context


def desk_of(context: BrowserContext, lesson: ClassInPlay) -> Page:
    page = context.new_page()
    page.goto(f"{lesson.run.url}/lessons/{lesson.lesson}/desk/")
    return page


def test_desk_and_projector_go_on_where_sockets_are_blocked(lesson, browser: Browser):
    play, email = lesson
    context = blocked(teacher(browser, play.run, email))
    heard = watch(context, play.run.url)
    desk = desk_of(context, play)
    screen = blocked(browser.new_context()).new_page()
    screen.goto(f"{play.run.url}/lessons/{play.lesson}/screen/?screen={play.token}")
    one = context.new_page()
    one.goto(f"{play.run.url}/matches/{play.match}/desk/")

    expect(desk.locator(".desk__match .desk__team")).to_have_count(2, timeout=20_000)
    expect(screen.locator("#screen .sheet")).to_have_count(2)
    desk.get_by_role("button", name="Pause all").click()

    expect(screen.locator(".screen__say .tag")).to_contain_text("Paused", timeout=20_000)
    expect(one.get_by_role("button", name="Go on")).to_be_visible(timeout=20_000)
    assert heard.complaints == []


def test_the_space_bar_takes_the_next_step_and_alt_p_pauses(lesson, browser: Browser):
    play, email = lesson
    desk = desk_of(teacher(browser, play.run, email), play)
    expect(desk.locator(".desk__match .desk__team")).to_have_count(2)

    desk.keyboard.press("Alt+p")
    expect(desk.locator("[data-next]")).to_have_attribute("data-next", "resume", timeout=10_000)
    desk.locator("body").press("Space")

    expect(desk.locator("[data-next]")).not_to_have_attribute("data-next", "resume")
    expect(desk.get_by_role("button", name="Pause all")).to_be_visible()
    assert barriers(desk) == []
    assert wider_than_the_screen(desk) == 0
    assert small_targets(desk) == []


def test_a_notice_lies_over_the_students_page_until_it_is_closed(lesson, browser: Browser):
    play, email = lesson
    context = teacher(browser, play.run, email)
    noor = play.join(phone(browser), "Noor")
    before = noor.locator("#say").bounding_box()
    desk = desk_of(context, play)

    desk.get_by_text("Tell the students something").click()
    desk.get_by_label("One sentence").fill("Look <i>here</i>.")
    desk.get_by_role("button", name="Tell them").click()

    told = noor.locator(".told")
    expect(told).to_contain_text("Look <i>here</i>.", timeout=10_000)
    assert noor.locator("#say").bounding_box() == before
    assert barriers(noor) == []
    assert wider_than_the_screen(noor) == 0
    told.get_by_role("button", name="Close").click()
    expect(told).to_have_count(0)
