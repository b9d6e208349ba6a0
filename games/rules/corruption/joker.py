"""Joker: one property of any category, no fish, no tax (COR-JOKER)."""

from __future__ import annotations

from games.rules.corruption import categories
from games.rules.corruption.state import Purchase
from games.rules.corruption.table import Table


def land(table: Table, seat: int) -> None:
    """Offer one property of any category (COR-JOKER-1, 2, 4, 5)."""
    categories.offer(table, Purchase(seat, None, table.rules.options.joker_reward))
