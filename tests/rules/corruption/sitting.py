"""Positions of Corruption! built by hand, and two teams that play on from them.

Dice are given as faces; other draws (shuffles) as they are asked for.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from msgspec.structs import replace

from games.decks.starters import starter_content
from games.engine.chance import recorded
from games.engine.game import Step
from games.rules.corruption.content import parse
from games.rules.corruption.events import AnyEvent, FishMoved
from games.rules.corruption.moves import (
    AnswerQuestion,
    AnyMove,
    AskQuestion,
    Buy,
    ChooseReward,
    Roll,
)
from games.rules.corruption.options import Options
from games.rules.corruption.ruleset import CorruptionRuleset
from games.rules.corruption.state import (
    BLUE,
    RED,
    Asking,
    Decks,
    Doing,
    State,
    TeamState,
    Throw,
    TurnEnd,
)

CONTENT = parse(starter_content("corruption"))
PROPERTIES = tuple(CONTENT.board.properties)
IN_ORDER = (3, 2, 1)  # draws that leave the four options of a question in their order
TOTAL = 100  # fish of the default board


@cache
def ruleset(**options: Any) -> CorruptionRuleset:
    return CorruptionRuleset(CONTENT, Options(**options))


def repriced(options: dict[str, Any] | None = None, **prices: int) -> CorruptionRuleset:
    """The rules on a board with other prices for some properties."""
    plain = starter_content("corruption")
    for item in plain["board"]["properties"]:
        item["price"] = prices.get(item["id"], item["price"])
    return CorruptionRuleset(parse(plain), Options(**(options or {})))


def with_swapped(first: int, second: int, **options: Any) -> CorruptionRuleset:
    """The rules on a board with two squares in each other's place."""
    plain = starter_content("corruption")
    squares = plain["board"]["squares"]
    squares[first], squares[second] = squares[second], squares[first]
    for index, square in enumerate(squares):
        square["index"] = index
    return CorruptionRuleset(parse(plain), Options(**options))


def full(name: str) -> Buy:
    """Buy at the full price."""
    return Buy(name, donation=False)


def half(name: str) -> Buy:
    """Buy with a Donation card."""
    return Buy(name, donation=True)


def village(*, without: tuple[str, ...] = (), **paid: int) -> dict[str, int]:
    """All properties at their printed price, but for some, or for those of another price paid."""
    return {
        item.id: paid.get(item.id, item.price)
        for item in CONTENT.board.properties.values()
        if item.id not in without
    }


def team(*, possession: int = 6, owns: dict[str, int] | None = None, **fields: Any) -> TeamState:
    owns = owns or {}
    assert owns.keys() <= set(PROPERTIES)
    return TeamState(possession=possession, paid=tuple(map(owns.get, PROPERTIES)), **fields)


def decks(held: tuple[str, ...] = (), **top: str) -> Decks:
    """Every deck in file order with one card on top; without the donations held by teams."""
    orders = {}
    for key in ("corruption", "national", "local", "donation", "qa"):
        cards = [card for card in getattr(CONTENT, key) if card not in held]
        first = top.get(key, cards[0] if cards else None)
        orders[key] = tuple(sorted(cards, key=lambda card, first=first: card != first))
    return Decks(**orders)


def state(
    *,
    red: TeamState | None = None,
    blue: TeamState | None = None,
    turn: int = RED,
    bank: int = 0,
    river: int | None = None,
    agenda: tuple[Doing | Asking, ...] | None = None,
    die: int = 0,
    **top: str,
) -> State:
    """A position at the start of a turn, or at what is given as agenda.

    The river holds what the rest of the table leaves of all fish, unless given.
    """
    teams = red or team(), blue or team()
    spent = bank + sum(each.possession + each.insurance for each in teams)
    return State(
        river=TOTAL - spent if river is None else river,
        bank=bank,
        decks=decks(teams[0].donations + teams[1].donations, **top),
        turn=turn,
        die=die,
        teams=teams,
        agenda=(TurnEnd(turn), *(agenda or (Throw(turn, start=True),))),
    )


class Sitting:
    """A match under way: the state now, and everything that happened."""

    def __init__(
        self, position: State, rules: CorruptionRuleset | None = None, **options: Any
    ) -> None:
        self.ruleset = rules or ruleset(**options)
        self.state = position
        self.events: list[AnyEvent] = []

    def play(self, move: AnyMove, *draws: int) -> Sitting:
        """The team that is asked plays a move; every draw given is used."""
        chance = recorded(draws)
        step: Step[State, AnyEvent] = self.ruleset.apply(self.state, self.asked, move, chance)
        assert tuple(chance.draws) == draws, "draws left over"
        self.state = step.state
        self.events += step.events
        return self

    def roll(self, die: int, *draws: int) -> Sitting:
        return self.play(Roll(), die - 1, *draws)

    def time_out(self, *draws: int) -> Sitting:
        """The default is played for the team that is asked."""
        (decision,) = self.ruleset.decisions(self.state)
        return self.play(self.ruleset.default_move(self.state, decision, recorded(())), *draws)

    @property
    def red(self) -> TeamState:
        return self.state.teams[RED]

    @property
    def blue(self) -> TeamState:
        return self.state.teams[BLUE]

    @property
    def asked(self) -> int:
        (decision,) = self.ruleset.decisions(self.state)
        return decision.seat

    @property
    def decision(self) -> tuple[int, str] | None:
        """Seat and kind of the open decision; None when the game is over."""
        open_now = self.ruleset.decisions(self.state)
        return (open_now[0].seat, open_now[0].kind) if open_now else None

    @property
    def moves(self) -> tuple[AnyMove, ...]:
        """The moves listed for the team that is asked."""
        moves: tuple[AnyMove, ...] = self.ruleset.legal_moves(self.state, self.asked).moves
        return moves

    def owns(self, seat: int) -> dict[str, int]:
        """What each property of a village cost."""
        paid = zip(PROPERTIES, self.state.teams[seat].paid, strict=True)
        return {name: fish for name, fish in paid if fish is not None}

    def happened(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def fish(self) -> list[tuple[str, str, int]]:
        """Every movement of fish: from, to, how many."""
        return [(event.source, event.target, event.amount) for event in self.happened(FishMoved)]


def with_flag(position: State, seat: int, square: int) -> State:
    """The position with one flag on another square."""
    teams = list(position.teams)
    teams[seat] = replace(teams[seat], position=square)
    return replace(position, teams=(teams[0], teams[1]))


def drawn(
    *,
    card: str = "Q01",
    shuffle: tuple[int, ...] = IN_ORDER,
    options: dict[str, Any] | None = None,
    blue: TeamState | None = None,
    **fields: Any,
) -> Sitting:
    """Red has just landed on Q&A; blue holds the question."""
    red = team(position=1, **fields)
    position = state(red=red, blue=blue or team(), qa=card, corruption="C05")
    return Sitting(position, **(options or {})).roll(3, *shuffle)


def right_answer(*, reward: Literal["fish", "roll"] | None = None, **given: Any) -> Sitting:
    """Red has answered right, and chosen the reward if one is given."""
    game = drawn(**given).play(AskQuestion()).play(AnswerQuestion("c"))
    return game if reward is None else game.play(ChooseReward(reward))
