"""The play page of Corruption! and the board for all, on the running site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.class_in_play import ClassInPlay, class_in_play, phone
from tests.browser.watching import barriers, small_targets, watch, wider_than_the_screen
from tests.site import Running

FIRST_VISIT_KB = 150
STEPS = 150

# In one go, since what is asked may be answered by another member meanwhile.
TAP = """
() => {
  const act = document.querySelector('[data-act]:not([aria-disabled])');
  const voted = document.querySelector('[role=radio][aria-checked=true]');
  const first = document.querySelector('[role=radio]:not([aria-disabled]), .amount + .btn');
  (act ?? (voted ? null : first))?.click();
}
"""

_emails = iter(f"okafor{number}@school.example" for number in range(1, 1000))


@pytest.fixture
def class_of_three(running: Running) -> ClassInPlay:
    return class_in_play(
        running, {"names": ["Noor", "Amina"]}, {"names": ["Omar"]}, email=next(_emails)
    )


def play_on(pages: Iterable[Page], until: Callable[[], bool]) -> None:
    """Do what is asked, the first option always, until something is so."""
    pages = list(pages)
    for _ in range(STEPS):
        if until():
            return
        for page in pages:
            page.wait_for_timeout(30)
            page.evaluate(TAP)
    raise AssertionError("It did not come to that.")


def votes_open(page: Page) -> bool:
    return page.locator("[role=radiogroup]:visible").count() > 0


def test_a_team_is_told_which_it_is_also_while_the_other_one_plays(
    class_of_three: ClassInPlay, browser: Browser
):
    for student, name in (("Noor", "Red"), ("Omar", "Blue")):
        page = class_of_three.join(phone(browser), student)

        expect(page.locator(".mates b")).to_have_text(f"Your team: {name}")
        shown = [
            one for one in page.locator(".side__name").all() if one.bounding_box()["width"] > 1
        ]
        assert [one.inner_text() for one in shown] == [name]  # of the other only the flag
        assert (barriers(page), wider_than_the_screen(page)) == ([], 0)

        page.set_viewport_size({"width": 1366, "height": 768})
        mine = page.locator(".side.own .tag")
        expect(mine).to_have_text(re.compile("Your (turn|team)"))
        expect(mine).to_be_visible()
        expect(page.locator(".side:not(.own) .side__tag--yours")).to_have_count(0)


def test_a_team_votes_and_everybody_sees_what_came_of_it(
    class_of_three: ClassInPlay, browser: Browser
):
    contexts = [phone(browser) for _ in range(3)]
    watches = [watch(context, class_of_three.run.url) for context in contexts]
    noor, amina, omar = (
        class_of_three.join(context, name)
        for context, name in zip(contexts, ("Noor", "Amina", "Omar"), strict=True)
    )
    board = contexts[0].new_page()
    board.goto(class_of_three.board)

    play_on([noor, amina, omar], lambda: noor.locator(".log li").count() > 20)

    assert [heard.complaints for heard in watches] == [[], [], []]
    assert [heard.foreign for heard in watches] == [[], [], []]
    noor.wait_for_timeout(1_500)  # what was tapped last has arrived everywhere
    river = noor.locator(".riverbox b").inner_text()
    expect(omar.locator(".riverbox b")).to_have_text(river)
    expect(board.locator(".board .t-num").first).to_have_text(river)


def test_keyboard_alone_is_enough_to_vote(class_of_three: ClassInPlay, browser: Browser):
    pages = [class_of_three.join(phone(browser), name) for name in ("Noor", "Amina", "Omar")]
    noor = pages[0]
    play_on(pages, lambda: votes_open(noor) and noor.locator(".options [role=radio]").count() > 1)
    noor.locator("#main").focus()

    for _ in range(12):
        noor.keyboard.press("Tab")
        if noor.evaluate("document.activeElement.role === 'radio'"):
            break
    noor.keyboard.press("End")
    noor.keyboard.press("Enter")

    expect(noor.locator(".options [role=radio]").last).to_have_attribute("aria-checked", "true")
    assert noor.evaluate("document.activeElement.role") == "radio"


@pytest.mark.parametrize(
    ("size", "theme"),
    [
        ((360, 740), "light"),
        ((360, 740), "contrast"),
        ((1366, 768), "dark"),
        ((768, 1024), "light"),
    ],
)
def test_no_barriers_on_the_play_page(class_of_three, browser, size, theme):
    context = phone(browser, viewport={"width": size[0], "height": size[1]})
    context.add_cookies([{"name": "theme", "value": theme, "url": class_of_three.run.url}])
    noor = class_of_three.join(context, "Noor")
    others = [class_of_three.join(phone(browser), name) for name in ("Amina", "Omar")]
    play_on([noor, *others], lambda: votes_open(noor))

    found = barriers(noor)
    small = small_targets(noor)
    for tab in noor.locator("#tabs button[aria-current], #tabs button:not([data-opens])").all():
        if tab.is_visible():
            tab.click()
            found += barriers(noor)
            small += small_targets(noor)
    noor.locator("[data-opens=help]:visible").click()
    found += barriers(noor)

    assert found == []
    assert small == []
    assert wider_than_the_screen(noor) == 0


def test_no_barriers_on_the_board_and_the_pages_around(class_of_three, browser):
    page = browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()
    found = {}

    for address in (class_of_three.board, *(f"{class_of_three.run.url}{path}" for path in PAGES)):
        page.goto(address)
        page.locator("h1").first.wait_for()
        found[address] = barriers(page)

    assert {address: lines for address, lines in found.items() if lines} == {}


PAGES = ("/", "/how-to-play/corruption/", "/rules/corruption/")


@pytest.mark.parametrize("width", [320, 768, 1366])
def test_right_to_left_mirrors_the_table(class_of_three, browser, width):
    context = phone(browser, viewport={"width": width, "height": 740}, locale="ar")
    noor = class_of_three.join(context, "Noor")

    red, blue = (noor.locator(f".side.{seat}").bounding_box() for seat in ("red", "blue"))

    assert noor.locator("html").get_attribute("dir") == "rtl"
    assert red["x"] > blue["x"]
    assert wider_than_the_screen(noor) == 0


def test_where_sockets_are_blocked_the_page_asks_again_and_again(class_of_three, browser):
    context = phone(browser)
    context.route_web_socket("**/ws/**", lambda socket: socket.close(code=1006 - 6))
    noor = class_of_three.join(context, "Noor")
    others = [class_of_three.join(phone(browser), name) for name in ("Amina", "Omar")]

    expect(noor.locator("#line")).to_contain_text("only a little slower", timeout=20_000)
    play_on([noor, *others], lambda: noor.locator(".log li").count() > 8)

    assert noor.locator(".log li").count() > 8


def test_a_lost_connection_is_said_and_comes_back(class_of_three, browser):
    context = phone(browser)
    sockets, lost = [], []

    def line(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if not lost:
            socket.connect_to_server()  # otherwise it opens and stays silent

    context.route_web_socket("**/ws/**", line)
    noor = class_of_three.join(context, "Noor")
    expect(noor.locator(".mates .light").first).not_to_have_class(re.compile("unknown"))

    lost.append(True)
    sockets[-1].close(code=1012)
    expect(noor.locator("#line")).to_contain_text("The connection is lost", timeout=10_000)
    lost.clear()
    sockets[-1].close(code=1012)

    expect(noor.locator("#line")).not_to_contain_text("The connection is lost", timeout=20_000)
    assert noor.locator("#said").inner_text() == "The connection is back."


@pytest.mark.parametrize("language", ["en", "fr", "ar"])
def test_first_visit_is_small_and_nothing_jumps(class_of_three, browser, language):
    class_of_three.join(context := phone(browser), "Noor").close()
    fresh = phone(browser, storage_state=context.storage_state(), locale=language)
    page = fresh.new_page()
    devtools = fresh.new_cdp_session(page)
    devtools.send("Network.enable")
    sizes: list[float] = []
    devtools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.add_init_script(
        "window.jumps = 0; new PerformanceObserver((seen) => { for (const one of seen.getEntries())"
        " window.jumps += one.value; }).observe({ type: 'layout-shift', buffered: true });"
    )

    page.goto(f"{class_of_three.run.url}/matches/{class_of_three.match}/play/")
    expect(page.locator(".mates")).to_contain_text("Noor")
    page.wait_for_timeout(500)

    assert sum(sizes) / 1024 <= FIRST_VISIT_KB
    assert page.evaluate("window.jumps") < 0.01


def test_sounds_are_off_until_somebody_wants_them(class_of_three, browser):
    context = phone(browser)
    context.add_init_script(
        "window.tones = 0; const made = AudioContext.prototype.createOscillator;"
        " AudioContext.prototype.createOscillator = function () {"
        " window.tones += 1; return made.call(this); };"
    )
    noor = class_of_three.join(context, "Noor")
    others = [class_of_three.join(phone(browser), name) for name in ("Amina", "Omar")]
    play_on([noor, *others], lambda: noor.locator(".log li").count() > 6)
    assert noor.evaluate("window.tones") == 0

    noor.locator("[data-opens=help]:visible").click()
    switch = noor.locator("#help [data-sound]")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    noor.keyboard.press("Escape")
    begun = noor.evaluate("window.tones")
    lines = noor.locator(".log li").count()
    play_on([noor, *others], lambda: noor.locator(".log li").count() > lines + 3)

    assert 0 < begun < noor.evaluate("window.tones")
    noor.reload()
    expect(noor.locator("#help [data-sound]")).to_have_attribute("aria-pressed", "true")


def test_first_view_is_in_the_page_itself(class_of_three, browser):
    class_of_three.join(context := phone(browser), "Noor").close()
    plain = phone(browser, storage_state=context.storage_state(), java_script_enabled=False)

    page = plain.new_page()
    page.goto(f"{class_of_three.run.url}/matches/{class_of_three.match}/play/")

    assert "roll" in page.locator("#table h2").inner_text().lower()


def test_a_rule_opens_from_the_log(class_of_three, browser):
    context = phone(browser, viewport={"width": 1366, "height": 768})
    noor = class_of_three.join(context, "Noor")

    link = noor.locator(".log a.rule").first
    rule = link.get_attribute("data-rule")
    link.click()

    expect(noor.locator("#rule")).to_be_visible()
    expect(noor.locator("#rule-id")).to_have_text(rule)
    assert len(noor.locator("#rule-text").inner_text()) > 20


def test_the_computers_team_is_marked_on_a_phone_in_its_own_turn_too(running, browser):
    room = class_in_play(running, {"names": ["Noor"]}, {"played_by": "bot"}, email=next(_emails))
    noor = room.join(phone(browser), "Noor")

    marked = "() => document.querySelector('.side.blue.turn .side__bot')?.checkVisibility()"
    play_on([noor], lambda: noor.evaluate("!!document.querySelector('.side.blue.turn')"))

    noor.wait_for_function(marked)
    expect(noor.locator(".side.red .side__bot")).to_have_count(0)


# Where flags would stand, alone and together, and which names of the villages they would hide.
_HIDDEN_NAMES = """
async () => {
  const drawing = performance.getEntriesByType('resource')
    .find(({ name }) => /corruption.board/.test(name));
  const { plan, flagPlace, HALO } = await import(drawing.name);
  const { content } = JSON.parse(document.getElementById('match').textContent);
  const drawn = plan(content, 'wide', false);
  const names = [...document.querySelectorAll('.board--wide .t-cat')].map((one) => {
    const { x, y, width, height } = one.getBBox();
    const way = one.ownerSVGElement.getCTM().inverse().multiply(one.getCTM());
    const at = (px, py) => new DOMPoint(px, py).matrixTransform(way);
    return { name: one.textContent, from: at(x, y), to: at(x + width, y + height) };
  });
  const many = content.squares.length;
  const stands = content.squares.flatMap((_, i) => [[i, i], [i, (i + many / 2 | 0) % many]]);
  const hidden = (at, seat) => {
    const { x, y } = flagPlace(drawn, at, seat);
    const away = ({ from, to }) => Math.hypot(
      Math.max(from.x - x, 0, x - to.x), Math.max(from.y - y, 0, y - to.y));
    return names.filter((one) => away(one) < HALO * drawn.flagSize)
      .map(({ name }) => `${name} ${at[seat]}`);
  };
  return stands.flatMap((at) => [0, 1].flatMap((seat) => hidden(at, seat)));
}
"""


@pytest.mark.parametrize("board", ["two-villages", "one-lesson"])
def test_flags_hide_no_name_of_a_village(running, browser, board):
    room = class_in_play(
        running, {"names": ["Noor"]}, {"names": ["Omar"]}, email=next(_emails), board=board
    )
    page = room.join(browser.new_context(viewport={"width": 1366, "height": 768}), "Noor")
    expect(page.locator(".board--wide .t-cat").first).to_be_visible()

    assert page.evaluate(_HIDDEN_NAMES) == []
