"""Chance: on to the category whose dots equal the roll (COR-CHANCE)."""

from __future__ import annotations

from games.rules.corruption import categories
from games.rules.corruption.table import Table


def land(table: Table, seat: int) -> None:
    """Put the flag on the category of the die; fish and a purchase wait there.

    Rules: COR-CHANCE-1, COR-CHANCE-2, COR-CHANCE-3, COR-CHANCE-4, COR-CHANCE-8.
    """
    board = table.rules.board
    category = board.category_of_die[table.die - 1]
    if table.rules.options.chance_target == "next_ahead":
        square = board.category_ahead[category][table.teams[seat].position]
    else:
        square = board.first_square(category)
    table.put_flag(seat, square, "chance")
    categories.arrive(table, seat, category, chance=True)
