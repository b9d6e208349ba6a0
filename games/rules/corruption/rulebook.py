"""Board, decks and options of one match, with what the rules look up often.

Made once for each match. Properties are counted by their place in the board file.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.rules.corruption.content import Board, Content
from games.rules.corruption.moves import Buy, Sell
from games.rules.corruption.options import Options
from games.rules.corruption.validator import SquareKind


class RuleBook(Struct, frozen=True, kw_only=True):
    """Tuples over properties have one entry for each place of the board file."""

    content: Content
    board: Board
    options: Options
    finite: bool  # the river can run dry (COR-CAT-6)
    kinds: tuple[SquareKind, ...]  # of each square
    properties: tuple[str, ...]
    prices: tuple[int, ...]
    halves: tuple[int, ...]  # half of each price, rounded (COR-LND-6, COR-DON-9)
    category_of: tuple[str, ...]
    members: Mapping[str | None, tuple[int, ...]]  # places of a category; None: all
    full_price: tuple[Buy, ...]
    with_donation: tuple[Buy, ...]
    sell: tuple[Sell, ...]


def rule_book(content: Content, options: Options) -> RuleBook:
    """The rule book of these boards, decks and options."""
    board = content.board
    ids = tuple(board.properties)
    prices = tuple(item.price for item in board.properties.values())
    members: dict[str | None, tuple[int, ...]] = {
        category.id: tuple(board.rank[item] for item in category.properties)
        for category in board.categories.values()
    }
    members[None] = tuple(range(len(ids)))
    return RuleBook(
        content=content,
        board=board,
        options=options,
        finite=options.river_supply == "finite",
        kinds=tuple(square.kind for square in board.squares),
        properties=ids,
        prices=prices,
        halves=tuple((price + (options.half_rounding == "up")) // 2 for price in prices),
        category_of=tuple(item.category for item in board.properties.values()),
        members=members,
        full_price=tuple(Buy(item, donation=False) for item in ids),
        with_donation=tuple(Buy(item, donation=True) for item in ids),
        sell=tuple(Sell(item) for item in ids),
    )
