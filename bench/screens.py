"""Pictures of every page: ``python -m bench.screens [FOLDER] [--only play,front]``.

Starts the site with a class that plays, a match that has ended, four matches side by
side and a set of questions; opens each page at four widths, light and dark, in English
and Arabic, and pastes the pictures of a page on one sheet. Meant to be looked at: what
is ugly or does not fit is a fault. ``--front`` writes the boards that the front page shows.
"""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.class_in_play import PASSWORD, ClassInPlay, class_in_play
from tests.site import site

SIZES = ((360, 740), (768, 1024), (1366, 768), (1920, 1080))
LOOKS = (("en", "light"), ("en", "dark"), ("ar", "light"), ("ar", "dark"))
SCALE = 0.28
GAP = 12
FRONT, FRONT_PX = Path("static/img"), 640
STEPS = 12  # decisions played before the pictures are taken
EMAIL = "okafor@school.example"
NAMES = (
    *("Bilal", "Chiara", "Dario", "Elif", "Farah", "Goran", "Hana", "Ivo", "Jonas", "Kateryna"),
    *("Lina", "Mateo", "Petra", "Quentin", "Rosa", "Sami", "Umut", "Vera", "Wanda", "Xenia"),
    *("Yusuf", "Zoë", "Anouk", "Bruno", "Carla", "Deniz"),
)

# What else there is to see: print it as JSON, by name.
MORE = """
import json
import time
import msgspec
from classroom.access import TeacherActor
from classroom.models import Lesson, Student
from games.bots.bot import bot_move
from games.engine.chance import seeded
from games.selectors import positions
from games.services import matches
from games.services.decks import starter_versions
from games.services.matches import TeamPlan, create_match, start_match
from games.services.play import Submission
from games.selectors.screens import screen_token
from quizzes.formats.question import SingleChoice
from quizzes.services.adding import add_questions
from quizzes.services.imports import Sent, start_import
from quizzes.services.sets import create_set
from classroom.models import Attendance

playing = Lesson.objects.get(pk={lesson!r})
room, actor = playing.classroom, TeacherActor(playing.classroom.owner)
versions = {{k: v.pk for k, v in starter_versions("corruption", "one-lesson").items()}}
names = [Student.objects.create(classroom=room, name=name) for name in ("Tara", "Omar Farouk")]


def lesson(*pairs):
    made = Lesson.objects.create(classroom=room, state="open", activity="corruption")
    for teams in pairs:
        match = create_match(lesson_id=made.pk, actor=actor, game="corruption",
                             versions=versions, teams=teams)
        start_match(match_id=match.pk, actor=actor)
    return made, match


over, match = lesson([TeamPlan(students=(str(one.pk),)) for one in names])
for number in range(900):
    position = positions.load(match.pk)
    if position.status == "ended":
        break
    opened = position.timing.opened[0]
    bot = next(iter(position.bots.values()))
    move = bot_move(position.rules, position.state, opened.decision, bot, seeded(number))
    matches.submit_now(match_id=match.pk, actor=actor, submission=Submission(
        decision=opened.version, at=time.time(), move=msgspec.to_builtins(move),
        student=position.teams[opened.decision.seat].members[0].student))
bots = [TeamPlan(students=(), played_by="bot") for _seat in range(2)]
many, _last = lesson(*[bots] * 4)
own = create_set(actor=actor, title="Votes and money")
first, *_rest = add_questions(actor=actor, set_id=own.pk, questions=[
    SingleChoice(stem="Who may vote?", choices=("Citizens", "Nobody"), right=0,
                 explanation="Citizens choose who decides for them."),
    SingleChoice(stem="Who pays for a school?", choices=("All of us", "The mayor"), right=0)])
sheet = "question,choice 1,choice 2,right\\nWho makes laws?,Parliament,Judges,1\\nWho votes?,,,\\n"
batch = start_import(actor=actor, files=[Sent("laws.csv", sheet.encode())], set_id=own.pk)
waits = Lesson.objects.create(classroom=room, state="open", activity="corruption")
for number, name in enumerate({names!r}):
    one = Student.objects.create(classroom=room, name=name)
    if number % 4:
        Attendance.objects.create(lesson=waits, student=one)
told = {{"import": batch, "waits": waits.pk, "waits_token": screen_token(waits),
        "classroom": room.pk, "student": names[1].pk, "over": over.pk, "ended": match.pk,
        "end_token": screen_token(over), "many": many.pk, "many_token": screen_token(many),
        "set": own.pk, "question": first.pk}}
print("MORE" + json.dumps(told, default=str))
"""

# page: who opens it, and where it is; the names in it are those of the class and of MORE
PAGES: dict[str, tuple[str, str]] = {
    "front": ("nobody", "/"),
    "how-to-play": ("nobody", "/how-to-play/corruption/"),
    "rules": ("nobody", "/rules/corruption/"),
    "demo": ("nobody", "/demo/"),
    "join": ("nobody", "/join/"),
    "choose-name": ("newcomer", "/lessons/{lesson}/join/"),
    "log-in": ("nobody", "/accounts/login/"),
    "you": ("teacher", "/accounts/you/"),
    "teachers": ("teacher", "/teachers/"),
    "classes": ("teacher", "/classes/"),
    "class": ("teacher", "/classes/{classroom}/"),
    "class-settings": ("teacher", "/classes/{classroom}/settings/"),
    "students": ("teacher", "/classes/{classroom}/students/"),
    "paste": ("teacher", "/classes/{classroom}/students/paste/"),
    "codes": ("teacher", "/classes/{classroom}/codes/"),
    "student": ("teacher", "/students/{student}/"),
    "new-lesson": ("teacher", "/classes/{classroom}/lessons/new/"),
    "lesson": ("teacher", "/lessons/{waits}/"),
    "set-up": ("teacher", "/lessons/{waits}/setup/"),
    "lobby": ("nobody", "/lessons/{waits}/screen/?screen={waits_token}"),
    "show-code": ("teacher", "/classes/{classroom}/code/"),
    "desk": ("teacher", "/lessons/{many}/desk/"),
    "match-desk": ("teacher", "/matches/{match}/desk/"),
    "play": ("student", "/matches/{match}/play/"),
    "board": ("nobody", "/matches/{match}/board/?screen={token}"),
    "screen": ("nobody", "/lessons/{many}/screen/?screen={many_token}"),
    "screen-code": ("nobody", "/screen/"),
    "end": ("nobody", "/matches/{ended}/board/?screen={end_token}"),
    "story": ("teacher", "/matches/{ended}/story/"),
    "results": ("teacher", "/matches/{ended}/results/"),
    "report": ("teacher", "/lessons/{over}/report/"),
    "debrief": ("teacher", "/lessons/{over}/debrief/"),
    "questions": ("teacher", "/questions/"),
    "questions-found": ("teacher", "/questions/?q=vote"),
    "question-set": ("teacher", "/questions/sets/{set}/"),
    "question-set-settings": ("teacher", "/questions/sets/{set}/settings/"),
    "question": ("teacher", "/questions/{question}/"),
    "new-question": ("teacher", "/questions/sets/{set}/new/numeric/"),
    "new-set": ("teacher", "/questions/sets/new/"),
    "duplicates": ("teacher", "/questions/duplicates/"),
    "import": ("teacher", "/questions/import/?set={set}"),
    "import-preview": ("teacher", "/questions/imports/{import}/"),
    "export": ("teacher", "/questions/sets/{set}/export/"),
    "question-versions": ("teacher", "/questions/{question}/versions/"),
}

# pages that show what they are for only once something was pressed
PRESSED = {"demo": "[data-begin]"}


def main() -> None:
    """Write one sheet a page into the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default="docs/screens", type=Path)
    parser.add_argument("--only", default="", help="names of pages, with commas")
    parser.add_argument("--front", action="store_true", help="only the boards of the front page")
    wish = parser.parse_args()
    wish.folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in wish.only.split(",") if name] or list(PAGES)
    with site() as run, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        made = class_in_play(run, {"names": ["Noor", "Amina"]}, {"played_by": "bot"}, email=EMAIL)
        states = {
            who: _state(browser, made, who) for who in ("nobody", "newcomer", "student", "teacher")
        }
        told = vars(made) | _more(made)  # afterwards: the code of the class leads to one lesson
        if wish.front:
            _front(browser, run.url + PAGES["board"][1].format(**told))
            return
        for name in names:
            who, address = PAGES[name]
            url = run.url + address.format(**told)
            pictures = _pictures(browser, states[who], url, PRESSED.get(name))
            _sheet(list(pictures)).save(wish.folder / f"{name}.webp", quality=62, method=6)
            print(name, flush=True)
        browser.close()


def _front(browser: Browser, url: str) -> None:
    """The board of a match as the front page shows it, in the directions and looks there are."""
    for language, theme in LOOKS:
        context = browser.new_context(viewport={"width": 1920, "height": 1080}, locale=language)
        context.add_cookies([{"name": "theme", "value": theme, "url": urljoin(url, "/")}])
        page = context.new_page()
        page.goto(url)
        page.locator(".moment").wait_for(state="hidden")
        page.wait_for_timeout(1000)
        board = Image.open(io.BytesIO(page.locator(".screen__board .board").screenshot()))
        height = round(board.height * FRONT_PX / board.width)
        direction = "rtl" if language == "ar" else "ltr"
        small = board.convert("RGB").resize((FRONT_PX, height), Image.Resampling.LANCZOS)
        small.save(FRONT / f"board-{direction}-{theme}.webp", quality=70, method=6)
        context.close()


def _more(made: ClassInPlay) -> dict[str, str]:
    printed = made.run.manage("shell", "-c", MORE.format(lesson=made.lesson, names=NAMES))
    return dict(json.loads(printed.partition("MORE")[2]))


def _state(browser: Browser, made: ClassInPlay, who: str) -> str | None:
    """What a browser of this person keeps: cookies, as a file's content."""
    if who == "nobody":
        return None
    context = browser.new_context(viewport={"width": 360, "height": 740})
    if who == "newcomer":
        page = context.new_page()
        page.goto(f"{made.run.url}/join/")
        page.get_by_role("textbox").first.fill(made.code)
        page.get_by_role("textbox").first.press("Enter")
        page.wait_for_url("**/lessons/**")
    elif who == "student":
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


def _pictures(
    browser: Browser, state: str | None, url: str, pressed: str | None
) -> Iterator[Image.Image]:
    for language, theme in LOOKS:
        for width, height in SIZES:
            context: BrowserContext = browser.new_context(
                viewport={"width": width, "height": height}, locale=language, storage_state=state
            )
            context.add_cookies([{"name": "theme", "value": theme, "url": urljoin(url, "/")}])
            page = context.new_page()
            page.goto(url)
            page.locator("h1").first.wait_for()
            if pressed:
                page.locator(pressed).click()
                page.locator(pressed).wait_for(state="detached")
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
