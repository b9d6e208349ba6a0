"""Insurance squares: fish laid aside for disasters (COR-INS)."""

from __future__ import annotations

from games.rules.corruption.events import INSURANCE, POSSESSION, FishMoved, FishReason
from games.rules.corruption.state import Insure
from games.rules.corruption.table import Table


def land(table: Table, seat: int) -> None:
    """Ask for a deposit on the team's own colour (COR-INS-1, COR-INS-2, COR-INS-6)."""
    team = table.teams[seat]
    if table.rules.board.squares[team.position].team != seat:
        table.quiet(seat, "other_insurance")
    elif team.possession:
        table.then(Insure(seat))
    else:
        table.quiet(seat, "nothing_to_deposit")


def deposit(table: Table, seat: int, fish: int) -> None:
    """Lay fish on the team's one pot, for good (COR-INS-2, COR-INS-3, COR-INS-5, COR-INS-7)."""
    if not fish:
        table.quiet(seat, "nothing_deposited")
        return
    team = table.teams[seat]
    table.change(seat, possession=team.possession - fish, insurance=team.insurance + fish)
    table.tell(
        FishMoved(
            seat=seat,
            source=POSSESSION[seat],
            target=INSURANCE[seat],
            amount=fish,
            reason="deposit",
        )
    )


def pay_loss(table: Table, seat: int, fish: int, reason: FishReason) -> None:
    """Fish from the insurance, which must cover them, to the river (COR-INS-4)."""
    if not fish:
        return
    table.river += fish
    table.change(seat, insurance=table.teams[seat].insurance - fish)
    table.tell(
        FishMoved(seat=seat, source=INSURANCE[seat], target="river", amount=fish, reason=reason)
    )
