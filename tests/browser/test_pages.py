"""Pages of teachers, and those that everybody may open: no barrier, nothing too wide or small."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.class_in_play import PASSWORD, ClassInPlay, class_in_play
from tests.browser.watching import barriers, small_targets, watch, wider_than_the_screen
from tests.site import Running

TEACHERS = [
    "/classes/",
    "/classes/new/",
    "/classes/{classroom}/",
    "/classes/{classroom}/settings/",
    "/classes/{classroom}/students/",
    "/classes/{classroom}/students/paste/",
    "/classes/{classroom}/codes/",
    "/classes/{classroom}/code/",
    "/classes/{classroom}/lessons/new/",
    "/students/{student}/",
    "/lessons/{lesson}/",
    "/lessons/{lesson}/setup/",
    "/lessons/{lesson}/setup/place/{student}/",
    "/lessons/{lesson}/desk/",
    "/matches/{match}/desk/",
    "/matches/{match}/board/",
    "/questions/",
    "/questions/?q=votes",
    "/questions/duplicates/",
    "/questions/sets/new/",
    "/questions/sets/{set}/",
    "/questions/sets/{set}/?show=order",
    "/questions/sets/{set}/settings/",
    "/questions/sets/{set}/share/",
    "/accounts/you/",
    "/accounts/2fa/",
    "/accounts/password/change/",
]
EVERYBODYS = [
    "/",
    "/join/",
    "/screen/",
    "/accounts/login/",
    "/how-to-play/corruption/",
    "/rules/corruption/",
    "/nothing-here/",
]


@pytest.fixture(scope="module")
def played(running: Running) -> ClassInPlay:
    return class_in_play(
        running, {"names": ["Noor"]}, {"names": ["Omar"]}, email="pages@school.example"
    )


@pytest.fixture(scope="module")
def ids(running: Running, played: ClassInPlay) -> dict[str, str]:
    printed = running.manage(
        "shell",
        "-c",
        "from classroom.models import Lesson;"
        f"l = Lesson.objects.get(pk={played.lesson!r});"
        "from tests.factories import bank;"
        "s = bank.question_set(owner=l.classroom.owner);"
        "bank.questions(s, bank.single(topics=('rights',)), bank.single(language='ar'));"
        "print('IDS', l.classroom_id, l.classroom.students.first().pk, s.pk)",
    )
    classroom, student, question_set = printed.partition("IDS")[2].split()
    return {
        "classroom": classroom,
        "student": student,
        "set": question_set,
        "lesson": played.lesson,
        "match": played.match,
    }


def log_in(page: Page, run: Running) -> None:
    page.goto(f"{run.url}/accounts/login/")
    page.locator("main input[type=email], main input[name=login]").first.fill(
        "pages@school.example"
    )
    page.locator("main input[type=password]").fill(PASSWORD)
    page.locator("main form button").first.click()
    page.wait_for_url("**/classes/")


@pytest.fixture(params=[("en", 360), ("en", 1366), ("ar", 360)], ids=lambda p: f"{p[0]}-{p[1]}")
def visitor(request: pytest.FixtureRequest, browser: Browser, running: Running) -> Iterator[Page]:
    language, width = request.param
    context = browser.new_context(viewport={"width": width, "height": 800}, locale=language)
    heard = watch(context, running.url)
    yield context.new_page()
    context.close()
    assert heard.foreign == []
    assert [c for c in heard.complaints if "404" not in c] == []


def faults(page: Page, addresses: list[str]) -> list[str]:
    found = []
    for address in addresses:
        page.goto(address)
        page.wait_for_timeout(200)
        found += [f"{address} {barrier}" for barrier in barriers(page)]
        found += [f"{address} small: {small}" for small in small_targets(page)]
        if wide := wider_than_the_screen(page):
            found.append(f"{address} is {wide} px too wide")
    return found


def test_pages_for_everybody(visitor: Page, running: Running) -> None:
    assert faults(visitor, [running.url + path for path in EVERYBODYS]) == []


@pytest.mark.case("PV-06")
def test_pages_of_teachers(visitor: Page, running: Running, ids: dict[str, str]) -> None:
    log_in(visitor, running)

    assert faults(visitor, [running.url + path.format(**ids) for path in TEACHERS]) == []
