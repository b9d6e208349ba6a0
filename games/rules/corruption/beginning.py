"""Beginning the game (COR-SETUP)."""

from __future__ import annotations

from games.engine.chance import Chance
from games.rules.corruption.events import RolledForStart
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import BLUE, RED, Decks, State, TeamState, TurnStart
from games.rules.corruption.table import Table


def set_up(rules: RuleBook, chance: Chance) -> Table:
    """The table with shuffled decks and the first turn to come.

    Rules: COR-SETUP-1 to 8, COR-START-2.
    """
    content = rules.content
    decks = Decks(
        corruption=chance.shuffled(content.corruption),
        national=chance.shuffled(content.national),
        local=chance.shuffled(content.local),
        donation=chance.shuffled(content.donation),
        qa=chance.shuffled(content.qa),
    )
    team = TeamState(possession=0, paid=(None,) * len(rules.properties))
    table = Table(
        rules,
        State(
            river=rules.board.fish_total,
            bank=0,
            decks=decks,
            turn=RED,
            teams=(team, team),
            agenda=(),
        ),
        chance,
    )
    for seat in (RED, BLUE):
        table.from_river(seat, rules.board.starting_fish, "setup")
    table.then(TurnStart(_first_team(table)))
    return table


def _first_team(table: Table) -> int:
    """The seat that begins (COR-SETUP-8, ``first_team``)."""
    if table.rules.options.first_team == "red":
        return RED
    if table.rules.options.first_team == "blue":
        return BLUE
    while True:
        red, blue = table.chance.die(), table.chance.die()
        first = None if red == blue else RED if red > blue else BLUE
        table.tell(RolledForStart(seat=first, dice=(red, blue)))
        if first is not None:
            return first
