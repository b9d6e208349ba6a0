"""The Inspector: tokens are counted, and the row for their number applies (COR-INSP)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from games.rules.corruption import paying
from games.rules.corruption.events import Inspected, Sentenced
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import (
    Charge,
    GiveUpDonation,
    Imprison,
    Inspect,
    Judgement,
    TeamState,
    WipeRecord,
)
from games.rules.corruption.table import Table


class Sanction(Struct, frozen=True, kw_only=True):
    """One option of a row: fish to the river, then a donation or rounds in prison."""

    fish: int
    rounds: int = 0
    donation: bool = False


class Row(Struct, frozen=True, kw_only=True):
    """One row of the table. Without ``fine`` there is no choice."""

    name: str
    fine: Sanction | None
    wipe: Sanction


ROW_12 = Row(name="12", fine=Sanction(fish=1), wipe=Sanction(fish=2))
ROW_34 = Row(name="34", fine=Sanction(fish=2), wipe=Sanction(fish=4))
ROW_56 = Row(name="56", fine=Sanction(fish=2, donation=True), wipe=Sanction(fish=4, rounds=1))
ROW_56_WITHOUT_DONATION = Row(name="56", fine=Sanction(fish=4), wipe=Sanction(fish=4, rounds=1))
ROW_78 = Row(name="78", fine=Sanction(fish=1, rounds=1), wipe=Sanction(fish=1, rounds=2))
ROW_9 = Row(name="9", fine=None, wipe=Sanction(fish=3, rounds=2))


def row(team: TeamState) -> Row:
    """The row for the tokens of a team that has some.

    Rules: COR-INSP-12, COR-INSP-34, COR-INSP-56, COR-INSP-78, COR-INSP-9.
    """
    if team.tokens <= 2:
        return ROW_12
    if team.tokens <= 4:
        return ROW_34
    if team.tokens <= 6:
        return ROW_56 if team.donations else ROW_56_WITHOUT_DONATION
    if team.tokens <= 8:
        return ROW_78
    return ROW_9


def wipe_is_open(rules: RuleBook, river: int, team: TeamState) -> bool:
    """Whether the team may choose ``wipe`` (COR-INSP-G3, COR-INSP-G4, ``wipe_funding``)."""
    its_row = row(team)
    if its_row is ROW_78 or its_row is ROW_9:
        return its_row is ROW_78
    funds = team.possession
    if rules.options.wipe_funding == "may_sell":
        sales = sum(price or 0 for price in paying.sale_prices(rules, team, "inspector"))
        funds += min(sales, river) if rules.finite else sales
    return funds >= its_row.wipe.fish


def inspect(table: Table, visit: Inspect) -> None:
    """Count the tokens and let the row act or ask.

    Rules: COR-INSP-G1, COR-INSP-0, COR-INSP-9, COR-WIN-7 (``finished_fine``).
    """
    team = table.teams[visit.seat]
    if not team.tokens:
        table.tell(Inspected(seat=visit.seat, tokens=0, row="0"))
        table.quiet(visit.seat, "clean_record")
        return
    its_row = row(team)
    table.tell(Inspected(seat=visit.seat, tokens=team.tokens, row=its_row.name))
    if its_row.fine is None:
        wipe(table, visit.seat)
    elif (
        visit.sent
        and table.rules.options.finished_fine == "waive"
        and not wipe_is_open(table.rules, table.river, team)
    ):
        table.quiet(visit.seat, "fine_waived")
    else:
        table.then(Judgement(visit.seat))


def fine(table: Table, seat: int) -> None:
    """Punish and leave the record (COR-INSP-G2, COR-INSP-G4, COR-INSP-G6, COR-INSP-G7)."""
    its_row = row(table.teams[seat])
    sanction = its_row.fine
    assert sanction is not None, "the row of 9 tokens and more gives no choice"
    _tell(table, seat, its_row, "fine", sanction)
    if sanction.rounds:
        table.then(Imprison(seat, sanction.rounds, wipe=False))
    if sanction.donation:
        table.then(GiveUpDonation(seat))
    table.then(Charge(seat, sanction.fish, "river", "inspector"))


def wipe(table: Table, seat: int) -> None:
    """Punish and clean the record, at once or when the sentence has been served.

    Rules: COR-INSP-G2, COR-INSP-G4, COR-INSP-G5, COR-INSP-G7.
    """
    its_row = row(table.teams[seat])
    sanction = its_row.wipe
    _tell(table, seat, its_row, "wipe", sanction)
    if sanction.rounds:
        table.then(Imprison(seat, sanction.rounds, wipe=True))
    else:
        table.then(WipeRecord(seat))
    table.then(Charge(seat, sanction.fish, "river", "inspector"))


def _tell(
    table: Table, seat: int, its_row: Row, choice: Literal["fine", "wipe"], sanction: Sanction
) -> None:
    table.tell(
        Sentenced(
            seat=seat,
            row=its_row.name,
            choice=choice,
            fish=sanction.fish,
            rounds=sanction.rounds,
            donation=sanction.donation,
        )
    )
