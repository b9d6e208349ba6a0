"""Questions from a file into a match: mended on the way, and safe from what is edited later."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.first_steps import PASSWORD, join
from tests.browser.watching import barriers, small_targets, watch, wider_than_the_screen
from tests.site import Running

EMAIL = "import@school.example"
GIFT = """::B1:: Who decides on the budget of a town? {=The council ~The mayor ~The press ~A bank}

Who may look at the budget? {~Everybody ~The mayor ~Nobody ~The king}

Which meetings are public? {=Those of the council ~None ~All ~Those at night

What is a tender?

Who judges? {=A court ~A council ~A mayor ~A bank}
"""

_TEACHER = f"""
from classroom.access import TeacherActor
from classroom.models import Student, Teacher
from classroom.services.classrooms import create_classroom
from games.services.decks import load_starters
load_starters()
teacher = Teacher.objects.create_user(email={EMAIL!r}, name="Ms Okafor", password={PASSWORD!r})
room = create_classroom(actor=TeacherActor(teacher), name="7c")
Student.objects.create(classroom=room, name="Amina")
"""

_ASKED = """
import json
from games.models import Match
match = Match.objects.get(lesson={lesson!r})
cards = [card for row in match.contents.select_related("version")
         for card in row.version.content.get("cards", ()) if "question" in card]
print("ASKED" + json.dumps(sorted(card["question"] for card in cards)))
"""


@pytest.fixture(scope="module")
def teacher(running: Running) -> str:
    """The address of a teacher whose class has one student."""
    running.manage("shell", "-c", _TEACHER)
    return EMAIL


@pytest.fixture
def page(browser: Browser, running: Running, teacher: str) -> Page:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{running.url}/accounts/login/")
    page.locator("main input[name=login]").fill(EMAIL)
    page.locator("main input[type=password]").fill(PASSWORD)
    page.locator("main form button").first.click()
    page.wait_for_url("**/classes/")
    return page


def asked_in(run: Running, lesson: str) -> list[str]:
    """What the one match of a lesson may ask."""
    printed = run.manage("shell", "-c", _ASKED.format(lesson=lesson))
    found: list[str] = json.loads(printed.partition("ASKED")[2])
    return found


def started_with(page: Page, browser: Browser, run: Running, title: str) -> str:
    """Start a match of a student against the computer, from the set-up page on; the lesson."""
    page.goto(f"{run.url}/classes/")
    page.get_by_role("link", name="7c").first.click()
    page.get_by_role("link", name="Plan a lesson").click()
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Ask from").select_option(label=f"{title} (3 questions)")
    page.get_by_role("button", name="Save for later").click()
    expect(page.get_by_text("3 of 3 questions can be asked.")).to_be_visible()
    page.get_by_role("button", name="Against the computer").click()
    expect(page.get_by_role("heading", name="Match 1")).to_be_visible()
    page.get_by_role("button", name="Let the students in").click()
    code = page.locator(".codebox__code").inner_text()
    join(browser.new_context().new_page(), run, code, "Amina")
    page.get_by_role("button", name="Start with who is here").click()
    page.wait_for_url("**/lessons/*/desk/")
    return page.url.rstrip("/").split("/")[-2]


def sound(page: Page) -> None:
    """Nothing on the page is a barrier, too small or too wide, on a phone too."""
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert wider_than_the_screen(page) <= 0
        assert small_targets(page) == []
        assert barriers(page) == []


def test_a_file_with_bad_questions_ends_in_a_match_that_keeps_what_it_asks(
    page: Page, browser: Browser, running: Running, tmp_path: Path
):
    heard = watch(page.context, running.url)
    file = tmp_path / "town.gift"
    file.write_text(GIFT, encoding="utf-8")
    page.goto(f"{running.url}/questions/import/")
    sound(page)
    page.locator("#files").set_input_files(file)
    page.get_by_role("button", name="Look at the questions").click()

    expect(page.locator("#counts")).to_contain_text("2 good questions")
    expect(page.locator("#counts")).to_contain_text("3 to be corrected")
    sound(page)
    row = page.locator("#row-2")
    expect(row).to_contain_text("No answer is marked as right.")
    names = re.findall(r'button "(Leave out.*?)"', page.locator("main").aria_snapshot())
    assert names == [f"Leave out Question {number}" for number in range(1, 6)]
    row.locator("textarea").fill(
        "Who may look at the budget? {=Everybody ~The mayor ~Nobody ~The king}"
    )
    row.get_by_role("button", name="Read this row again").click()
    expect(page.locator("#row-2")).to_contain_text("corrected")
    expect(page.locator("#counts")).to_contain_text("3 good questions")
    page.locator("#title").fill("Our town")
    page.get_by_role("button", name="Save the good ones").click()
    expect(page.locator(".notices")).to_contain_text("3 questions are saved in “Our town”.")
    expect(page.locator("#counts")).to_contain_text("2 to be corrected")
    page.get_by_role("button", name="Give up").click()

    page.goto(f"{running.url}/questions/")
    page.get_by_role("link", name="Our town").click()
    page.get_by_role("link", name="Who judges?").click()
    drawing = tmp_path / "court.png"
    Image.new("RGB", (60, 40), "teal").save(drawing)
    page.locator("#picture-file").set_input_files(drawing)
    expect(page.locator("#alt")).to_be_focused(timeout=30_000)  # a child makes it anew
    page.keyboard.type("A court")
    page.keyboard.press("Control+s")
    expect(page.locator(".notices")).to_contain_text("Saved as version 2")

    question = page.url
    lesson = started_with(page, browser, running, "Our town")
    before = asked_in(running, lesson)
    page.goto(question)
    page.locator("#stem").fill("Who judges now?")
    page.keyboard.press("Control+s")
    expect(page.locator(".notices")).to_contain_text("Saved as version 3")

    assert before == [
        "Who decides on the budget of a town?",
        "Who judges?",
        "Who may look at the budget?",
    ]
    assert asked_in(running, lesson) == before
    assert (heard.complaints, heard.foreign) == ([], [])


def test_a_set_is_taken_away_and_brought_back(page: Page, running: Running, tmp_path: Path):
    page.goto(f"{running.url}/questions/import/")
    page.locator("#text").fill("1. Who pays for a school?\n*a) All of us\nb) Nobody\n")
    page.get_by_role("button", name="Look at the questions").click()
    page.locator("#title").fill("Taxes")
    page.get_by_role("button", name="Save the good ones").click()
    page.get_by_role("link", name="Export").click()
    sound(page)
    with page.expect_download() as told:
        page.get_by_role("link", name=re.compile("Civic Table package")).click()
    package = tmp_path / told.value.suggested_filename
    told.value.save_as(package)

    page.goto(f"{running.url}/questions/import/")
    page.locator("#files").set_input_files(package)
    page.get_by_role("button", name="Look at the questions").click()

    assert package.name == "Taxes.ctdeck"
    expect(page.locator("#counts")).to_contain_text("1 good question")
    expect(page.locator("#row-1")).to_contain_text("Who pays for a school?")


def test_a_preview_works_without_script(browser: Browser, running: Running, page: Page):
    context = browser.new_context(
        java_script_enabled=False, storage_state=page.context.storage_state()
    )
    plain = context.new_page()
    plain.goto(f"{running.url}/questions/import/")
    plain.locator("#text").fill("1. Who pays?\na) All\nb) Some\n")
    plain.get_by_role("button", name="Look at the questions").click()
    plain.locator("#row-1 textarea").fill("1. Who pays?\n*a) All\nb) Some")
    plain.get_by_role("button", name="Read this row again").click()
    expect(plain.locator("#row-1")).to_contain_text("corrected")
    plain.locator("#title").fill("Plain")
    plain.get_by_role("button", name="Save the good ones").click()

    expect(plain.locator(".notices")).to_contain_text("1 question is saved in “Plain”.")


def test_a_large_file_is_read_by_the_worker_and_the_page_goes_on(
    page: Page, running: Running, tmp_path: Path
):
    file = tmp_path / "large.txt"
    questions = (
        f"{n}. {'Who decides on it? ' * 6}\n*a) We {n}\nb) They\n\n" for n in range(1, 2001)
    )
    file.write_text("".join(questions), encoding="utf-8")
    page.goto(f"{running.url}/questions/import/")
    page.locator("#files").set_input_files(file)
    page.get_by_role("button", name="Look at the questions").click()

    expect(page.locator("#counts")).to_contain_text("2000 good questions", timeout=60_000)
    page.locator("#title").fill("Large")
    page.get_by_role("button", name="Save the good ones").click()
    expect(page.locator(".notices")).to_contain_text("2000 questions are saved", timeout=30_000)
    page.get_by_role("link", name="Export").click()
    page.get_by_role("button", name=re.compile("Make the file as CSV")).click()
    with page.expect_download() as told:
        page.get_by_role("link", name="Download").click(timeout=60_000)

    assert told.value.suggested_filename.startswith("Large-")
