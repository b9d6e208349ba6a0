"""The beginning, turns, walks and landings (COR-SETUP, COR-START, COR-MOVE)."""

from __future__ import annotations

from typing import assert_never

from games.rules.corruption import (
    bank,
    categories,
    chance_squares,
    corrupt_acts,
    disasters,
    donations,
    insurance,
    joker,
    prison,
    questions,
    winning,
)
from games.rules.corruption.events import (
    Rolled,
    TurnInPrison,
    TurnSkipped,
    TurnsLost,
    TurnStarted,
    Walked,
)
from games.rules.corruption.state import Inspect, Land, Throw, TurnEnd, TurnStart, Walk
from games.rules.corruption.table import Table


def start(table: Table, seat: int) -> None:
    """The turn comes to a team: in prison it waits, a missed turn is counted, else it rolls.

    Rules: COR-MOVE-6, COR-MOVE-7, COR-MOVE-8, COR-PRISON-1, COR-PRISON-2, COR-PRISON-10.
    """
    table.turn = seat
    table.won_rolls = 0
    team = table.teams[seat]
    table.then(TurnEnd(seat))
    if team.sentence is not None:
        table.tell(TurnInPrison(seat=seat, rounds=team.sentence.rounds))
    elif team.missed:
        table.change(seat, missed=team.missed - 1)
        table.tell(TurnSkipped(seat=seat, left=team.missed - 1))
    else:
        table.tell(TurnStarted(seat=seat))
        table.then(Throw(seat, start=True))


def end(table: Table, seat: int) -> None:
    """The turn passes to the other team (COR-MOVE-6)."""
    table.then(TurnStart(1 - seat))


def throw(table: Table, seat: int) -> None:
    """Roll the die; the walk and its landing follow (COR-MOVE-1, COR-MOVE-6)."""
    table.die = table.chance.die()
    table.card = None
    table.question = None
    table.tell(Rolled(seat=seat, die=table.die))
    table.then(Walk(seat, table.die), Land(seat))


def visit_inspector(table: Table, seat: int) -> None:
    """Go to the closest Inspector in place of rolling (COR-WIN-9)."""
    table.card = None
    table.question = None
    winning.go_to_inspector(table, seat)
    table.then(Inspect(seat, sent=False))


def walk(table: Table, walk: Walk) -> None:
    """Walk square by square; Start and Central Bank act on the way.

    Rules: COR-MOVE-2, COR-MOVE-3, COR-BANK-1, COR-BANK-5, COR-BANK-6, COR-PRISON-3.
    """
    seat, left = walk.seat, walk.left
    kinds = table.rules.kinds
    path = []
    square = table.teams[seat].position
    while left:
        left -= 1
        square = (square + 1) % len(kinds)
        path.append(square)
        if square == prison.START or (kinds[square] == "central_bank" and left):
            break
    table.change(seat, position=square)
    table.tell(Walked(seat=seat, path=tuple(path)))
    if left:
        table.then(Walk(seat, left))
    if square == prison.START:
        prison.serve_round(table, seat)
    elif left:
        _pass_bank(table, seat)


def _pass_bank(table: Table, seat: int) -> None:
    """Owe the tax for passing, now or after the landing (COR-BANK-6)."""
    if table.rules.options.bank_tax_timing == "on_pass":
        table.then(bank.tax(seat))
    else:
        table.agenda.insert(table.agenda.index(Land(seat)), bank.tax(seat))


def land(table: Table, seat: int) -> None:
    """The square at the end of the walk acts (COR-MOVE-3, COR-MOVE-5, COR-INSP-G8)."""
    square = table.rules.board.squares[table.teams[seat].position]
    match square.kind:
        case "category":
            assert square.category is not None, "a category square names its category"
            categories.arrive(table, seat, square.category, chance=False)
        case "corruption":
            corrupt_acts.land(table, seat)
        case "chance":
            chance_squares.land(table, seat)
        case "insurance":
            insurance.land(table, seat)
        case "qa":
            questions.land(table, seat)
        case "joker":
            joker.land(table, seat)
        case "national_disaster":
            disasters.land_on_national(table, seat)
        case "local_disaster":
            disasters.land_on_local(table, seat)
        case "donation":
            donations.draw(table, seat)
        case "inspector":
            table.then(Inspect(seat, sent=False))
        case "central_bank":
            bank.land(table, seat)
        case "prison":
            table.quiet(seat, "prison_visit")
        case "start":
            _land_on_start(table, seat)
        case kind:
            assert_never(kind)


def _land_on_start(table: Table, seat: int) -> None:
    """A turn is missed (COR-START-1, ``start_landing``)."""
    if table.rules.options.start_landing == "miss_next":
        team = table.change(seat, missed=table.teams[seat].missed + 1)
        table.tell(TurnsLost(seat=seat, turns=1, total=team.missed, reason="start"))
    else:
        table.quiet(seat, "start_visit")
