"""Questions from a file into a match: mended on the way, and safe from what is edited later."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.class_in_play import PASSWORD, ClassInPlay, class_in_play
from tests.browser.watching import barriers, small_targets, watch, wider_than_the_screen
from tests.site import Running

EMAIL = "import@school.example"
GIFT = """::B1:: Who decides on the budget of a town? {=The council ~The mayor ~The press ~A bank}

Who may look at the budget? {~Everybody ~The mayor ~Nobody ~The king}

Which meetings are public? {=Those of the council ~None ~All ~Those at night

What is a tender?

Who judges? {=A court ~A council ~A mayor ~A bank}
"""

_MATCH = """
import json
from classroom.access import TeacherActor
from classroom.models import Lesson, Teacher
from games import catalog
from games.services import question_decks
from games.services.decks import starter_versions
from games.services.matches import TeamPlan, create_match, start_match
from quizzes.models import QuestionSet
teacher = Teacher.objects.get(email={email!r})
actor = TeacherActor(teacher)
bank = QuestionSet.objects.get(owner=teacher)
game = catalog.GAMES["corruption"]
question_decks.take_over(actor=actor, game=game, set_id=bank.pk)
lesson = Lesson.objects.filter(classroom__owner=teacher).first()
versions = {{kind: v.pk for kind, v in starter_versions("corruption", "one-lesson").items()}}
versions |= {{kind: v.pk for kind, v in question_decks.pinned(game, str(bank.pk)).items()}}
match = create_match(lesson_id=lesson.pk, actor=actor, game="corruption", versions=versions,
                     teams=[TeamPlan(students=(), played_by="bot") for _seat in range(2)])
start_match(match_id=match.pk, actor=actor)
print("MADE" + str(match.pk))
"""

_ASKED = """
import json
from games.models import Match
match = Match.objects.get(pk={match!r})
cards = [card for row in match.contents.select_related("version")
         for card in row.version.content.get("cards", ()) if "question" in card]
print("ASKED" + json.dumps(sorted(card["question"] for card in cards)))
"""


@pytest.fixture(scope="module")
def played(running: Running) -> ClassInPlay:
    return class_in_play(running, {"played_by": "bot"}, {"played_by": "bot"}, email=EMAIL)


@pytest.fixture
def page(browser: Browser, running: Running, played: ClassInPlay) -> Page:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{running.url}/accounts/login/")
    page.locator("main input[name=login]").fill(EMAIL)
    page.locator("main input[type=password]").fill(PASSWORD)
    page.locator("main form button").first.click()
    page.wait_for_url("**/classes/")
    return page


def asked_in(run: Running, match: str) -> list[str]:
    printed = run.manage("shell", "-c", _ASKED.format(match=match))
    found: list[str] = json.loads(printed.partition("ASKED")[2])
    return found


def sound(page: Page) -> None:
    """Nothing on the page is a barrier, too small or too wide, on a phone too."""
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert wider_than_the_screen(page) <= 0
        assert small_targets(page) == []
        assert barriers(page) == []


def test_a_file_with_bad_questions_ends_in_a_match_that_keeps_what_it_asks(
    page: Page, running: Running, tmp_path: Path
):
    heard = watch(page.context, running.url)
    file = tmp_path / "town.gift"
    file.write_text(GIFT, encoding="utf-8")
    page.goto(f"{running.url}/questions/import/")
    sound(page)
    page.locator("#files").set_input_files(file)
    page.get_by_role("button", name="Look at the questions").click()

    expect(page.locator("#counts")).to_contain_text("2 good questions")
    expect(page.locator("#counts")).to_contain_text("3 to be mended")
    sound(page)
    row = page.locator("#row-2")
    expect(row).to_contain_text("No answer is marked as right.")
    row.locator("textarea").fill(
        "Who may look at the budget? {=Everybody ~The mayor ~Nobody ~The king}"
    )
    row.get_by_role("button", name="Read this row again").click()
    expect(page.locator("#row-2")).to_contain_text("mended")
    expect(page.locator("#counts")).to_contain_text("3 good questions")
    page.locator("#title").fill("Our town")
    page.get_by_role("button", name="Save the good ones").click()
    expect(page.locator(".notices")).to_contain_text("3 questions are saved in “Our town”.")
    expect(page.locator("#counts")).to_contain_text("2 to be mended")
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

    printed = running.manage("shell", "-c", _MATCH.format(email=EMAIL))
    match = printed.partition("MADE")[2].strip()
    before = asked_in(running, match)
    page.locator("#stem").fill("Who judges now?")
    page.keyboard.press("Control+s")
    expect(page.locator(".notices")).to_contain_text("Saved as version 3")

    assert before == [
        "Who decides on the budget of a town?",
        "Who judges?",
        "Who may look at the budget?",
    ]
    assert asked_in(running, match) == before
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
    expect(plain.locator("#row-1")).to_contain_text("mended")
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
