"""Whole matches to the win, through the pages alone: a class with its teacher; two by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.class_in_play import ClassInPlay, class_in_play, phone
from tests.browser.first_steps import join, make_class, open_first_account, plan_lesson
from tests.browser.playing import Decided, play_to_the_end
from tests.browser.watching import barriers, watch, wider_than_the_screen
from tests.site import site

NAMES = ["Amina", "Bilal", "Noor", "Omar"]
SHORT = "Two villages, one lesson"
# With these dice such students need some fifty decisions, a question and an Inspector among them.
SEED = 3856
# With these, two meet every kind of decision but one in sixty-three.
KEYBOARD_SEED = 4665
KINDS = [
    "Roll",
    "Take your fish",
    "may buy",
    "Joker",
    "Inspector",
    "insur",
    "sell",
    "aloud",
    "right",
]
MOST_TABS = 40  # from one thing on a page to any other
FOCUS = "document.activeElement"


def test_a_class_plays_a_match_to_the_win(browser: Browser) -> None:
    with site(seed=SEED) as run:
        contexts = [browser.new_context(viewport={"width": 1366, "height": 768})]
        contexts += [phone(browser) for _name in NAMES]
        watches = [watch(context, run.url) for context in contexts]
        teacher, *students = [context.new_page() for context in contexts]
        open_first_account(teacher, run)
        make_class(teacher, "\n".join(NAMES))
        code = plan_lesson(teacher, SHORT)
        for page, name in zip(students, NAMES, strict=True):
            join(page, run, code, name)
        teacher.get_by_role("button", name="Start with who is here").click()
        for page in students:
            page.wait_for_url("**/matches/*/play/")
            expect(page.locator(".mates .light:not(.unknown)")).to_have_count(2)
        projector = projector_of(teacher)

        decided = play_to_the_end(students)

        won = has_won(students)
        expect(projector.locator("h1")).to_have_text(f"{won} has won.")
        asked = [one for one in decided if one.question]
        assert asked
        for page, name in zip(students, NAMES, strict=True):
            looks_back(page, name, won, [one for one in asked if page in one.team])
        teacher_looks_back(teacher, won)
        assert [heard.complaints for heard in watches] == [[]] * 5
        assert [heard.foreign for heard in watches] == [[]] * 5
        assert "1 matches checked, 0 of them wrong." in run.manage("check_matches")


def projector_of(desk: Page) -> Page:
    """The board for all to look at, opened from the desk."""
    desk.get_by_text("Projector").first.click()
    with desk.expect_popup() as opened:
        desk.get_by_role("link", name="Show it on this computer").click()
    opened.value.set_viewport_size({"width": 1920, "height": 1080})
    expect(opened.value.locator(".screen__say")).to_be_visible()
    expect(desk.locator("details.menu[open]")).to_have_count(0)  # it does not lie over the matches
    return opened.value


def has_won(students: list[Page]) -> str:
    """The team that won, told alike to all: who is in it reads it as their own."""
    said = [page.locator(".decision.over #say").inner_text() for page in students]
    (others,) = set(said) - {"Your team has won."}
    assert said.count("Your team has won.") == 2
    return others.removesuffix(" has won.")


def looks_back(page: Page, name: str, won: str, asked: list[Decided]) -> None:
    """A student sees the story of the match, their own answers, and nobody else's results."""
    page.get_by_role("link", name="See how it went").click()
    expect(page.locator("h1")).to_have_text(f"{won} has won.")
    own = page.get_by_role("region", name="Your own answers")
    for question in asked:
        expect(own).to_contain_text(question.question)
        expect(own.get_by_text("your answer alone")).to_be_visible()
    if not asked:
        expect(own).to_contain_text("Your team was asked no question.")
    page.get_by_role("link", name="Your results").click()
    expect(page.get_by_role("heading", name="What was known")).to_be_visible()
    words = page.locator("main").inner_text()
    assert [other for other in NAMES if other != name and other in words] == []
    page.get_by_role("link", name="How it went").click()
    page.get_by_role("link", name="Back to the lesson").click()


def teacher_looks_back(teacher: Page, won: str) -> None:
    """From the desk to the story, the results of all, and questions for the talk."""
    expect(teacher.get_by_role("heading", name="All matches are over.")).to_be_visible()
    teacher.get_by_role("link", name="Lesson", exact=True).click()
    match = teacher.locator("li", has_text=f"{won} has won.")
    match.get_by_role("link").first.click()
    expect(teacher.locator("h1")).to_have_text(f"{won} has won.")
    teacher.get_by_role("link", name="Results by student").click()
    known = teacher.get_by_role("region", name="What was known")
    assert sorted(known.locator("tbody th").all_inner_texts()) == NAMES
    assert (barriers(teacher), wider_than_the_screen(teacher)) == ([], 0)
    teacher.get_by_role("link", name="How it went").click()
    teacher.get_by_role("link", name="Questions for the talk").first.click()
    expect(teacher.locator(".debrief__one").first).to_contain_text(re.compile(r"\?"))


def test_two_play_a_match_to_the_win_by_keyboard_alone(browser: Browser) -> None:
    with site(seed=KEYBOARD_SEED) as run:
        room = class_in_play(run, {"names": ["Noor"]}, {"names": ["Omar"]}, board="one-lesson")
        contexts = [phone(browser, viewport={"width": 1366, "height": 768}), phone(browser)]
        watches = [watch(context, run.url) for context in contexts]
        pages = [context.new_page() for context in contexts]
        for page, name in zip(pages, ("Noor", "Omar"), strict=True):
            join_by_keyboard(page, room, name)

        decided = play_to_the_end(pages, by_keyboard)

        read = " ".join(one.sentence for one in decided)
        assert [kind for kind in KINDS if kind not in read] == []
        assert [page.evaluate(f"{FOCUS}.id") for page in pages] == ["say", "say"]
        for page in pages:
            by_keyboard(page, page.get_by_role("link", name="See how it went"))
            expect(page.locator("h1")).to_contain_text("has won.")
        assert [heard.complaints for heard in watches] == [[], []]


def join_by_keyboard(page: Page, room: ClassInPlay, name: str) -> None:
    page.goto(f"{room.run.url}/join/")
    tab_to(page, page.get_by_role("textbox").first)
    page.keyboard.type(room.code)
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name=name))
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/")
    expect(page.locator(".mates .light:not(.unknown)")).to_have_count(1)
    tab_to(page, page.locator("#main"))


def by_keyboard(page: Page, button: Locator) -> None:
    """Where the focus is, keys go on: it was not lost with what the page showed before."""
    expect(button).to_be_visible()
    assert page.evaluate(f"{FOCUS} !== document.body")
    tab_to(page, button)
    page.keyboard.press("Enter")


def tab_to(page: Page, wanted: Locator) -> None:
    """Tab to it; among choices that are one stop, the arrows lead on."""
    for _press in range(MOST_TABS):
        if wanted.evaluate(f"one => one === {FOCUS}"):
            return
        group = wanted.locator("xpath=ancestor::*[@role='radiogroup']")
        inside = group.count() and group.evaluate(f"one => one.contains({FOCUS})")
        page.keyboard.press("ArrowDown" if inside else "Tab")
    raise AssertionError(f"{wanted} is not reached from {page.evaluate(FOCUS + '.outerHTML')}")
