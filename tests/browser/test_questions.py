"""The bank by keyboard and finger: search, ticks, acts on many."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.class_in_play import PASSWORD
from tests.browser.watching import barriers, small_targets, watch, wider_than_the_screen
from tests.site import Running

_MAKE = """
from classroom.models import Teacher
from quizzes.models import SetShare
from tests.factories import bank
teacher = Teacher.objects.create_user(
    email="bank@school.example", name="Ms Okafor", password={password!r}
)
own = bank.question_set(owner=teacher, title="Elections")
bank.questions(own, *(bank.single(f"Élection {{n}}?") for n in range(4)), bank.single("Taxes?"))
bank.question_set(owner=teacher, title="Year 9")
for right, name in (("view", "Mr Lind"), ("edit", "Ms Haddad")):
    colleague = Teacher.objects.create_user(email=f"{{right}}@school.example", name=name)
    SetShare.objects.create(set=own, teacher=colleague, right=right)
print("SET", own.pk)
"""


@pytest.fixture(scope="module")
def question_set(running: Running) -> str:
    printed = running.manage("shell", "-c", _MAKE.format(password=PASSWORD))
    return printed.partition("SET")[2].strip()


@pytest.fixture(params=[360, 1366])
def page(
    request: pytest.FixtureRequest, browser: Browser, running: Running, question_set: str
) -> Iterator[Page]:
    """The set's page, of the teacher who owns it."""
    context = browser.new_context(viewport={"width": request.param, "height": 800}, locale="en")
    heard = watch(context, running.url)
    page = context.new_page()
    page.goto(f"{running.url}/accounts/login/?next=/questions/sets/{question_set}/")
    page.locator("main input[type=email], main input[name=login]").first.fill("bank@school.example")
    page.locator("main input[type=password]").fill(PASSWORD)
    page.locator("main form button").first.click()
    page.wait_for_url(f"**/questions/sets/{question_set}/")
    yield page
    context.close()
    assert heard.foreign == []
    assert heard.complaints == []


def stems(page: Page) -> list[str]:
    return page.locator(".bank__stem").all_inner_texts()


def buttons(page: Page) -> list[str]:
    """The names of the page's buttons as a screen reader lists them."""
    tree = page.locator("main").aria_snapshot()
    return re.findall(r'- button "(.*?)"', tree)


def test_buttons_of_shares_say_whose_they_are(page: Page) -> None:
    page.goto(f"{page.url}share/")

    told = buttons(page)

    assert told[:6] == [
        "Let change Mr Lind",
        "Make owner Mr Lind",
        "Remove Mr Lind",
        "Only look Ms Haddad",
        "Make owner Ms Haddad",
        "Remove Ms Haddad",
    ]
    assert len(told) == len(set(told))
    assert barriers(page) == []


def test_slash_finds_without_accents(page: Page) -> None:
    page.keyboard.press("/")
    expect(page.locator("[data-find]")).to_be_focused()

    page.keyboard.type("election")
    page.keyboard.press("Enter")

    expect(page.locator(".bank__stem")).to_have_count(4)
    assert "Taxes?" not in stems(page)


def test_a_range_is_ticked_with_shift_and_all_with_one_box(page: Page) -> None:
    ticks = page.locator("[data-tick]")
    told = page.locator("[data-ticked]")
    number = ticks.count()

    ticks.nth(1).click()
    ticks.nth(3).click(modifiers=["Shift"])
    expect(told).to_have_text("3 ticked")
    page.locator("[data-tick-all]").click()
    expect(told).to_have_text(f"{number} ticked")
    page.locator("[data-tick-all]").click()

    expect(told).to_have_text("Tick questions to do something with them.")


def test_topic_is_added_to_what_is_ticked_by_keyboard_alone(page: Page) -> None:
    page.locator("[data-tick]").nth(0).focus()
    page.keyboard.press("Space")
    page.get_by_text("Topics", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_label("Topic, or several with commas").fill("rights, courts")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.locator(".notices")).to_contain_text("topic")
    expect(page.locator(".bank__rows > li").nth(0)).to_contain_text("courts")


def test_question_is_copied_into_another_set(page: Page) -> None:
    page.locator("[data-tick]").last.check()
    page.get_by_text("Move or copy").click()
    page.get_by_role("button", name="Copy the ticked ones").click()

    expect(page.locator(".notices")).to_contain_text("1 question was copied.")


def test_questions_are_deleted_for_good_by_keyboard_after_a_second_look(page: Page) -> None:
    page.get_by_label("Tick: Taxes?").check()
    page.get_by_role("button", name="Into the archive").click()
    page.goto(f"{page.url.partition('?')[0]}?show=archive")
    page.get_by_label("Tick: Taxes?").check()
    page.get_by_role("button", name="Delete for good").focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Delete 1 question for good?")
    expect(page.locator("main")).to_contain_text("Taxes?")
    assert (barriers(page), small_targets(page), wider_than_the_screen(page)) == ([], [], 0)
    page.get_by_role("link", name="Delete nothing").click()
    page.wait_for_url("**show=archive")
    expect(page.get_by_label("Tick: Taxes?")).to_be_visible()
    page.get_by_label("Tick: Taxes?").check()
    page.get_by_role("button", name="Bring back").click()
