"""Corruption cards: a token, missed turns, a fine (COR-CORR)."""

from __future__ import annotations

from msgspec.structs import replace

from games.rules.corruption.events import CardDrawn, TokenTaken, TurnsLost
from games.rules.corruption.state import Charge, OpenCard
from games.rules.corruption.table import Table


def land(table: Table, seat: int) -> None:
    """Turn up a card and take its penalties: token, missed turns, fine, in this order.

    Rules: COR-CORR-1 to 9.
    """
    card_id, *rest = table.decks.corruption
    table.decks = replace(table.decks, corruption=(*rest, card_id))
    table.card = OpenCard("corruption", card_id)
    table.tell(CardDrawn(seat=seat, deck="corruption", card=card_id))
    card = table.rules.content.corruption[card_id]
    team = table.teams[seat]
    team = table.change(seat, tokens=team.tokens + 1, missed=team.missed + card.miss_turns)
    table.tell(TokenTaken(seat=seat, card=card_id, tokens=team.tokens))
    if card.miss_turns:
        table.tell(
            TurnsLost(seat=seat, turns=card.miss_turns, total=team.missed, reason="corruption")
        )
    if card.fish:
        table.then(Charge(seat, card.fish, "river", "corruption"))
