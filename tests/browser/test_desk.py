"""The teacher's desk and the projector on the running site."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.class_in_play import PASSWORD, ClassInPlay, class_in_play
from tests.browser.watching import watch
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
