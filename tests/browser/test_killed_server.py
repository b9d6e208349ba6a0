"""The server dies in the middle of a match and starts again: all come back by themselves."""

from __future__ import annotations

import os
import signal

from playwright.sync_api import Browser, Page, expect

from tests.browser.class_in_play import class_in_play, phone
from tests.browser.playing import LONGEST, asked, decide_next
from tests.browser.test_desk import desk_of, teacher
from tests.site import Running, answers, site, spawn

TEAMS = ["Amina", "Bilal"], ["Noor", "Omar"]
DICE = 4665  # with them the first vote comes soon
EMAIL = "killed@school.example"
BACK_MS = 60_000  # a phone tries again within 15 s; this is for a machine with much else to do
LOST = "The connection is lost"


def test_four_students_and_a_desk_come_back_by_themselves(browser: Browser) -> None:
    with site(seed=DICE) as run:
        room = class_in_play(
            run, *({"names": list(names)} for names in TEAMS), email=EMAIL, board="one-lesson"
        )
        desk = desk_of(teacher(browser, run, EMAIL), room)
        pages = [room.join(phone(browser), name) for team in TEAMS for name in team]
        first, second = play_to_a_vote(pages)
        wish = first.locator(".decision > .options [role=radio]").first
        wish.click()
        expect(wish).to_have_attribute("aria-checked", "true")
        log = first.locator(".log").inner_text()
        told = [page.locator("#say").inner_text() for page in pages]

        kill(run)
        for page in pages:
            expect(page.locator("#line")).to_contain_text(LOST, timeout=BACK_MS)
        start_again(run)

        for page, sentence in zip(pages, told, strict=True):
            expect(page.locator("#line")).not_to_contain_text(LOST, timeout=BACK_MS)
            expect(page.locator("#line")).not_to_contain_text("blocks live connections")
            expect(page.locator(".mates .light:not(.gone, .unknown)")).to_have_count(2)
            expect(page.locator("#say")).to_have_text(sentence)
        expect(wish).to_have_attribute("aria-checked", "true")
        assert first.locator(".log").inner_text() == log
        same = second.locator(".decision > .options [role=radio]").first
        expect(same.locator(".avatar")).to_have_count(1)
        same.click()
        expect(first.locator("#say")).not_to_have_text(told[pages.index(first)], timeout=BACK_MS)
        for _decision in range(3):
            decide_next(pages)
        lights = desk.locator(".desk__match .light:not(.gone, .wait, .unknown)")
        expect(lights).to_have_count(4, timeout=BACK_MS)
        other = next(page for page in pages if page not in asked(pages))
        waits = other.locator("#say").inner_text()
        expect(desk.locator(".desk__match")).to_contain_text(waits.rstrip("."), timeout=BACK_MS)
        assert "1 matches checked, 0 of them wrong." in run.manage("check_matches")


def play_to_a_vote(pages: list[Page]) -> list[Page]:
    """Do what is asked until a team has to choose between options: that team."""
    for _decision in range(LONGEST):
        team = asked(pages)
        if team[0].locator(".decision > .options [role=radio]").count() > 1:
            return team
        decide_next(pages)
    raise AssertionError("Nobody had to choose.")


def kill(run: Running) -> None:
    """As when the power of the computer fails: nothing is said, nothing is finished."""
    (process,) = run.processes
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def start_again(run: Running) -> None:
    """The same program on the same data and port."""
    command = run.processes.pop().args
    assert isinstance(command, list)
    run.processes.append(spawn(command, run.env, run.logs[0]))
    while not answers(run.url):
        assert run.processes[0].poll() is None, run.log_text()
