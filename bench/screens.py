"""Pictures of every page: ``python -m bench.screens [FOLDER] [--only play,front]``.

Starts the site with a class that plays, opens each page at four widths, light and
dark, in English and Arabic, and pastes the pictures of a page on one sheet. Meant
to be looked at: what is ugly or does not fit is a fault.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.class_in_play import PASSWORD, ClassInPlay, class_in_play
from tests.site import site

SIZES = ((360, 740), (768, 1024), (1366, 768), (1920, 1080))
LOOKS = (("en", "light"), ("en", "dark"), ("ar", "light"), ("ar", "dark"))
SCALE = 0.28
GAP = 12
STEPS = 12  # decisions played before the pictures are taken
EMAIL = "okafor@school.example"

Address = Callable[[ClassInPlay], str]

# page: who opens it, and where it is
PAGES: dict[str, tuple[str, Address]] = {
    "front": ("nobody", lambda c: "/"),
    "how-to-play": ("nobody", lambda c: "/how-to-play/corruption/"),
    "rules": ("nobody", lambda c: "/rules/corruption/"),
    "join": ("nobody", lambda c: "/join/"),
    "log-in": ("nobody", lambda c: "/accounts/login/"),
    "choose-name": ("nobody", lambda c: f"/lessons/{c.lesson}/join/"),
    "play": ("student", lambda c: f"/matches/{c.match}/play/"),
    "board": ("nobody", lambda c: f"/matches/{c.match}/board/?screen={c.token}"),
    "classes": ("teacher", lambda c: "/classes/"),
    "questions": ("teacher", lambda c: "/questions/"),
    "questions-found": ("teacher", lambda c: "/questions/?q=vote"),
    "lesson": ("teacher", lambda c: f"/lessons/{c.lesson}/"),
    "desk": ("teacher", lambda c: f"/lessons/{c.lesson}/desk/"),
    "match-desk": ("teacher", lambda c: f"/matches/{c.match}/desk/"),
    "set-up": ("teacher", lambda c: f"/lessons/{c.lesson}/setup/"),
    "story": ("teacher", lambda c: f"/matches/{c.match}/story/"),
    "results": ("teacher", lambda c: f"/matches/{c.match}/results/"),
    "debrief": ("teacher", lambda c: f"/lessons/{c.lesson}/debrief/"),
    "demo": ("nobody", lambda c: "/demo/"),
    "screen": ("teacher", lambda c: f"/lessons/{c.lesson}/screen/"),
}


def main() -> None:
    """Write one sheet a page into the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default="docs/screens", type=Path)
    parser.add_argument("--only", default="", help="names of pages, with commas")
    wish = parser.parse_args()
    wish.folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in wish.only.split(",") if name] or list(PAGES)
    with site() as run, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        made = class_in_play(run, {"names": ["Noor", "Amina"]}, {"played_by": "bot"}, email=EMAIL)
        states = {who: _state(browser, made, who) for who in ("nobody", "student", "teacher")}
        for name in names:
            who, address = PAGES[name]
            pictures = _pictures(browser, states[who], run.url + address(made))
            _sheet(list(pictures)).save(wish.folder / f"{name}.webp", quality=62, method=6)
            print(name)
        browser.close()


def _state(browser: Browser, made: ClassInPlay, who: str) -> str | None:
    """What a browser of this person keeps: cookies, as a file's content."""
    if who == "nobody":
        return None
    context = browser.new_context(viewport={"width": 360, "height": 740})
    if who == "student":
        _play(made.join(context, "Noor"))
    else:
        _log_in(context.new_page(), made.run.url)
    return context.storage_state()  # type: ignore[return-value]


def _play(page: Page) -> None:
    for _ in range(STEPS):
        page.wait_for_timeout(600)
        page.evaluate(
            "document.querySelector('[data-act]:not([aria-disabled]), [role=radio]')?.click()"
        )


def _log_in(page: Page, url: str) -> None:
    page.goto(f"{url}/accounts/login/")
    page.locator("[name=login]").fill(EMAIL)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url("**/classes/**")


def _pictures(browser: Browser, state: str | None, url: str) -> Iterator[Image.Image]:
    for language, theme in LOOKS:
        for width, height in SIZES:
            context: BrowserContext = browser.new_context(
                viewport={"width": width, "height": height}, locale=language, storage_state=state
            )
            context.add_cookies([{"name": "theme", "value": theme, "url": url}])
            page = context.new_page()
            page.goto(url)
            page.locator("h1").first.wait_for()
            page.wait_for_timeout(300)
            yield Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            context.close()


def _sheet(pictures: list[Image.Image]) -> Image.Image:
    """The pictures in rows of one look each, small."""
    columns = len(SIZES)
    small = [
        picture.resize((round(picture.width * SCALE), round(picture.height * SCALE)))
        for picture in pictures
    ]
    widths = [max(one.width for one in small[column::columns]) for column in range(columns)]
    height = max(one.height for one in small)
    sheet = Image.new(
        "RGB",
        (sum(widths) + GAP * (columns + 1), (height + GAP) * len(LOOKS) + GAP),
        "#9a948a",
    )
    for place, one in enumerate(small):
        row, column = divmod(place, columns)
        left = GAP + sum(widths[:column]) + GAP * column
        sheet.paste(one, (left, GAP + row * (height + GAP)))
    return sheet


if __name__ == "__main__":
    main()
