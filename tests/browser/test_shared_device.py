"""A lesson in which each team has one device: it speaks for all who sit around it."""

from __future__ import annotations

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.class_in_play import phone
from tests.browser.first_steps import join, make_class, open_first_account, plan_lesson
from tests.browser.playing import asked
from tests.browser.watching import (
    barriers,
    places,
    small_targets,
    watch,
    wider_than_the_screen,
)
from tests.site import site

NAMES = ["Amina", "Bilal", "Noor", "Omar"]
WITH_DEVICE = ["Amina", "Bilal"]
SHORT = "Two villages, one lesson"
DICE = 4665  # with them the first vote comes soon
SEEN_MS = 20_000
MOST = 20  # decisions until a team has two options


def test_one_device_speaks_for_its_team(browser: Browser) -> None:
    with site(seed=DICE) as run:
        contexts = [browser.new_context(viewport={"width": 1366, "height": 768})]
        contexts += [phone(browser) for _name in WITH_DEVICE]
        watches = [watch(context, run.url) for context in contexts]
        teacher, *students = [context.new_page() for context in contexts]
        open_first_account(teacher, run)
        make_class(teacher, "\n".join(NAMES))
        code = plan_lesson(teacher, SHORT, devices="one device a team")
        for page, name in zip(students, WITH_DEVICE, strict=True):
            join(page, run, code, name)
        for name in NAMES[2:]:
            tick_present(teacher, name)
        teacher.get_by_role("button", name="Start with who is here").click()
        for page in students:
            page.wait_for_url("**/matches/*/play/")
            sits_around(page)

        device, options = play_to_a_choice(students)
        options.last.scroll_into_view_if_needed()
        before = places(options)
        say = device.locator("#say").inner_text()
        options.last.click()

        agreed = device.get_by_role("button", name="Yes, we take it")
        expect(agreed).to_be_visible()
        expect(device.get_by_text("Have we all agreed?")).to_be_visible()
        assert places(options) == before
        assert (barriers(device), small_targets(device)) == ([], [])
        assert wider_than_the_screen(device) == 0
        options.first.click()  # not yet: they talk on
        expect(options.first).to_have_attribute("aria-checked", "true")
        expect(device.locator("#say")).to_have_text(say)
        wish = options.first.locator("b").inner_text()
        agreed.click()

        expect(device.locator("#say")).not_to_have_text(say)
        told = device.locator(".log li").all_inner_texts()
        assert any(wish.lower() in line.lower() for line in told[:6]), (wish, told)
        assert [heard.complaints for heard in watches] == [[]] * 3


def tick_present(teacher: Page, name: str) -> None:
    """A student without a device is here, as the teacher's list says."""
    missing = teacher.locator("details.panel", has=teacher.get_by_text("not here"))
    if not missing.evaluate("one => one.open"):
        missing.locator("summary").click()
    line = missing.locator("li", has_text=name)
    line.get_by_role("button", name="Here without a device").click()
    expect(teacher.locator(".rollcall")).to_contain_text(name)


def sits_around(page: Page) -> None:
    """A team of two: one holds the device, the other speaks through it."""
    mates = page.locator(".mates li")
    expect(mates).to_have_count(2)
    expect(mates.filter(has_text="at the shared device")).to_have_count(1)


def play_to_a_choice(students: list[Page]) -> tuple[Page, Locator]:
    """Do what is asked until a team has to choose; its device, and the options there."""
    for _decision in range(MOST):
        (device,) = asked(students)
        options = device.locator(".decision > .options [role=radio]")
        if options.count() > 1:
            return device, options
        told = device.locator(".log").text_content() or ""
        if device.locator("[data-act]").count():
            device.locator("[data-act]").first.click()
        else:
            device.locator(".decision > .btn.soft, .decision [role=radio]").first.click()
            device.get_by_role("button", name="Yes, we take it").click()
        for page in students:
            expect(page.locator(".log")).not_to_have_text(told, timeout=SEEN_MS)
    raise AssertionError("No team had to choose.")
