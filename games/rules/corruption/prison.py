"""Prison: sentences in rounds of the other team, one team inside at a time (COR-PRISON)."""

from __future__ import annotations

from games.rules.corruption import winning
from games.rules.corruption.events import Jailed, RoundServed
from games.rules.corruption.state import Charge, Imprison, LeavePrison, Sentence
from games.rules.corruption.table import Table

DISPLACEMENT_FEE = 1  # fish (COR-PRISON-6)
START = 0  # square


def imprison(table: Table, order: Imprison) -> None:
    """Send a team to prison; a team inside pays and leaves first.

    Rules: COR-PRISON-1, COR-PRISON-6, COR-PRISON-8.
    """
    other = 1 - order.seat
    if table.teams[other].sentence is not None:
        fee = Charge(other, DISPLACEMENT_FEE, "bank", "displacement")
        table.then(fee, LeavePrison(other), order)
        return
    table.put_flag(order.seat, table.rules.board.prison, "prison")
    table.change(order.seat, sentence=Sentence(order.rounds, order.wipe))
    table.tell(Jailed(seat=order.seat, rounds=order.rounds, wipe=order.wipe))


def leave_displaced(table: Table, seat: int) -> None:
    """The displaced team goes to Start; its sentence is closed (COR-PRISON-6, COR-PRISON-7)."""
    sentence = table.teams[seat].sentence
    assert sentence is not None, "only a jailed team is displaced"
    table.put_flag(seat, START, "displaced")
    table.change(seat, sentence=None)
    if sentence.wipe and table.rules.options.displaced_record == "wipe":
        winning.wipe_record(table, seat)


def serve_round(table: Table, walker: int) -> None:
    """The other team has passed Start: a round of the jailed team is over.

    Rules: COR-PRISON-3, COR-PRISON-4, COR-PRISON-5.
    """
    seat = 1 - walker
    sentence = table.teams[seat].sentence
    if sentence is None:
        return
    left = sentence.rounds - 1
    table.tell(RoundServed(seat=seat, left=left))
    if left:
        table.change(seat, sentence=Sentence(left, sentence.wipe))
        return
    table.put_flag(seat, START, "released")
    table.change(seat, sentence=None)
    if sentence.wipe:
        winning.wipe_record(table, seat)
