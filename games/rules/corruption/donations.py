"""Donation cards: half price for one property of their category (COR-DON)."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from games.rules.corruption.events import CardDrawn, DonationGiven
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import OpenCard, TeamState
from games.rules.corruption.table import Table


def draw(table: Table, seat: int) -> None:
    """Draw a card to keep, if the teams do not hold them all (COR-DON-1, COR-DON-10)."""
    if not table.decks.donation:
        table.quiet(seat, "no_donation_left")
        return
    card, *rest = table.decks.donation
    table.decks = replace(table.decks, donation=tuple(rest))
    table.change(seat, donations=(*table.teams[seat].donations, card))
    table.card = OpenCard("donation", card)
    table.tell(CardDrawn(seat=seat, deck="donation", card=card))


def categories(rules: RuleBook, team: TeamState) -> AbstractSet[str]:
    """The categories that the team holds a card for (COR-DON-3)."""
    return {rules.content.donation[card].category for card in team.donations}


def use(table: Table, seat: int, category: str) -> str:
    """Put the fitting card held longest under the deck; which card (COR-DON-6, COR-DON-8)."""
    held = table.teams[seat].donations
    card = next(c for c in held if table.rules.content.donation[c].category == category)
    table.change(seat, donations=tuple(c for c in held if c != card))
    table.decks = replace(table.decks, donation=(*table.decks.donation, card))
    return card


def give(table: Table, seat: int, card: str) -> None:
    """Hand a card to the other team, which holds it as its newest (COR-DON-5, COR-INSP-G6)."""
    table.change(seat, donations=tuple(c for c in table.teams[seat].donations if c != card))
    other = 1 - seat
    table.change(other, donations=(*table.teams[other].donations, card))
    table.tell(DonationGiven(seat=seat, card=card))
