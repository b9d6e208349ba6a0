"""The demo in a real browser, without an account."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.class_in_play import phone
from tests.browser.watching import barriers, small_targets, watch, wider_than_the_screen


@pytest.mark.parametrize(("size", "theme"), [((360, 740), "light"), ((1920, 1080), "dark")])
def test_a_visitor_watches_three_screens(running, browser, size, theme):
    context = phone(browser, viewport={"width": size[0], "height": size[1]})
    context.add_cookies([{"name": "theme", "value": theme, "url": running.url}])
    heard = watch(context, running.url)
    page = context.new_page()
    page.goto(f"{running.url}/demo/")
    found = barriers(page)

    page.get_by_role("button", name="Start the demo").click()
    expect(page.locator(".demo__pane")).to_have_count(3)
    page.get_by_role("button", name="Pause").click()
    found += barriers(page)
    small = small_targets(page)

    assert found == []
    assert small == []
    assert wider_than_the_screen(page) == 0
    assert (heard.complaints, heard.foreign) == ([], [])
    context.close()


def test_it_runs_stops_and_ends_with_the_winner(running, browser):
    context = phone(browser)
    page = context.new_page()
    page.goto(f"{running.url}/demo/")
    page.get_by_role("button", name="Start the demo").click()
    slider = page.get_by_role("slider")
    expect(slider).not_to_have_attribute("aria-valuetext", "0:00")
    page.get_by_role("button", name="Pause").click()
    stopped = slider.get_attribute("aria-valuetext")
    page.wait_for_timeout(1500)
    assert slider.get_attribute("aria-valuetext") == stopped
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"

    slider.press("End")

    expect(page.locator(".demo__say")).to_have_text(
        "Red wins: a complete village and a clean record."
    )
    expect(page.locator(".demo__caption")).to_contain_text("A complete village")
    context.close()
