"""Writing questions in a real browser: by keyboard alone, kept as typed, two at once."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.watching import barriers, small_targets, watch, wider_than_the_screen
from tests.faults.nemesis import web_process
from tests.site import Running

PASSWORD = "four calm words here"
MS_OKAFOR, MR_HADDAD = "okafor@school.example", "haddad@school.example"

_MAKE = f"""
import json
from decimal import Decimal
from classroom.access import TeacherActor
from classroom.models import Teacher
from quizzes.formats.question import *
from quizzes.services.adding import add_questions
from quizzes.services.sets import create_set, share_set
owner = Teacher.objects.create_user(email={MS_OKAFOR!r}, name="Ms Okafor", password={PASSWORD!r})
Teacher.objects.create_user(email={MR_HADDAD!r}, name="Mr Haddad", password={PASSWORD!r})
actor = TeacherActor(owner)
bank = create_set(actor=actor, title="Town and council", language="en")
share_set(actor=actor, set_id=bank.pk, email={MR_HADDAD!r}, right="edit")
rows = add_questions(actor=actor, set_id=bank.pk, questions=[
    SingleChoice(stem="Who decides on the budget?", choices=("The council", "The mayor"), right=0),
    SeveralRight(stem="What are rights?", choices=("Speech", "Press", "Theft"), right=(0, 1)),
    TrueFalse(stem="Meetings are public.", right=True),
    ShortAnswer(stem="Who leads the council?", accepted=("mayor",)),
    Numeric(stem="How many?", right=Decimal(8)),
    Matching(stem="Who does what?", pairs=(Pair(left="court", right="judges"),
        Pair(left="council", right="decides"))),
    Ordering(stem="Order?", items=("bill", "vote", "law")),
    SingleChoice(stem="من يراقب المجلس؟", choices=("المواطنون", "لا أحد"), right=0, language="ar"),
])
print("MADE" + json.dumps([str(bank.pk), *(str(row.pk) for row in rows)]))
"""


@pytest.fixture(scope="module")
def made(running: Running) -> list[str]:
    """The id of a set that two teachers may change, then those of its questions."""
    ids: list[str] = json.loads(running.manage("shell", "-c", _MAKE).partition("MADE")[2])
    return ids


@pytest.fixture
def teachers(browser: Browser, running: Running) -> tuple[Page, Page]:
    """Both teachers, logged in."""
    return (
        log_in(browser.new_context(), running, MS_OKAFOR),
        log_in(browser.new_context(), running, MR_HADDAD),
    )


@pytest.fixture
def page(browser: Browser, running: Running) -> Page:
    """The owner of the set, logged in."""
    return log_in(browser.new_context(), running, MS_OKAFOR)


def log_in(context: BrowserContext, run: Running, email: str) -> Page:
    page = context.new_page()
    page.goto(f"{run.url}/accounts/login/")
    page.locator("main input[name=login]").fill(email)
    page.locator("main input[type=password]").fill(PASSWORD)
    page.locator("main form button").first.click()
    page.wait_for_url("**/classes/")
    return page


def question(run: Running, made: list[str], number: int) -> str:
    return f"{run.url}/questions/{made[number]}/"


def kept(page: Page) -> None:
    """Wait until what is typed is a draft."""
    expect(page.locator("[data-state]")).to_have_text(re.compile("Kept as a draft"))


def test_a_question_is_written_by_keyboard_alone(page: Page, running: Running, made: list[str]):
    page.goto(f"{running.url}/questions/sets/{made[0]}/new/single/")
    preview, keys = page.locator("#preview"), page.keyboard

    keys.type("Who may **vote**?")
    expect(preview.locator(".asked__stem strong")).to_have_text("vote")
    keys.press("Tab")
    keys.type("Nobody")
    keys.press("Enter")
    keys.type("Every citizen")
    keys.press("Alt+m")
    keys.press("Enter")
    keys.type("Only owners")
    keys.press("Alt+ArrowUp")
    keys.press("Alt+ArrowUp")
    expect(preview.locator(".asked__option")).to_have_text(
        [re.compile("Only owners"), re.compile("Nobody"), re.compile("Every citizen")]
    )
    expect(preview.locator(".asked__option--right")).to_contain_text("Every citizen")
    expect(preview).to_contain_text("This question is complete.")
    keys.press("Control+s")

    expect(page.locator(".notices")).to_contain_text("Saved. The question is in the set.")
    expect(page.locator("[name=choice]")).to_have_count(3)
    expect(page.locator("[name=right]:checked")).to_have_value("2")


def test_rows_follow_their_numbers(page: Page, running: Running, made: list[str]):
    page.goto(question(running, made, 7))
    first = page.locator("#items-1")

    first.focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("#items-2")).to_be_focused()
    expect(page.locator("#items-2")).to_have_value("bill")
    page.locator("#items-3").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#items-4")).to_be_focused()
    page.keyboard.press("Backspace")
    expect(page.locator("#items-4")).to_have_count(0)
    expect(page.locator("#items-3")).to_be_focused()
    page.get_by_role("button", name="Take out").first.click()

    assert page.locator("[name=item]").evaluate_all("rows => rows.map((row) => row.value)") == [
        "bill",
        "law",
    ]
    assert page.locator("[data-row-act=down]").first.get_attribute("value") == "down:items:0"


def test_what_is_typed_survives_a_reload(page: Page, running: Running, made: list[str]):
    page.goto(f"{running.url}/questions/sets/{made[0]}/new/short/")
    page.locator("#stem").fill("Half a ques")
    kept(page)
    page.reload()

    expect(page.locator("#stem")).to_have_value("Half a ques")
    expect(page.get_by_text("This is your draft of")).to_be_visible()
    page.get_by_role("button", name="Discard the draft").click()
    expect(page.locator(".notices")).to_contain_text("The draft was discarded.")


def test_leaving_at_once_keeps_the_last_words(page: Page, running: Running, made: list[str]):
    page.goto(question(running, made, 5))
    page.locator("#stem").fill("How many, exactly?")
    page.goto(question(running, made, 6))
    page.goto(question(running, made, 5))

    expect(page.locator("#stem")).to_have_value("How many, exactly?")


def test_without_a_connection_the_words_stay_and_are_kept_later(
    page: Page, running: Running, made: list[str]
):
    page.goto(question(running, made, 4))
    page.context.set_offline(True)
    page.locator("#stem").fill("Who leads it?")
    expect(page.locator("[data-state]")).to_contain_text("Not kept: no connection.")

    page.context.set_offline(False)

    kept(page)
    expect(page.locator("#stem")).to_have_value("Who leads it?")


def test_a_killed_server_takes_no_word_along(page: Page, running: Running, made: list[str]):
    page.goto(f"{running.url}/questions/sets/{made[0]}/new/ordering/")
    page.locator("#stem").fill("Kept before it died.")
    kept(page)
    os.kill(web_process(running.url), signal.SIGKILL)
    page.locator("#explanation").fill("Typed while it was down.")
    expect(page.locator("[data-state]")).to_contain_text("Not kept: no connection.")

    expect(page.locator("[data-state]")).to_have_text(re.compile("Kept as a draft"), timeout=60_000)
    page.reload()

    expect(page.locator("#stem")).to_have_value("Kept before it died.")
    expect(page.locator("#explanation")).to_have_value("Typed while it was down.")


def test_two_windows_of_one_teacher_overwrite_nothing(
    page: Page, running: Running, made: list[str]
):
    other = page.context.new_page()
    for window in (page, other):
        window.goto(question(running, made, 3))
    page.locator("#stem").fill("Meetings are always public.")
    kept(page)
    other.locator("#stem").fill("Meetings are never public.")

    asked = other.locator("[data-elsewhere]")
    expect(asked).to_be_visible()
    asked.get_by_role("button", name="Keep what is here").click()

    kept(other)
    page.reload()
    expect(page.locator("#stem")).to_have_value("Meetings are never public.")


def test_the_second_to_save_sees_both_texts_and_chooses(
    teachers: tuple[Page, Page], running: Running, made: list[str]
):
    mine, theirs = teachers
    for window in teachers:
        window.goto(question(running, made, 1))
    theirs.locator("#stem").fill("Who decides on the budget of the town?")
    theirs.keyboard.press("Control+s")
    expect(theirs.locator(".notices")).to_contain_text("Saved as version 2")
    mine.locator("#stem").fill("Who decides on the yearly budget?")
    mine.locator("#explanation").fill("It is the council's main right.")
    mine.keyboard.press("Control+s")

    expect(mine.locator("h1")).to_have_text("Somebody saved this question before you")
    expect(mine.locator(".diff mark").first).to_be_visible()
    assert barriers(mine) == []
    assert small_targets(mine) == []
    mine.get_by_role("group", name="Question").get_by_label("The other text").check()
    mine.get_by_role("button", name="Save what is chosen").click()

    expect(mine.locator(".notices")).to_contain_text("Saved as version 3.")
    expect(mine.locator("#stem")).to_have_value("Who decides on the budget of the town?")
    expect(mine.locator("#explanation")).to_have_value("It is the council's main right.")


def test_an_old_version_is_compared_and_restored(page: Page, running: Running, made: list[str]):
    page.goto(question(running, made, 2))
    page.locator("#stem").fill("Which of these are rights?")
    page.keyboard.press("Control+s")
    expect(page.locator(".notices")).to_contain_text("Saved as version 2")

    page.get_by_label("More").click()
    page.get_by_role("link", name="All versions").click()
    expect(page.locator(".diff del")).to_have_text([re.compile("What")])
    assert barriers(page) == []
    page.get_by_role("button", name="Restore version 1").click()

    expect(page.locator(".notices")).to_contain_text("Version 1 is back, as version 3.")
    expect(page.locator("#stem")).to_have_value("What are rights?")


def test_a_picture_is_sent_at_once_and_described(
    page: Page, running: Running, made: list[str], tmp_path: Path
):
    drawing = tmp_path / "map.png"
    Image.new("RGB", (60, 40), "teal").save(drawing)
    page.goto(question(running, made, 8))
    page.locator("#picture-file").set_input_files(drawing)
    expect(page.locator("#alt")).to_be_focused(timeout=30_000)  # a child makes it anew
    page.keyboard.type("A map of the town")
    expect(page.locator("#preview img")).to_have_attribute("alt", "A map of the town")
    page.keyboard.press("Control+s")

    expect(page.locator(".notices")).to_contain_text("Saved as version 2")
    assert page.locator("#preview img").evaluate("image => image.naturalWidth") == 60
    page.get_by_role("button", name="Take the picture out").click()
    expect(page.locator("#preview img")).to_have_count(0)


def test_a_file_that_is_no_picture_is_refused_in_words(
    page: Page, running: Running, made: list[str], tmp_path: Path
):
    notes = tmp_path / "notes.png"
    notes.write_text("no picture at all")
    page.goto(question(running, made, 5))
    page.locator("#picture-file").set_input_files(notes)

    expect(page.locator("[data-picture-said]")).to_contain_text("Save", timeout=30_000)
    expect(page.locator("[data-picture-none]")).to_be_visible()


def test_mistakes_are_told_and_the_first_has_the_focus(
    page: Page, running: Running, made: list[str]
):
    page.goto(f"{running.url}/questions/sets/{made[0]}/new/matching/")
    page.locator("#pairs-1").fill("court")
    page.keyboard.press("Control+s")

    expect(page.get_by_text("Not saved yet.")).to_be_visible()
    expect(page.locator("#stem")).to_be_focused()
    expect(page.locator("#stem-error")).to_contain_text("The question has no text.")
    assert barriers(page) == []


def test_a_change_of_kind_keeps_the_words(page: Page, running: Running, made: list[str]):
    page.goto(f"{running.url}/questions/sets/{made[0]}/new/single/")
    page.locator("#stem").fill("Which?")
    page.locator("#choices-1").fill("this")
    page.locator("#choices-2").fill("that")
    for kind in ("True or false", "Several right answers"):
        page.locator(".editor__kind summary").click()
        page.get_by_role("button", name=kind).click()

    expect(page.locator("#stem")).to_have_value("Which?")
    expect(page.locator("#choices-2")).to_have_value("that")
    expect(page.locator("#choices-2 ~ .entry__mark [type=checkbox]")).to_be_visible()


@pytest.mark.parametrize(
    ("width", "colours", "language"),
    [(320, "dark", "ar"), (1366, "light", "en")],
)
def test_no_page_of_the_editor_has_a_barrier(
    browser: Browser, running: Running, made: list[str], width: int, colours: str, language: str
):
    context = browser.new_context(
        viewport={"width": width, "height": 740},
        locale=language,
        color_scheme="dark" if colours == "dark" else "light",
    )
    heard = watch(context, running.url)
    page = log_in(context, running, MS_OKAFOR)
    addresses = [question(running, made, number) for number in range(1, len(made))]
    for address in [*addresses, f"{addresses[0]}versions/"]:
        page.goto(address)
        for summary in page.locator(".editor__keys summary").all():
            summary.click()

        assert wider_than_the_screen(page) <= 0, address
        assert small_targets(page) == [], address
        assert barriers(page) == [], address
    assert (heard.complaints, heard.foreign) == ([], [])


def test_it_works_without_script(browser: Browser, running: Running, made: list[str]):
    context = browser.new_context(java_script_enabled=False)
    page = log_in(context, running, MS_OKAFOR)
    page.goto(f"{running.url}/questions/sets/{made[0]}/new/ordering/")
    page.locator("#stem").fill("In which order?")
    for number, text in enumerate(("second", "first"), start=1):
        page.locator(f"#items-{number}").fill(text)
    page.locator("#items-2-up").click()
    page.get_by_role("button", name="Save", exact=True).last.click()

    expect(page.locator(".notices")).to_contain_text("Saved. The question is in the set.")
    expect(page.locator("#items-1")).to_have_value("first")
