"""Who is here, on the page of a lesson that a teacher keeps open and works on."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.class_in_play import phone
from tests.browser.first_steps import join, make_class, open_first_account, plan_lesson
from tests.site import Running

_REMOVED = """
from classroom.models import Student
from django.utils import timezone
Student.objects.filter(name="Amina").update(removed_at=timezone.now())
"""
NAMES = ["Amina", "Bilal", "Noor", "Omar", "Petra"]


def here(page: Page, number: int) -> None:
    said = re.compile(rf"^{number} students? (is|are) here")
    expect(page.get_by_role("heading", name=said)).to_be_visible()


def of(page: Page, name: str) -> Locator:
    return page.locator("#roll li", has_text=name)


def test_the_list_of_who_is_here_goes_on_under_the_teachers_hands(
    running: Running, browser: Browser
) -> None:
    teacher = browser.new_context().new_page()
    open_first_account(teacher, running)
    make_class(teacher, "\n".join(NAMES))
    code = plan_lesson(teacher)
    away = teacher.locator("#roll details.panel")
    away.locator("summary").first.click()

    join(phone(browser).new_page(), running, code, "Noor")

    here(teacher, 1)
    expect(away.locator("summary").first).to_have_text("4 students are not here")
    expect(away).to_have_attribute("open", "")

    of(teacher, "Bilal").get_by_role("button").click()

    here(teacher, 2)
    expect(away).to_have_attribute("open", "")  # and the next name is ticked at once
    expect(of(teacher, "Omar").get_by_role("button")).to_be_focused()
    teacher.keyboard.press("Enter")
    here(teacher, 3)

    menu = of(teacher, "Bilal").locator("details")
    menu.locator("summary").click()
    join(phone(browser).new_page(), running, code, "Petra")
    here(teacher, 4)
    expect(menu).to_have_attribute("open", "")
    menu.get_by_role("button", name="Not here after all").click()
    here(teacher, 3)

    notice = '<div class="notice bad">The database has no time.</div>'
    teacher.route("**/roll/", lambda route: route.fulfill(status=503, body=notice))
    with teacher.expect_response("**/roll/"):
        pass  # asked by the page itself, which asks again
    expect(teacher.locator("#refused")).to_be_empty()
    running.manage("shell", "-c", _REMOVED)
    of(teacher, "Amina").get_by_role("button").click()
    expect(teacher.get_by_role("alert")).to_contain_text("This page is not there")
    here(teacher, 3)  # what there was stays
