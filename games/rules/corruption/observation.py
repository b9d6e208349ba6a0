"""What one viewer may know of a position (secrecy table in section 4 of the rules).

Everything of both teams is open. Secret are the order of the decks and, while a
question is open, its right answer and explanation; they are not in these values
for a viewer who may not know them. A question carries no card id (an id would
lead to the answer).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from games.rules.corruption.content import CardPicture
from games.rules.corruption.state import ChargeReason, OpenCard, TeamState
from games.rules.corruption.validator import Letter


class Waiting(Struct, frozen=True, kw_only=True):
    """The decision that play waits for."""

    seat: int
    kind: str  # "roll", "collect", "buy", ... as in section 4


class ClaimView(Struct, frozen=True, kw_only=True):
    """Fish to be claimed on this landing."""

    category: str
    fish: int  # what the river gives for the roll


class ChargeView(Struct, frozen=True, kw_only=True):
    """A charge that the team cannot pay without selling."""

    amount: int
    shortfall: int
    reason: ChargeReason
    prices: tuple[int | None, ...]  # what each property brings, in board order; None: not owned


class InspectionView(Struct, frozen=True, kw_only=True):
    """The row of the Inspector table for the team, and whether the wipe is open."""

    row: str  # "12", "34", "56", "78"
    fine_fish: int
    fine_rounds: int
    fine_donation: bool
    wipe_fish: int
    wipe_rounds: int
    wipe_open: bool


class QuestionView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The question of this turn. What the viewer may not know is None."""

    seat: int  # the answering team
    asked: bool
    answered: bool
    text: str | None  # None for all but the asking team and the teacher until it is asked
    options: tuple[str, str, str, str] | None  # as shown from a to d
    letter: Letter | None  # the answer given
    correct: Letter | None
    explanation: str | None
    topic: str | None
    language: str = ""  # of the texts, where it is not that of the match
    picture: CardPicture | None = None  # for whoever reads the text


class Observation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A position as one viewer knows it. Lists of properties are in board order."""

    seat: int | None  # of the viewer
    turn: int
    phase: Literal["play", "over"]
    river: int
    bank: int
    die: int  # 0 before the first roll
    teams: tuple[TeamState, TeamState]
    waiting: Waiting | None = None
    card: OpenCard | None = None  # words of the card: public content
    claim: ClaimView | None = None
    charge: ChargeView | None = None
    inspection: InspectionView | None = None
    question: QuestionView | None = None
    winner: int | None = None
