"""What a team can answer in Corruption!, as values (COR-DEC, section 4).

The union is wire format, log format and schema at once.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from games.rules.corruption.validator import Letter


class Move(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of all moves; ``type`` tells them apart."""


class Roll(Move, tag="roll", frozen=True):
    """Roll the die."""


class Collect(Move, tag="collect", frozen=True):
    """Claim the fish of this landing."""


class Leave(Move, tag="leave", frozen=True):
    """Leave the fish of this landing."""


class Buy(Move, tag="buy", frozen=True):
    """Buy a property, at half price with ``donation``.

    None leaves the card open: full price where it can be paid, else the card.
    """

    property: str
    donation: bool | None = None


class Pass(Move, tag="pass", frozen=True):
    """Buy nothing."""


class Deposit(Move, tag="deposit", frozen=True):
    """Lay fish on the own insurance."""

    fish: int


class Sell(Move, tag="sell", frozen=True):
    """Sell a property to the river."""

    property: str


class Fine(Move, tag="fine", frozen=True):
    """Pay the Inspector's fine and keep the record."""


class Wipe(Move, tag="wipe", frozen=True):
    """Do what the Inspector asks for a clean record."""


class GiveDonation(Move, tag="give_donation", frozen=True):
    """Give this Donation card to the other team."""

    card: str


class AskQuestion(Move, tag="qa_ask", frozen=True):
    """Read the question out; the answering team's time begins."""


class AnswerQuestion(Move, tag="qa_answer", frozen=True):
    """Answer a, b, c or d as shown. None is no answer in time and counts as wrong."""

    letter: Letter | None


class SkipQuestion(Move, tag="qa_skip", frozen=True):
    """Take the open card off the table. Offered to no team: it is the teacher's (COR-QA-11)."""


class ChooseReward(Move, tag="qa_reward", frozen=True):
    """Take the reward of a right answer."""

    reward: Literal["fish", "roll"]


class GoToInspector(Move, tag="goto_inspector", frozen=True):
    """Go to the closest Inspector in place of rolling."""


AnyMove = (
    Roll
    | Collect
    | Leave
    | Buy
    | Pass
    | Deposit
    | Sell
    | Fine
    | Wipe
    | GiveDonation
    | AskQuestion
    | AnswerQuestion
    | SkipQuestion
    | ChooseReward
    | GoToInspector
)
