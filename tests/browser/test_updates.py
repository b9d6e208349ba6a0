"""Pages that were open during an update, or while data were set back (case CC-13, CF-10)."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, WebSocketRoute, expect

from games.services.codes import PROTOCOL
from tests.browser.class_in_play import ClassInPlay, class_in_play, phone
from tests.browser.playing import SEEN_MS
from tests.site import Running

SCRIPT = "**/live/protocol.*.js"
OF_NOW, OF_BEFORE = f"const PROTOCOL = {PROTOCOL};", f"const PROTOCOL = {PROTOCOL - 1};"
YOUNG = "const YOUNG_MS = 10_000;", "const YOUNG_MS = 3_000;"
NAMES = ["Amina"], ["Noor"]


class Updated:
    """A browser that gets the script of before the update so many times, then that of now."""

    def __init__(self, context: BrowserContext, *, times: int) -> None:
        self.context, self.times = context, times
        self.fetched = 0
        context.route(SCRIPT, self._answer)

    def _answer(self, route: Route) -> None:
        text = route.fetch().text()
        assert OF_NOW in text
        assert YOUNG[0] in text
        self.fetched += 1
        text = text.replace(*YOUNG)
        if self.fetched <= self.times:
            text = text.replace(OF_NOW, OF_BEFORE)
        route.fulfill(body=text, content_type="text/javascript")


@pytest.fixture
def room(running: Running, request: pytest.FixtureRequest) -> ClassInPlay:
    """A class in the middle of a match."""
    email = f"{request.node.name.partition('[')[0]}@school.example"
    return class_in_play(running, *({"names": names} for names in NAMES), email=email)


@pytest.mark.case("CC-13")
def test_old_play_page_loads_itself_anew_and_plays_on(browser: Browser, room: ClassInPlay) -> None:
    updated = Updated(phone(browser), times=1)

    page = room.join(updated.context, "Amina")

    here = page.locator(".mates .light:not(.gone, .unknown)")
    expect(here).to_have_count(1, timeout=SEEN_MS)  # told by a socket; the old page draws nothing
    expect(page.locator("#line")).not_to_contain_text("The connection is lost")
    assert updated.fetched == 2


@pytest.mark.case("CC-13")
def test_old_page_in_a_network_without_sockets_loads_itself_anew(
    browser: Browser, room: ClassInPlay
) -> None:
    updated = Updated(phone(browser), times=1)
    updated.context.route_web_socket("**", lambda line: line.close())

    page = room.join(updated.context, "Amina")

    line = page.locator("#line")
    expect(line).to_contain_text("blocks live connections", timeout=3 * SEEN_MS)
    assert updated.fetched == 2


class Ahead:
    """A browser whose first page was told of versions that the server does not have any more."""

    def __init__(self, context: BrowserContext) -> None:
        self.opened = 0
        context.route_web_socket("**/ws/match/**", self._carry)

    def _carry(self, line: WebSocketRoute) -> None:
        self.opened += 1
        first = self.opened == 1
        server = line.connect_to_server()

        def told(frame: str | bytes) -> None:
            message = json.loads(frame)
            if first and message["type"] == "observation":
                message["version"] += 100
            line.send(json.dumps(message))

        server.on_message(told)


@pytest.mark.case("CF-10")
def test_page_that_is_ahead_of_a_server_that_was_set_back_begins_anew(
    browser: Browser, room: ClassInPlay
) -> None:
    context = phone(browser)
    Updated(context, times=0)
    ahead = Ahead(context)
    page = room.join(context, "Amina")
    expect(page.locator(".mates .light:not(.gone, .unknown)")).to_have_count(1, timeout=SEEN_MS)

    with page.expect_event("load", timeout=60_000):
        pass  # two heartbeats, ten seconds apart

    expect(page.locator(".mates .light:not(.gone, .unknown)")).to_have_count(1, timeout=SEEN_MS)
    assert ahead.opened == 2


@pytest.mark.case("CC-13")
def test_page_that_stays_old_is_not_loaded_again_and_again(
    browser: Browser, room: ClassInPlay
) -> None:
    """A server that was updated hands out a page of one that was not, or the other way round."""
    updated = Updated(phone(browser), times=1_000)

    page = room.join(updated.context, "Amina")
    page.wait_for_timeout(10_000)

    assert 2 <= updated.fetched <= 5
    expect(page.locator(".mates .light:not(.gone, .unknown)")).to_have_count(0)
