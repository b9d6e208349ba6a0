"""What happens to phones in a class: they lock, names are long, a team is of two minds."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.class_in_play import class_in_play, phone
from tests.browser.playing import decide_next
from tests.browser.watching import places, small_targets, wider_than_the_screen
from tests.site import Running, site

LONGEST = "Wilhelmina-Alexandra Constantinopolitanskaya-Featherstonehau"  # sixty letters
ARABIC = "محمد عبد الرحمن بن عبد العزيز"
DICE = 4665  # with them the first vote comes soon
SPLIT_MS = 60_000  # a split is told after 30 s without a change


def test_a_phone_that_was_locked_shows_what_happened_meanwhile(running: Running, browser: Browser):
    room = class_in_play(
        running, {"names": ["Noor"]}, {"names": ["Omar"]}, email="locked@school.example"
    )
    pages = [room.join(phone(browser), name) for name in ("Noor", "Omar")]
    asked = next(one for one in pages if one.locator("[data-act]").count())
    locked = next(one for one in pages if one is not asked)
    locked.context.set_offline(True)
    asked.locator("[data-act]").click()
    expect(asked.locator("[data-act=roll]")).to_have_count(0)

    locked.context.set_offline(False)
    locked.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    newest = asked.locator(".log li").first.locator("span").first
    expect(locked.locator(".log")).to_contain_text(newest.text_content() or "", timeout=30_000)
    expect(locked.get_by_text("The connection is lost")).to_have_count(0, timeout=30_000)


def test_long_and_arabic_names_stay_on_a_small_phone(running: Running, browser: Browser):
    names = [LONGEST, ARABIC]
    room = class_in_play(
        running, {"names": names}, {"names": ["Omar"]}, email="names@school.example"
    )

    page = room.join(phone(browser, viewport={"width": 320, "height": 640}), LONGEST)

    for name in names:
        expect(page.locator(".mates")).to_contain_text(name)
    assert (wider_than_the_screen(page), small_targets(page)) == (0, [])
    board = browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()
    board.goto(room.board)
    expect(board.locator(".screen__board .board")).to_be_visible()
    assert wider_than_the_screen(board) == 0


def test_a_team_of_two_minds_is_told_how_to_go_on(browser: Browser):
    four = ["Ana", "Ben", "Cem", "Dua"]
    with site(seed=DICE) as run:
        room = class_in_play(run, {"names": four}, {"names": ["Omar"]}, board="one-lesson")
        pages = [room.join(phone(browser), name) for name in (*four, "Omar")]
        team = pages[:4]
        options = team[0].locator(".decision > .options [role=radio]")
        while options.count() < 2:
            decide_next(pages)

        for place, page in enumerate(team):
            option = page.locator(".decision > .options [role=radio]").nth(place % 2)
            option.click()
            expect(option).to_have_attribute("aria-checked", "true")

        before = places(options)
        for page in team:
            expect(page.locator(".decision")).to_contain_text("split 2–2", timeout=SPLIT_MS)
        expect(team[0].locator("#said")).to_contain_text("split 2–2")
        assert places(options) == before
