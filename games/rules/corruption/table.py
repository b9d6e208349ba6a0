"""The position while one move is carried out.

A ``Table`` lives inside a single call of setup or apply: it is laid out from a
frozen state, the rules change it and tell what happens, and it is put away as
the next frozen state. Nothing outside that call sees it.
"""

from __future__ import annotations

from typing import TypedDict, Unpack

from msgspec.structs import replace

from games.engine.chance import Chance
from games.engine.game import Step
from games.rules.corruption.events import (
    POSSESSION,
    AnyEvent,
    DirectMove,
    FishMoved,
    FishReason,
    Moved,
    NothingHappened,
    Quiet,
)
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import Asking, Doing, Sentence, State, TeamState


class TeamFields(TypedDict, total=False):
    """What of a team can change."""

    position: int
    possession: int
    insurance: int
    paid: tuple[int | None, ...]
    donations: tuple[str, ...]
    rewarded: tuple[str, ...]
    tokens: int
    debt: int
    missed: int
    sentence: Sentence | None


class Table:
    """A state laid out to be changed, with chance and the events so far."""

    __slots__ = (
        "agenda",
        "bank",
        "card",
        "chance",
        "decks",
        "die",
        "events",
        "question",
        "river",
        "rules",
        "teams",
        "turn",
        "winner",
        "won_rolls",
    )

    def __init__(self, rules: RuleBook, state: State, chance: Chance) -> None:
        self.rules = rules
        self.chance = chance
        self.events: list[AnyEvent] = []
        self.river = state.river
        self.bank = state.bank
        self.decks = state.decks
        self.turn = state.turn
        self.die = state.die
        self.won_rolls = state.won_rolls
        self.card = state.card
        self.question = state.question
        self.teams = list(state.teams)
        self.agenda: list[Doing | Asking] = list(state.agenda)
        self.winner = state.winner

    def step(self) -> Step[State, AnyEvent]:
        """The table put away, with everything that happened on it."""
        red, blue = self.teams
        state = State(
            river=self.river,
            bank=self.bank,
            decks=self.decks,
            turn=self.turn,
            die=self.die,
            won_rolls=self.won_rolls,
            card=self.card,
            question=self.question,
            teams=(red, blue),
            agenda=tuple(self.agenda),
            winner=self.winner,
        )
        return Step(state, tuple(self.events))

    def tell(self, event: AnyEvent) -> None:
        self.events.append(event)

    def quiet(self, seat: int, why: Quiet) -> None:
        """Tell that nothing happened."""
        self.events.append(NothingHappened(seat=seat, why=why))

    def change(self, seat: int, **fields: Unpack[TeamFields]) -> TeamState:
        """The team with some of its fields replaced; also what lies on the table now."""
        team = replace(self.teams[seat], **fields)
        self.teams[seat] = team
        return team

    def then(self, *effects: Doing | Asking) -> None:
        """Put effects before everything else on the agenda; the first given acts first."""
        self.agenda.extend(reversed(effects))

    def put_flag(self, seat: int, square: int, reason: DirectMove) -> None:
        """Move a flag without passing any square (COR-MOVE-4)."""
        self.change(seat, position=square)
        self.tell(Moved(seat=seat, square=square, reason=reason))

    def from_river(self, seat: int, amount: int, reason: FishReason) -> int:
        """Fish from the river to the team, as far as there are any (COR-CAT-6); how many."""
        if self.rules.finite and amount > self.river:
            amount = self.river
        if amount:
            self.river -= amount
            self.change(seat, possession=self.teams[seat].possession + amount)
            self.tell(
                FishMoved(
                    seat=seat,
                    source="river",
                    target=POSSESSION[seat],
                    amount=amount,
                    reason=reason,
                )
            )
        return amount

    def to_river(self, seat: int, amount: int, reason: FishReason) -> None:
        """Fish from the team's possession, which must cover them, to the river."""
        if amount:
            self.river += amount
            self.change(seat, possession=self.teams[seat].possession - amount)
            self.tell(
                FishMoved(
                    seat=seat,
                    source=POSSESSION[seat],
                    target="river",
                    amount=amount,
                    reason=reason,
                )
            )

    def to_bank(self, seat: int, amount: int, reason: FishReason) -> None:
        """Fish from the team's possession, which must cover them, to the bank square."""
        if amount:
            self.bank += amount
            self.change(seat, possession=self.teams[seat].possession - amount)
            self.tell(
                FishMoved(
                    seat=seat,
                    source=POSSESSION[seat],
                    target="bank",
                    amount=amount,
                    reason=reason,
                )
            )
