"""The teacher's desk and the projector on the running site."""

from __future__ import annotations

from collections import Counter

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


def test_the_end_is_counted_by_the_servers_clock(lesson, browser: Browser):
    play, email = lesson
    context = teacher(browser, play.run, email)
    context.add_init_script("Date.now = () => 1_000_000")  # a computer that is years behind
    desk = desk_of(context, play)

    for minutes in ("40", "4"):
        expect(desk.locator(".desk__match .desk__team")).to_have_count(2)
        expect(desk.locator("[data-five]")).to_be_hidden()
        desk.fill("#minutes", minutes)
        desk.get_by_role("button", name="Set").click()

    expect(desk.locator("[data-five]")).to_be_visible()


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


def test_the_desk_says_that_the_connection_is_lost_as_long_as_it_is(lesson, browser: Browser):
    play, email = lesson
    context = teacher(browser, play.run, email)
    lines = []
    context.route_web_socket(
        "**/ws/lesson/**", lambda line: lines.append(line) or line.connect_to_server()
    )
    desk = desk_of(context, play)
    headline = desk.locator("[data-headline]")
    expect(headline).to_have_text("1 match is being played.")

    context.route("**/now/**", lambda route: route.abort())
    desk.route_web_socket("**/ws/lesson/**", lambda line: line.close())
    lines[-1].close()

    lost = "The connection is lost. It comes back by itself."
    expect(headline).to_have_text(lost)
    desk.wait_for_timeout(2_500)  # the rows are drawn anew each second
    assert headline.inner_text() == lost


_ASKS = """
import time
from games.services import play
from games.services.matches.acts import append

append("{match}", lambda now: play.paused(now, at=time.time(), why="explain", seat=0))
"""


def test_a_team_that_asks_for_an_explanation_is_called_out_until_it_goes_on(
    lesson, browser: Browser
):
    play, email = lesson
    desk = desk_of(teacher(browser, play.run, email), play)
    call = desk.locator(".desk__call")
    expect(desk.locator(".desk__match .desk__team")).to_have_count(2)
    expect(call).to_have_count(0)

    play.run.manage("shell", "-c", _ASKS.format(match=play.match))

    expect(desk.get_by_text("Paused", exact=True)).to_be_visible()
    expect(call).to_contain_text("Red asks you to explain the question.")
    expect(desk.locator("[data-headline]")).to_have_text("1 match needs you.")
    call.get_by_role("button", name="Explained, go on").click()
    expect(desk.locator("[data-headline]")).to_have_text("1 match is being played.")
    expect(call).to_have_count(0)


def test_on_a_phone_the_acts_share_a_line_and_the_code_of_the_projector_is_in_view(
    lesson, browser: Browser
):
    play, email = lesson
    context = teacher(browser, play.run, email)
    desk = desk_of(context, play)
    desk.set_viewport_size({"width": 360, "height": 740})
    expect(desk.locator(".desk__match .desk__team")).to_have_count(2)

    acts = desk.locator(".desk-page .head > .row > *").filter(visible=True).all()
    tops = [round(act.bounding_box()["y"]) for act in acts]
    desk.locator("summary", has_text="Projector").click()

    assert (len(tops), len(set(tops))) == (4, 1)
    assert desk.locator(".menu .code").bounding_box()["x"] >= 0
    assert desk.locator(".desk__match").first.bounding_box()["y"] < 740 / 2 + 60
    assert (barriers(desk), small_targets(desk), wider_than_the_screen(desk)) == ([], [], 0)


_ALL_ACTS = """() => {
  for (const form of document.querySelectorAll(".head form")) form.hidden = false;
  const acts = [...document.querySelectorAll(".head > .row > *")];
  return acts.map((one) => one.getBoundingClientRect().y);
}"""  # as while one match is played and another stands still

_GAPS = """() => {
  const names = [...document.querySelectorAll(".crumb li")].map((one) => {
    const words = document.createRange();
    words.selectNodeContents(one.querySelector("a") ?? one);
    return words.getBoundingClientRect();
  });
  return names.slice(1).map(({ left }, place) => left - names[place].right);
}"""


def test_on_a_phone_five_acts_fill_two_lines_and_the_trail_is_even(lesson, browser: Browser):
    play, email = lesson
    desk = desk_of(teacher(browser, play.run, email), play)
    desk.set_viewport_size({"width": 360, "height": 740})
    expect(desk.locator(".desk__match .desk__team")).to_have_count(2)

    tops = desk.evaluate(_ALL_ACTS)
    gaps = desk.evaluate(_GAPS)

    assert sorted(Counter(tops).values()) == [2, 3]
    assert len(gaps) == 3
    assert max(gaps) - min(gaps) < 2
    assert small_targets(desk) == []


def test_a_team_is_told_that_the_computer_plays_for_it_and_when_it_has_the_word_again(
    lesson, browser: Browser
):
    play, email = lesson
    noor = play.join(phone(browser), "Noor")
    desk = teacher(browser, play.run, email).new_page()
    desk.goto(f"{play.run.url}/matches/{play.match}/desk/")
    told = noor.get_by_text("The computer plays for your team now.")

    desk.get_by_role("button", name="Let the computer play").first.click()

    expect(told).to_be_visible()
    assert (barriers(noor), wider_than_the_screen(noor)) == ([], 0)
    desk.get_by_role("button", name="Give it back to the students").click()
    expect(told).to_have_count(0)


def moved_on(desk: Page, by: int) -> None:
    """Wait until the match's desk shows a later board."""
    before = desk.locator("[data-version]").get_attribute("data-version") or ""
    later = "at => Number(document.querySelector('[data-version]').dataset.version) >= at"
    desk.wait_for_function(later, arg=int(before) + by, timeout=60_000)


def test_a_desk_that_moves_on_loses_neither_the_press_nor_the_focus(
    running: Running, browser: Browser
):
    email = next(_emails)
    play = class_in_play(running, {"played_by": "bot"}, {"played_by": "bot"}, email=email)
    desk = teacher(browser, play.run, email).new_page()
    rows: list[str | bytes] = []

    def keep(row: str | bytes) -> None:  # the list's own method takes no mark of the library's
        rows.append(row)

    desk.on("websocket", lambda line: line.on("framereceived", keep))
    desk.goto(f"{play.run.url}/matches/{play.match}/desk/")
    ending = desk.locator("summary", has_text="End this match")

    ending.focus()
    moved_on(desk, by=3)
    expect(ending).to_be_focused()
    ending.hover()
    desk.mouse.down()
    told = len(rows)
    while len(rows) < told + 2:
        desk.wait_for_timeout(200)
    desk.wait_for_timeout(1_000)  # in which the desk would be drawn anew
    desk.mouse.up()

    expect(desk.get_by_role("button", name="End it now")).to_be_visible()
    ending.click()
    moved_on(desk, by=1)
