"""What every page of the site must keep to, in a real browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    FloatRect,
    Locator,
    Page,
    Request,
)

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
TARGET_PX = 44

_SMALL = """
() => [...document.querySelectorAll(
    'a[href], button, summary, select, input, [role=radio], [tabindex="0"]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !one.closest('.vh, .skip') && !one.matches('[role=region], main, a.rule'))
  .filter((one) => !(one.tagName === 'A' && getComputedStyle(one).display === 'inline'))
  .map((one) => [one, (one.closest('label') ?? one).getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < SIZE - 0.5 || box.height < SIZE - 0.5))
  .map(([one, box]) => [one.outerHTML.slice(0, 90), box.width, box.height].join(' '))
"""


@dataclass
class Watch:
    """Complaints of a browser, and requests that leave the site."""

    site: str
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def heard(self, message: ConsoleMessage) -> None:
        """Errors and warnings of the console; a broken content policy is among them."""
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def asked(self, request: Request) -> None:
        """A request; those to other hosts are kept."""
        address = urlsplit(request.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.netloc != self.site:
            self.foreign.append(request.url)


def watch(context: BrowserContext, url: str) -> Watch:
    """Listen to all pages of a browser from now on."""
    heard = Watch(urlsplit(url).netloc)
    context.on("console", heard.heard)
    context.on("weberror", lambda error: heard.complaints.append(str(error.error)))
    context.on("request", heard.asked)
    return heard


def barriers(page: Page) -> list[str]:
    """What axe-core finds, one line each."""
    found = Axe().run(page, options={"runOnly": RULES}).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:120]} {node['failureSummary'][:160]}"
        for rule in found
        for node in rule["nodes"]
    ]


def small_targets(page: Page) -> list[str]:
    """Controls in view that are smaller than a finger; links inside a text do not count."""
    found: list[str] = page.evaluate(_SMALL.replace("SIZE", str(TARGET_PX)))
    return found


def wider_than_the_screen(page: Page) -> int:
    """Pixels that a page is too wide; 0 where nothing scrolls sideways."""
    page.wait_for_load_state()  # a page that is just opening has no document yet
    wide: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return wide


def longer_than_the_screen(page: Page) -> int:
    """Pixels that the whole page can be scrolled, by the focus too; 0 where only parts scroll."""
    long: int = page.evaluate(
        "document.documentElement.scrollHeight - document.documentElement.clientHeight"
    )
    return long


def places(found: Locator) -> list[FloatRect | None]:
    """Where things stand, to compare with where they stand later."""
    return [one.bounding_box() for one in found.all()]
