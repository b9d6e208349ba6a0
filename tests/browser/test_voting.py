"""While a team decides, nothing moves under a finger, and each change is heard once."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from tests.browser.class_in_play import class_in_play, phone
from tests.browser.playing import LONGEST, asked, decide_next
from tests.browser.watching import longer_than_the_screen, places, watch
from tests.site import site

SPLIT_MS = 60_000  # it is said after half a minute
DICE = 4665  # with them the first vote comes soon, and then a question
# Where a new building stands with its foot while it rises, and afterwards.
RISES = """house => {
  house.classList.remove("fresh");
  const later = house.getBoundingClientRect().bottom;
  house.classList.add("fresh");
  const rising = house.getAnimations()[0];
  rising.pause();
  const { delay, duration } = rising.effect.getComputedTiming();
  rising.currentTime = delay + duration / 2;
  return [house.getBoundingClientRect().bottom, later];
}"""
NOW_OPEN = "Now you see what each of you answered. You may still change your answer."


def test_votes_come_in_and_everything_stays_where_it_was(browser: Browser) -> None:
    with site(seed=DICE) as run:
        contexts = [phone(browser, viewport={"width": 360, "height": 560}) for _ in range(2)]
        contexts += [browser.new_context(viewport={"width": 1366, "height": 768})]
        watches = [watch(context, run.url) for context in contexts]
        room = class_in_play(
            run, {"names": ["Noor", "Amina"]}, {"names": ["Omar"]}, board="one-lesson"
        )
        names = ("Noor", "Amina", "Omar")
        pages = [room.join(context, name) for context, name in zip(contexts, names, strict=True)]
        noor, amina, omar = pages
        said = amina.locator("#said")

        play_to(pages, lambda: amina.locator(".decision > .options [role=radio]").count() > 1)
        options = amina.locator(".decision > .options [role=radio]")
        before = places(options)
        noor.locator(".decision > .options [role=radio]").first.click()
        expect(options.first.locator(".avatar")).to_have_count(1)
        assert places(options) == before
        expect(said).to_have_text("1 of 2 have voted.")
        assert [longer_than_the_screen(page) for page in pages] == [0, 0, 0]
        amina.locator("#main").evaluate("main => { main.scrollTop = 999; }")
        options.first.click()
        expect(amina.locator(".decision.waited")).to_be_visible()
        assert amina.locator("#main").evaluate("main => main.scrollTop") == 0
        foot, foot_later = omar.locator(".table__board .fresh").evaluate(RISES)
        assert abs(foot - foot_later) < 1

        play_to(pages, lambda: amina.locator(".decision .answer:not(.given)").count() > 1)
        answers = amina.locator(".decision .answer")
        answers.last.scroll_into_view_if_needed()
        before = places(answers)
        noor.locator(".decision .answer").first.click()
        expect(amina.locator(".decision")).to_contain_text("1 of 2 have answered.")
        assert amina.locator(".answers .avatar").count() == 0
        assert (omar.locator(".right").count(), amina.locator(".right").count()) == (1, 0)
        answers.last.click()
        expect(amina.locator(".notice", has_text=NOW_OPEN)).to_be_visible()
        expect(answers.first.locator(".avatar")).to_have_count(1)
        expect(said).to_have_text(NOW_OPEN)
        assert places(answers) == before
        assert [heard.complaints for heard in watches] == [[]] * 3


_LET_DECIDE = """
from classroom.access import TeacherActor
from classroom.models import Student
from games.models import Match
from games.selectors import positions
from games.services.matches import let_decide

match = Match.objects.select_related("lesson__classroom__owner").get(pk={match!r})
noor = Student.objects.get(classroom=match.lesson.classroom, name="Noor")
let_decide(
    match_id=match.pk, actor=TeacherActor(match.lesson.classroom.owner), seat=0,
    decision=positions.load(match.pk).timing.opened[0].version, student_id=noor.pk,
)
"""


def test_one_student_of_a_split_team_decides_when_the_teacher_says_so(browser: Browser) -> None:
    with site(seed=DICE) as run:
        room = class_in_play(
            run, {"names": ["Noor", "Amina"]}, {"names": ["Omar"]}, board="one-lesson"
        )
        pages = [room.join(phone(browser), name) for name in ("Noor", "Amina", "Omar")]
        noor, amina, _omar = pages
        play_to(pages, lambda: amina.locator(".decision > .options [role=radio]").count() > 1)
        for page, place in ((noor, 0), (amina, 1)):
            page.locator(".decision > .options [role=radio]").nth(place).click()
        expect(noor.locator(".settling")).to_contain_text("You are split 1–1.", timeout=SPLIT_MS)

        run.manage("shell", "-c", _LET_DECIDE.format(match=room.match))
        noor.get_by_role("button", name="Yes, we take it").click()

        expect(noor.locator(".decision.waited")).to_be_visible()
        expect(amina.locator(".decision.waited")).to_be_visible()


def play_to(pages: list[Page], there: Callable[[], bool]) -> None:
    """Decide what is asked until the first team is asked for what the test is about."""
    for _decision in range(LONGEST):
        if there() and pages[0] in asked(pages):
            return
        decide_next(pages)
    raise AssertionError("It did not come to that.")
