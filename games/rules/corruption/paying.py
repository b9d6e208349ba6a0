"""Paying, selling, borrowing, paying back (COR-PAY)."""

from __future__ import annotations

from games.rules.corruption.events import Borrowed, Sold
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import Charge, ChargeReason, ForcedSale, TeamState
from games.rules.corruption.table import Table

TAXES: frozenset[ChargeReason] = frozenset({"category_tax", "bank_tax"})


def settle(table: Table, charge: Charge) -> None:
    """Pay a charge, or ask what to sell for it, or borrow.

    Rules: COR-PAY-1, COR-PAY-2, COR-PAY-3, COR-PAY-7, COR-PAY-11.
    """
    team = table.teams[charge.seat]
    if team.possession >= charge.amount:
        _pay(table, charge, charge.amount)
    elif can_sell(table.rules, table.river, team):
        table.then(ForcedSale(charge.seat, charge))
    else:
        _pay(table, charge, _borrow(table, charge.seat, charge.amount))


def can_sell(rules: RuleBook, river: int, team: TeamState) -> bool:
    """Whether there is something to sell and a fish to sell it for (COR-PAY-5, COR-PAY-10)."""
    return (river > 0 or not rules.finite) and any(paid is not None for paid in team.paid)


def sale_price(rules: RuleBook, team: TeamState, place: int, reason: ChargeReason | None) -> int:
    """The price of an owned property: a fish less than the basis, at least 0.

    ``reason`` None is a sale of the team's own will (``voluntary_sale``): basis paid.

    Rules: COR-PAY-4, COR-PAY-6.
    """
    paid = team.paid[place]
    assert paid is not None, "only an owned property has a sale price"
    basis_of = rules.options.sale_price_basis
    if reason is not None and (
        basis_of == "original" or (basis_of == "per_section" and reason in TAXES)
    ):
        return rules.prices[place] - 1
    return max(0, paid - 1)


def brings(
    rules: RuleBook, river: int, team: TeamState, place: int, reason: ChargeReason | None
) -> int:
    """What the river really gives for an owned property (COR-PAY-4, COR-PAY-10)."""
    price = sale_price(rules, team, place, reason)
    return min(price, river) if rules.finite else price


def sale_prices(rules: RuleBook, team: TeamState, reason: ChargeReason) -> tuple[int | None, ...]:
    """The price of each property, in board order; None for those not owned (COR-PAY-4)."""
    return tuple(
        None if paid is None else sale_price(rules, team, place, reason)
        for place, paid in enumerate(team.paid)
    )


def sell_for_charge(table: Table, sale: ForcedSale, place: int) -> None:
    """Sell one property and try the charge again (COR-PAY-2, COR-PAY-3)."""
    _sell(table, sale.seat, place, sale.charge.reason, forced=True)
    table.then(sale.charge)


def sell_freely(table: Table, seat: int, place: int) -> None:
    """Sell before the roll, on the basis of what was paid (COR-PAY-6, ``voluntary_sale``)."""
    _sell(table, seat, place, None, forced=False)


def best_sale(rules: RuleBook, team: TeamState, charge: Charge) -> int:
    """The place that a timeout sells: the lowest price that covers, else the highest (COR-DEC-4).

    Equal prices: the first in the board file.
    """
    shortfall = charge.amount - team.possession
    prices = [
        (price, place)
        for place, price in enumerate(sale_prices(rules, team, charge.reason))
        if price is not None
    ]
    covering = [(price, place) for price, place in prices if price >= shortfall]
    if covering:
        return min(covering)[1]
    return min(prices, key=lambda sale: (-sale[0], sale[1]))[1]


def repay(table: Table, seat: int) -> None:
    """Pay debt back to the river after fish came in (COR-PAY-8, COR-PAY-9)."""
    team = table.teams[seat]
    if not team.debt or (
        table.rules.options.debt_repayment == "full_only" and team.possession < team.debt
    ):
        return
    amount = min(team.debt, team.possession)
    table.change(seat, debt=team.debt - amount)
    table.to_river(seat, amount, "repayment")


def _pay(table: Table, charge: Charge, amount: int) -> None:
    """The receiver gets what the team could find of the charge (COR-PAY-10)."""
    if charge.to == "river":
        table.to_river(charge.seat, amount, charge.reason)
    else:
        table.to_bank(charge.seat, amount, charge.reason)


def _borrow(table: Table, seat: int, amount: int) -> int:
    """Borrow what is missing for ``amount``; how many fish the team can then pay.

    The whole shortfall becomes debt, also the part that an empty river cannot lend.

    Rules: COR-PAY-7, COR-PAY-10.
    """
    team = table.teams[seat]
    shortfall = amount - team.possession
    lent = min(shortfall, table.river) if table.rules.finite else shortfall
    table.tell(Borrowed(seat=seat, debt=shortfall, fish=lent))
    table.change(seat, debt=team.debt + shortfall)
    table.from_river(seat, lent, "loan")
    return table.teams[seat].possession


def _sell(
    table: Table, seat: int, place: int, reason: ChargeReason | None, *, forced: bool
) -> None:
    """The river takes the property back and gives its price as far as it can (COR-PAY-5, 10)."""
    team = table.teams[seat]
    fish = brings(table.rules, table.river, team, place, reason)
    table.tell(Sold(seat=seat, property=table.rules.properties[place], fish=fish, forced=forced))
    table.change(seat, paid=(*team.paid[:place], None, *team.paid[place + 1 :]))
    table.from_river(seat, fish, "sale")
