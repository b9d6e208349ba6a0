"""Students who play by what their page says, without a pause between their moves.

``decide`` is one decision of one team: every member does what a student would do
who has read the page. Nothing happens by itself in these matches, so between two
decisions all pages say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

LONGEST = 150  # decisions; the seeds of these tests end far earlier
SEEN_MS = 20_000  # until a page shows what happened, on a machine with much else to do
LIKED = ("Clear the record",)  # what wins a match, taken where it is offered
LEFT = ("Buy nothing", "Leave the fish")

# All that a page tells about the match: log and sentence, or that it is over.
_TOLD = "() => ['.log', '#say'].map((one) => document.querySelector(one).textContent).join()"

Press = Callable[[Page, Locator], None]  # how a member presses a button


class Decided(NamedTuple):
    """One decision, as the team that took it read it."""

    sentence: str
    question: str  # "" for what is no question
    team: list[Page]


def click(page: Page, button: Locator) -> None:
    """With a finger or a mouse."""
    button.click()


def is_over(page: Page) -> bool:
    """Whether the page shows the end of the match."""
    return page.locator(".decision.over").count() > 0


def play_to_the_end(pages: Sequence[Page], press: Press = click) -> list[Decided]:
    """Decide whatever is asked until the match is over; what was decided, in order."""
    done: list[Decided] = []
    while not is_over(pages[0]):
        assert len(done) < LONGEST, [one.sentence for one in done]
        done.append(decide_next(pages, press))
    return done


def asked(pages: Sequence[Page]) -> list[Page]:
    """Those whose team decides now."""
    return [page for page in pages if page.locator(".decision:not(.waited)").count()]


def decide_next(pages: Sequence[Page], press: Press = click) -> Decided:
    """One decision of whichever team is asked, and wait until all pages show what came of it."""
    decided = read(asked(pages))
    before = [page.evaluate(_TOLD) for page in pages]
    decide(decided.team, press)
    for page, told in zip(pages, before, strict=True):
        page.wait_for_function(f"told => ({_TOLD})() !== told", arg=told, timeout=SEEN_MS)
    return decided


def read(team: list[Page]) -> Decided:
    """What stands on the page of a team's first member."""
    page = team[0]
    sentence = page.locator("#say").inner_text()
    answering = page.locator(".decision > .question + .plain").count()
    question = page.locator(".decision > .question .quote").inner_text() if answering else ""
    return Decided(sentence, question, team)


def decide(team: Sequence[Page], press: Press) -> None:
    """One decision: the first of the team acts, or each of them votes in turn."""
    first = team[0]
    act = first.locator("[data-act]")
    if act.count():
        press(first, act.first)
        return
    for page in team:
        button, voted = wish(page)
        press(page, button)
        if page is not team[-1]:
            expect(voted).to_be_visible(timeout=SEEN_MS)


def wish(page: Page) -> tuple[Locator, Locator]:
    """The button of what a student wants here, and what shows that the wish was heard."""
    proposal = page.locator(".decision > .btn.soft")
    if proposal.count():
        return proposal, page.locator("[role=radio][aria-checked=true]")
    rows = page.locator(".decision [role=radio]")
    words = rows.all_inner_texts()
    liked = [n for n, said in enumerate(words) if said.startswith(LIKED)]
    fine = [n for n, said in enumerate(words) if not said.startswith(LEFT)]
    row = rows.nth([*liked, *fine, 0][0])
    return row, row.and_(page.locator("[aria-checked=true]"))
