"""What a browser keeps of a lesson, and what it shows after somebody has gone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.class_in_play import PASSWORD, ClassInPlay, class_in_play, phone
from tests.browser.playing import decide_next
from tests.site import Running

NAMES = ["Amina", "Bilal"]

# Everything that a script of the page could keep or read.
KEPT = """
async () => ({
  local: Object.entries(localStorage),
  session: Object.entries(sessionStorage),
  databases: (await indexedDB.databases()).map((one) => one.name),
  caches: await caches.keys(),
  workers: (await navigator.serviceWorker.getRegistrations()).length,
  cookies: document.cookie,
  said: [location.href, document.title, history.state].map(String),
})
"""

# One message in the place of many: what came over a socket is put into a picture.
POLLUTE = """
async (address) => {
  const { after, blank } = await import(address);
  const types = ["hello", "observation", "votes", "teams", "presence", "notice", "refused"];
  const evil = '"__proto__":{"mark":1},"constructor":{"prototype":{"mark":1}}';
  const member = '{"id":"__proto__","seen":true}';
  const more = `"decision":1,"members":[${member}],"match":{"teams":[]},"events":[]`;
  for (const type of types) {
    const message = JSON.parse(`{"type":"${type}",${more},${evil}}`);
    after({ ...blank, match: { teams: [] } }, message);
  }
  return [({}).mark, [].mark, (() => 0).mark].map(String);
}
"""


_emails = (f"stores{number}@school.example" for number in range(1, 1000))


@pytest.fixture
def email() -> str:
    """A teacher's address for each class."""
    return next(_emails)


@pytest.fixture
def room(running: Running, email: str) -> ClassInPlay:
    """A class in the middle of a match."""
    return class_in_play(running, *({"names": [name]} for name in NAMES), email=email)


@pytest.fixture
def pages(browser: Browser, room: ClassInPlay) -> list[Page]:
    """The students' pages after some decisions."""
    joined = [room.join(phone(browser), name) for name in NAMES]
    for _decision in range(4):
        decide_next(joined)
    return joined


@pytest.fixture
def desk(browser: Browser, room: ClassInPlay, email: str) -> Page:
    """The teacher's page in the middle of the lesson."""
    page = browser.new_page()
    page.goto(f"{room.run.url}/accounts/login/")
    page.locator("input[name=login]").fill(email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url("**/classes/")
    page.goto(f"{room.run.url}/lessons/{room.lesson}/desk/")
    return page


def _is_harmless(key: str, value: str) -> bool:
    """Which hint was seen at which decision; where htmx is, for the back button."""
    if key == "htmx-current-path-for-history":
        return re.fullmatch(r"[/\w-]+", value) is not None
    return re.fullmatch(r"hint [0-9a-f-]{36} \w+", key) is not None and value.isdigit()


@pytest.mark.case("HI-05")
def test_browser_keeps_neither_names_nor_boards(
    browser: Browser, room: ClassInPlay, pages: list[Page], desk: Page
) -> None:
    board = browser.new_page()
    board.goto(room.board)

    for page in (*pages, desk, board):
        kept: dict[str, Any] = page.evaluate(KEPT)
        strange = [entry for entry in kept.pop("session") if not _is_harmless(*entry)]
        said = kept.pop("said")
        assert strange == []
        assert kept == {"local": [], "databases": [], "caches": [], "workers": 0, "cookies": ""}
        assert [name for name in NAMES if any(name in text for text in said)] == []


@pytest.mark.case("HI-05")
def test_nothing_is_shown_by_the_back_button_after_logging_out(
    room: ClassInPlay, desk: Page
) -> None:
    expect(desk.locator("body")).to_contain_text("Amina")
    desk.evaluate(
        """() => {
          const form = document.createElement("form");
          form.method = "post";
          form.action = "/accounts/logout/";
          const token = document.createElement("input");
          token.name = "csrfmiddlewaretoken";
          token.value = document.querySelector('meta[name="csrf-token"]').content;
          form.append(token);
          document.body.append(form);
          form.submit();
        }"""
    )
    desk.wait_for_url(f"{room.run.url}/")

    desk.go_back()

    expect(desk.locator("input[name=password]")).to_be_visible()
    assert "Amina" not in desk.content()


def test_no_message_changes_what_all_objects_are(pages: list[Page]) -> None:
    page = pages[0]
    loaded = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    (address,) = [name for name in loaded if "/live/picture." in name]

    assert page.evaluate(POLLUTE, address) == ["undefined"] * 3
