"""Positions of Corruption!: two teams, the river, the bank square, five decks, an agenda.

Pure values: no clock, no randomness, no Django. Rules: docs/rules/corruption.md,
section 0. Fish are whole numbers; seat 0 is red, seat 1 is blue. ``gc=False``:
these values cannot form cycles, and a replay that keeps them all is a quarter faster.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from games.rules.corruption.validator import Letter

RED, BLUE = 0, 1

ChargeReason = Literal[
    "category_tax", "bank_tax", "national_disaster", "corruption", "inspector", "displacement"
]


class Sentence(Struct, frozen=True, forbid_unknown_fields=True):
    """A prison term: rounds left, and whether serving it wipes the record."""

    rounds: int
    wipe: bool


class TeamState(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One team and its village. All of it is open to everybody (A51)."""

    position: int = 0  # square index
    possession: int
    insurance: int = 0
    paid: tuple[int | None, ...]  # fish paid for each property of the board, None: not owned
    donations: tuple[str, ...] = ()  # card ids, the one held longest first
    rewarded: tuple[str, ...] = ()  # categories whose completion earned a card
    tokens: int = 0
    debt: int = 0
    missed: int = 0  # turns still to skip
    sentence: Sentence | None = None
    council: bool = True  # the council building stands (COR-SETUP-3, 4)


class Decks(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """Card ids, the top card first. Secret."""

    corruption: tuple[str, ...]
    national: tuple[str, ...]
    local: tuple[str, ...]
    donation: tuple[str, ...]
    qa: tuple[str, ...]


class OpenCard(Struct, frozen=True, forbid_unknown_fields=True):
    """The card that was last turned up in this turn."""

    deck: Literal["corruption", "national", "local", "donation"]
    id: str


class Question(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question being put: the card, and which of its options stands at a, b, c, d."""

    card: str
    seat: int  # the answering team
    order: tuple[Letter, ...]  # letters of the card as shown from a to d
    asked: bool = False
    answered: bool = False
    letter: Letter | None = None  # as shown; None after an answer: no answer in time


# What is still to happen, as values. The last of the agenda acts first. What the
# rules do by themselves is a Doing; an Asking waits for a team's move.


class Effect(Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """One thing that the rules still have to do, for one team."""

    seat: int


class TurnStart(Effect, tag="turn_start", frozen=True):
    """The turn comes to the team."""


class TurnEnd(Effect, tag="turn_end", frozen=True):
    """The turn passes on."""


class Throw(Effect, tag="throw", frozen=True):
    """Decision ``roll``. ``start``: of a turn, not won on Q&A."""

    start: bool


class Walk(Effect, tag="walk", frozen=True):
    """The flag still has ``left`` squares to walk."""

    left: int


class Land(Effect, tag="land", frozen=True):
    """The square under the flag acts."""


class Claim(Effect, tag="claim", frozen=True):
    """Decision ``collect``. ``chance``: Chance led here."""

    category: str
    chance: bool


class Purchase(Effect, tag="purchase", frozen=True):
    """Decision ``buy`` or, without a category, ``joker``. ``reward``: completing earns a card."""

    category: str | None
    reward: bool


class Insure(Effect, tag="insure", frozen=True):
    """Decision ``deposit``."""


class Charge(Effect, tag="charge", frozen=True):
    """Fish that the team has to pay."""

    amount: int
    to: Literal["river", "bank"]
    reason: ChargeReason


class ForcedSale(Effect, tag="forced_sale", frozen=True):
    """Decision ``sell``: the team cannot pay the charge without."""

    charge: Charge


class NationalLoss(Effect, tag="national_loss", frozen=True):
    """The team's share of a national disaster."""


class Inspect(Effect, tag="inspect", frozen=True):
    """The tokens are counted. ``sent``: by completing a village (COR-WIN-4, 11)."""

    sent: bool


class Judgement(Effect, tag="judgement", frozen=True):
    """Decision ``inspector``."""


class GiveUpDonation(Effect, tag="give_up_donation", frozen=True):
    """Decision ``give_donation``."""


class WipeRecord(Effect, tag="wipe_record", frozen=True):
    """All tokens of the team go."""


class Imprison(Effect, tag="imprison", frozen=True):
    """The team goes to prison; a team inside has to leave first."""

    rounds: int
    wipe: bool


class LeavePrison(Effect, tag="leave_prison", frozen=True):
    """The team has paid for its displacement and goes to Start."""


class FollowToInspector(Effect, tag="follow_to_inspector", frozen=True):
    """The other finished team goes to its Inspector as well (COR-WIN-11)."""


class Ask(Effect, tag="ask", frozen=True):
    """Decision ``qa_ask`` of the asking team; ``seat`` asks."""


class Answer(Effect, tag="answer", frozen=True):
    """Decision ``qa_answer``."""


class QuestionReward(Effect, tag="question_reward", frozen=True):
    """Decision ``qa_reward``."""


Doing = (
    TurnStart
    | TurnEnd
    | Walk
    | Land
    | Charge
    | NationalLoss
    | Inspect
    | WipeRecord
    | Imprison
    | LeavePrison
    | FollowToInspector
)
Asking = (
    Throw
    | Claim
    | Purchase
    | Insure
    | ForcedSale
    | Judgement
    | GiveUpDonation
    | Ask
    | Answer
    | QuestionReward
)


class State(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One position. Equal states are interchangeable."""

    river: int  # below 0 only with an unlimited river
    bank: int  # fish on the bank square
    decks: Decks
    turn: int  # seat whose turn it is
    die: int = 0  # last roll; 0 before the first
    won_rolls: int = 0  # new rolls won on Q&A in this turn
    card: OpenCard | None = None
    question: Question | None = None  # open, or answered since the last roll
    teams: tuple[TeamState, TeamState]
    agenda: tuple[Doing | Asking, ...]  # the last one is an Asking, or the game is over
    winner: int | None = None
