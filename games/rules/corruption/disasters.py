"""National and local natural disasters (COR-NND, COR-LND)."""

from __future__ import annotations

from msgspec.structs import replace

from games.rules.corruption import insurance
from games.rules.corruption.events import CardDrawn, PropertyLost, PropertySaved
from games.rules.corruption.state import Charge, NationalLoss, OpenCard
from games.rules.corruption.table import Table
from games.rules.corruption.validator import NATIONAL_COST, NATIONAL_INSURED_COST


def land_on_national(table: Table, seat: int) -> None:
    """A disaster for both villages; the team that landed settles first.

    Rules: COR-NND-2, COR-NND-9, COR-NND-10.
    """
    card, *rest = table.decks.national
    table.decks = replace(table.decks, national=(*rest, card))
    table.card = OpenCard("national", card)
    table.tell(CardDrawn(seat=seat, deck="national", card=card))
    table.then(NationalLoss(seat), NationalLoss(1 - seat))


def settle_national(table: Table, seat: int) -> None:
    """One fish from the insurance, or two from possession.

    Rules: COR-NND-3, COR-NND-4, COR-NND-5, COR-NND-6.
    """
    if table.teams[seat].insurance >= NATIONAL_INSURED_COST:
        insurance.pay_loss(table, seat, NATIONAL_INSURED_COST, "insured_national")
    else:
        table.then(Charge(seat, NATIONAL_COST, "river", "national_disaster"))


def land_on_local(table: Table, seat: int) -> None:
    """A disaster for one property: insured for half its price, or lost.

    Rules: COR-LND-1 to 8.
    """
    rules = table.rules
    card, *rest = table.decks.local
    table.decks = replace(table.decks, local=(*rest, card))
    table.card = OpenCard("local", card)
    table.tell(CardDrawn(seat=seat, deck="local", card=card))
    hit = rules.content.local[card].property
    place = rules.board.rank[hit]
    half = rules.halves[place]
    team = table.teams[seat]
    if team.paid[place] is None:
        table.quiet(seat, "property_not_owned")
    elif team.insurance >= half:
        table.tell(PropertySaved(seat=seat, property=hit, fish=half))
        insurance.pay_loss(table, seat, half, "insured_local")
    else:
        table.change(seat, paid=(*team.paid[:place], None, *team.paid[place + 1 :]))
        table.tell(PropertyLost(seat=seat, property=hit, needed=half))
