"""A complete village and a clean record (COR-WIN)."""

from __future__ import annotations

from games.rules.corruption.events import RecordWiped, VillageCompleted, Won
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import FollowToInspector, Inspect, TeamState
from games.rules.corruption.table import Table


def is_complete(team: TeamState) -> bool:
    """Whether the team owns all properties of the board (COR-WIN-1)."""
    return None not in team.paid


def check(table: Table) -> None:
    """End the game if a team qualifies, the team to move first.

    Rules: COR-WIN-2, COR-WIN-3, COR-WIN-13.
    """
    for seat in (table.turn, 1 - table.turn):
        team = table.teams[seat]
        if not team.tokens and is_complete(team):
            table.winner = seat
            table.agenda.clear()
            table.tell(Won(seat=seat))
            return


def wipe_record(table: Table, seat: int) -> None:
    """Remove all tokens of a team, which may win it the game (COR-INSP-G7, COR-WIN-3)."""
    tokens = table.teams[seat].tokens
    table.change(seat, tokens=0)
    table.tell(RecordWiped(seat=seat, tokens=tokens))
    check(table)


def finish_village(table: Table, seat: int) -> None:
    """A village has become complete: the team wins, or goes to the closest Inspector.

    Rules: COR-WIN-2, COR-WIN-4, COR-WIN-9, COR-WIN-10, COR-WIN-12, COR-WIN-14.
    """
    tokens = table.teams[seat].tokens
    table.tell(VillageCompleted(seat=seat, tokens=tokens))
    if not tokens:
        check(table)
        return
    if table.rules.options.both_finished_move == "both":
        table.then(FollowToInspector(1 - seat))
    table.then(Inspect(seat, sent=True))
    go_to_inspector(table, seat)


def follow(table: Table, seat: int) -> None:
    """The other finished team goes as well, unless it is in prison (COR-WIN-11, COR-WIN-12)."""
    both = all(is_complete(team) and team.tokens for team in table.teams)
    if both and table.teams[seat].sentence is None:
        table.then(Inspect(seat, sent=True))
        go_to_inspector(table, seat)


def go_to_inspector(table: Table, seat: int) -> None:
    """Put the flag on the closest Inspector (COR-WIN-4, COR-WIN-5)."""
    square = closest_inspector(table.rules, table.teams[seat].position)
    table.put_flag(seat, square, "inspector")


def closest_inspector(rules: RuleBook, position: int) -> int:
    """The Inspector that is fewest squares away (COR-WIN-5, ``inspector_direction``)."""
    if rules.options.inspector_direction == "forward":
        return rules.board.inspector_ahead[position]
    return rules.board.inspector_nearest[position]
