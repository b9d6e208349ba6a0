"""The projector: several matches fill the picture, and what happens comes forward by itself."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.class_in_play import class_in_play, phone
from tests.browser.playing import decide
from tests.browser.watching import barriers, watch, wider_than_the_screen
from tests.site import Running

PICTURE = {"width": 1920, "height": 1080}
READ_FROM_AFAR_PX = 36
SOON_MS = 60_000  # bots take one to three seconds over a decision

_MATCHES = """
import json
from classroom.access import TeacherActor
from classroom.models import Lesson, Teacher
from classroom.services.classrooms import create_classroom
from games.decks.starters import starters
from games.selectors.screens import screen_token
from games.services.decks import load_starters, starter_versions
from games.services.matches import TeamPlan, create_match, start_match

load_starters()
teacher = Teacher.objects.create_user(email="{email}", name="M", password=None)
actor = TeacherActor(teacher)
lesson = Lesson.objects.create(
    classroom=create_classroom(actor=actor, name="7c"), state="open", activity="corruption"
)
boards = [board.key for board in starters("corruption")]
for place in range({number}):
    chosen = starter_versions("corruption", boards[place % len(boards)])
    match = create_match(
        lesson_id=lesson.pk, actor=actor, game="corruption",
        versions={{kind: version.pk for kind, version in chosen.items()}},
        teams=[TeamPlan(students=(), played_by="bot") for _seat in range(2)],
    )
    start_match(match_id=match.pk, actor=actor)
print("MADE" + json.dumps([str(lesson.pk), screen_token(lesson)]))
"""

# How much of the picture is covered by tiles, and how small the smallest sentence or figure is.
_FILLED = """
() => [...document.querySelectorAll('.tile')].map((one) => one.getBoundingClientRect())
  .reduce((sum, box) => sum + box.width * box.height, 0) / (innerWidth * innerHeight)
"""
_SMALLEST = """
() => Math.min(...[...document.querySelectorAll(
  '.tile__say .say, .tile__name, .tile__figures .count, .tile .gcard__body')]
  .filter((one) => one.checkVisibility())
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))
"""
# What is cut off at the edge of its tile, had each team all the fish, as large a debt, and two
# digits of all else.
_CUT = """
() => {
  for (const figures of document.querySelectorAll('.tile__figures')) {
    const debt = figures.firstElementChild.cloneNode(true);
    for (const one of figures.querySelectorAll('.count > span:last-child'))
      [...one.childNodes].find((node) => node.nodeType === Node.TEXT_NODE).data = '10';
    for (const one of [figures.firstElementChild, debt]) one.lastElementChild.textContent = '100';
    debt.dataset.figure = 'debt';
    figures.append(debt);
  }
  const inside = (box, frame) => box.left >= frame.left - 1 && box.right <= frame.right + 1
    && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
  return [...document.querySelectorAll('.tile .count')].filter((one) => one.checkVisibility())
    .filter((one) => !inside(one.getBoundingClientRect(),
                             one.closest('.tile').getBoundingClientRect()))
    .map((one) => one.textContent.trim());
}
"""


_emails = iter(f"teacher{number}@school.example" for number in range(1, 1000))


def overview(running: Running, browser: Browser, number: int) -> Page:
    """The projector of a lesson with so many matches between bots."""
    printed = running.manage("shell", "-c", _MATCHES.format(number=number, email=next(_emails)))
    lesson, token = json.loads(printed.partition("MADE")[2])
    page = browser.new_context(viewport=PICTURE).new_page()
    page.goto(f"{running.url}/lessons/{lesson}/screen/?screen={token}")
    expect(page.locator(".tile .board")).to_have_count(number)
    return page


@pytest.mark.parametrize("number", [2, 3, 8])
def test_matches_side_by_side_fill_the_picture(running, browser, number):
    page = overview(running, browser, number)
    heard = watch(page.context, running.url)

    assert page.evaluate(_FILLED) > 0.9
    assert page.evaluate(_SMALLEST) >= READ_FROM_AFAR_PX
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert (barriers(page), wider_than_the_screen(page)) == ([], 0)
    forward = page.locator(".tile :is(.moment, .tile__glimpse)").filter(visible=True)
    expect(forward.first).to_be_visible(timeout=SOON_MS)
    assert (heard.complaints, heard.foreign) == ([], [])


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 8])
def test_no_figure_of_a_match_is_cut_off_however_large(running, browser, number):
    page = overview(running, browser, number)

    assert page.evaluate(_CUT) == []
    page.set_viewport_size({"width": 1366, "height": 768})
    page.reload()
    expect(page.locator(".tile .board")).to_have_count(number)
    assert page.evaluate(_CUT) == []


_TONES = """
const made = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
  document.documentElement.dataset.heard = "tones";
  return made.call(this);
};
"""
# What the switch has in common with sentences, boards and figures: nothing may be covered.
_UNDER_THE_SWITCH = """
() => {
  const own = document.querySelector('[data-sound]').getBoundingClientRect();
  const marks = '.say, .die, .flag, .tag, .board, .tile__number, .tile__board, .sheet, .told';
  return [...document.querySelectorAll(marks)].filter((one) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    return [...(one.matches('.say') ? words : one).getClientRects()].some((box) =>
      own.top < box.bottom - 1 && own.bottom > box.top + 1
      && own.left < box.right - 1 && own.right > box.left + 1);
  }).map((one) => one.className);
}
"""


def test_the_class_hears_sounds_where_the_projector_was_switched_on(running, browser):
    page = overview(running, browser, 2)
    page.context.add_init_script(_TONES)
    page.reload()
    expect(page.locator(".tile .board")).to_have_count(2)
    switch, heard = page.get_by_role("button", name="Sound"), page.locator("html")
    expect(switch).to_have_attribute("aria-pressed", "false")
    forward = page.locator(".tile :is(.moment, .tile__glimpse)").filter(visible=True)
    expect(forward.first).to_be_visible(timeout=SOON_MS)
    assert heard.get_attribute("data-heard") is None

    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(heard).to_have_attribute("data-heard", "tones")
    page.evaluate("delete document.documentElement.dataset.heard")

    expect(heard).to_have_attribute("data-heard", "tones", timeout=SOON_MS)
    page.locator(".tile").first.click()
    expect(page.locator(".screen__say h1")).to_be_visible()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    expect(heard).to_have_attribute("data-heard", "tones", timeout=SOON_MS)


@pytest.mark.parametrize(("width", "language"), [(1920, "en"), (360, "ar")])
def test_the_switch_of_the_sounds_covers_nothing(running, browser, width, language):
    address = overview(running, browser, 2).url
    page = browser.new_context(viewport={**PICTURE, "width": width}, locale=language).new_page()

    page.goto(address)
    expect(page.locator(".tile .board")).to_have_count(2)
    beside_tiles = page.evaluate(_UNDER_THE_SWITCH)
    page.locator(".tile").first.click()
    expect(page.locator(".screen__board .board")).to_be_visible()

    assert (beside_tiles, page.evaluate(_UNDER_THE_SWITCH)) == ([], [])
    assert wider_than_the_screen(page) == 0


def test_tiles_stack_on_a_small_screen(running, browser):
    page = overview(running, browser, 2)
    page.set_viewport_size({"width": 360, "height": 740})

    assert wider_than_the_screen(page) == 0
    page.locator(".tile").last.click()
    expect(page.locator(".screen__say h1")).to_be_visible()


def _answering(pages: list[Page]) -> list[Page]:
    """The pages of the team that is to answer, once one shows its answers."""
    for _look in range(300):
        if team := [page for page in pages if page.locator(".decision > .answers").count()]:
            return team
        pages[0].wait_for_timeout(100)
    raise AssertionError("No team was shown the answers.")


def test_a_question_stays_in_front_without_its_answer_until_it_is_answered(running, browser):
    room = class_in_play(
        running, {"names": ["Noor"]}, {"names": ["Omar"]}, email="question@school.example"
    )
    pages = [room.join(phone(browser), name) for name in ("Noor", "Omar")]
    board = browser.new_context(viewport=PICTURE).new_page()
    board.goto(room.board)
    expect(board.locator(".ahead li")).to_have_count(6)
    assert all(board.locator(".ahead__name").all_inner_texts())

    to_the_question(running, room.match)

    question = board.locator(".moment .question")
    expect(question.locator(".answer")).to_have_count(4)
    expect(question.locator(".right")).to_have_count(0)
    board.clock.install()
    board.clock.fast_forward(30_000)
    expect(question.locator(".right")).to_have_count(0)
    decide(_answering(pages), lambda _page, button: button.click())
    expect(question.locator(".right")).to_have_count(1)


def to_the_question(running: Running, match: str) -> None:
    """Play on until a question is open."""
    running.manage("shell", "-c", _TO_THE_QUESTION.format(match=match))


_TO_THE_QUESTION = """
import time
import msgspec
from classroom.access import TeacherActor
from games.bots.bot import bot_move
from games.engine.chance import seeded
from games.models import Match
from games.selectors import positions
from games.services import matches
from games.services.play import Submission

match = Match.objects.select_related("lesson__classroom__owner").get(pk={match!r})
actor = TeacherActor(match.lesson.classroom.owner)
for number in range(600):
    position = positions.load(match.pk)
    if position.state.question is not None and position.state.question.asked:
        break
    opened = position.timing.opened[0]
    bot = next(iter(position.bots.values()))
    move = bot_move(position.rules, position.state, opened.decision, bot, seeded(number))
    matches.submit_now(match_id=match.pk, actor=actor, submission=Submission(
        decision=opened.version, at=time.time(), move=msgspec.to_builtins(move),
        student=position.teams[opened.decision.seat].members[0].student,
    ))
assert not position.state.question.answered
"""


_LOBBY = """
import json
from classroom.access import TeacherActor
from classroom.models import Attendance, Lesson, Student, Teacher
from classroom.services.classrooms import create_classroom
from games.selectors.screens import screen_token

teacher = Teacher.objects.create_user(email="{email}", name="M", password=None)
room = create_classroom(actor=TeacherActor(teacher), name="7c")
lesson = Lesson.objects.create(classroom=room, state="open", activity="corruption")
for number in range(30):
    student = Student.objects.create(classroom=room, name=f"Student {{number}}")
    if number % 2:
        Attendance.objects.create(lesson=lesson, student=student)
print("MADE" + json.dumps([str(lesson.pk), screen_token(lesson), room.code]))
"""
_SMALLEST_IN_THE_LOBBY = """
() => Math.min(...[...document.querySelectorAll('.lobby-screen :is(p, li, h1, bdi)')]
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))
"""


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_lobby_is_read_from_ten_metres_and_fits_the_picture(running, browser, language):
    printed = running.manage("shell", "-c", _LOBBY.format(email=next(_emails)))
    lesson, token, code = json.loads(printed.partition("MADE")[2])
    page = browser.new_context(viewport=PICTURE, locale=language).new_page()

    page.goto(f"{running.url}/lessons/{lesson}/screen/?screen={token}")

    assert page.locator("h1").inner_text().replace(" ", "") == code
    assert page.evaluate(_SMALLEST_IN_THE_LOBBY) >= READ_FROM_AFAR_PX
    expect(page.locator(".lobby-screen__names .here")).to_have_count(15)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert (barriers(page), wider_than_the_screen(page)) == ([], 0)


_SAY = """
import time
from django.utils import timezone
from datetime import timedelta
from classroom.access import TeacherActor
from classroom.models import Lesson
from games.models import Match
from games.services.matches import finish_round, pause_match, resume_match
from games.services.notices import send_notice

lesson = Lesson.objects.select_related("classroom__owner").get(pk="{lesson}")
actor = TeacherActor(lesson.classroom.owner)
second = Match.objects.get(lesson=lesson, number=2)
for text, match in (("Look here.", None), ("Read it aloud.", second.pk)):
    send_notice(actor=actor, lesson_id=lesson.pk, text=text, match_id=match, on_screen=True)
Lesson.objects.filter(pk=lesson.pk).update(ends_at=timezone.now() + timedelta(minutes=4))
while finish_round(match_id=second.pk, actor=actor).timing.last_round is None:
    resume_match(match_id=second.pk, actor=actor)  # one round had just ended
    time.sleep(0.5)
pause_match(match_id=second.pk, actor=actor)  # else the last round may end before it is looked at
"""
# What the places for notices have in common with the boards: nothing may be covered.
_COVERED = """
() => [...document.querySelectorAll('.told')].filter((one) => {
  const told = one.getBoundingClientRect();
  return [...document.querySelectorAll('.board')].map((other) => other.getBoundingClientRect())
    .some((board) => told.top < board.bottom - 1 && told.bottom > board.top + 1
      && told.left < board.right - 1 && told.right > board.left + 1);
}).length
"""


def test_a_notice_stands_where_it_is_meant_and_covers_no_board(running, browser):
    page = overview(running, browser, 3)
    lesson = page.url.split("/")[4]

    running.manage("shell", "-c", _SAY.format(lesson=lesson))

    foot = page.locator(".overview__foot")
    expect(foot.locator(".told")).to_have_text("Look here.")
    expect(foot).to_contain_text("The lesson ends at")
    expect(page.locator(".tile .told")).to_have_text("Read it aloud.")
    expect(page.locator(".tile").nth(1).locator(".told")).to_be_visible()
    expect(page.locator(".tile").nth(1).get_by_text("This is the last round.")).to_have_count(1)
    expect(page.locator(".tile").nth(0).get_by_text("This is the last round.")).to_have_count(0)
    assert page.evaluate(_COVERED) == 0
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")

    page.locator(".tile").nth(1).click()
    expect(page.locator(".screen__told")).to_have_text("Read it aloud.")
    expect(page.locator(".board")).to_be_visible()
    assert page.evaluate(_COVERED) == 0
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
