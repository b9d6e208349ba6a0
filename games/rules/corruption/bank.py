"""Central Bank: a tax for passing, half of the square for landing (COR-BANK)."""

from __future__ import annotations

from games.rules.corruption import paying
from games.rules.corruption.events import POSSESSION, FishMoved
from games.rules.corruption.state import Charge
from games.rules.corruption.table import Table

TAX = 1  # fish (COR-BANK-1)


def tax(seat: int) -> Charge:
    """What a walk over the square costs (COR-BANK-1, COR-BANK-2)."""
    return Charge(seat, TAX, "bank", "bank_tax")


def land(table: Table, seat: int) -> None:
    """Share the square: half to the team, the other half and an odd fish to the river.

    Rules: COR-BANK-3, COR-BANK-4, COR-PAY-8.
    """
    share = table.bank // 2
    rest = table.bank - share
    table.bank = 0
    if share:
        table.change(seat, possession=table.teams[seat].possession + share)
        table.tell(
            FishMoved(
                seat=seat,
                source="bank",
                target=POSSESSION[seat],
                amount=share,
                reason="bank_share",
            )
        )
    if rest:
        table.river += rest
        table.tell(
            FishMoved(seat=seat, source="bank", target="river", amount=rest, reason="bank_rest")
        )
    else:
        table.quiet(seat, "bank_empty")
    paying.repay(table, seat)
