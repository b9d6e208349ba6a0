"""What can happen in Corruption!, as domain facts in the order in which they happen.

Every fish that moves is in exactly one ``FishMoved``, so the events of a step
add up to the change of its state. Each event names its rule.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from games.engine.game import Event
from games.rules.corruption.state import ChargeReason
from games.rules.corruption.validator import Letter

Place = Literal["river", "bank", "red", "blue", "red_insurance", "blue_insurance"]
POSSESSION: Final[tuple[Place, Place]] = ("red", "blue")
INSURANCE: Final[tuple[Place, Place]] = ("red_insurance", "blue_insurance")

FishReason = (
    ChargeReason
    | Literal[
        "setup",
        "collect",
        "purchase",
        "sale",
        "loan",
        "repayment",
        "deposit",
        "insured_national",
        "insured_local",
        "question",
        "bank_share",
        "bank_rest",
    ]
)
DirectMove = Literal["chance", "inspector", "prison", "released", "displaced"]
Quiet = Literal[
    "prison_visit",
    "other_insurance",
    "nothing_to_deposit",
    "nothing_deposited",
    "nothing_affordable",
    "nothing_bought",
    "river_empty",
    "bank_empty",
    "start_visit",
    "completed_by_chance",
    "property_not_owned",
    "no_donation_left",
    "clean_record",
    "fine_waived",
]


class RolledForStart(
    Event,
    tag="rolled_for_start",
    tag_field="type",
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
):
    """Both teams rolled for the first turn; ``seat`` begins, nobody when the rolls are equal."""

    rule: ClassVar[str] = "COR-SETUP-8"
    seat: int | None
    dice: tuple[int, int]


class _Event(Event, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    seat: int  # the team that it happens to


class TurnStarted(_Event, tag="turn_started", frozen=True, kw_only=True):
    """The team is to move."""

    rule: ClassVar[str] = "COR-MOVE-6"


class TurnSkipped(_Event, tag="turn_skipped", frozen=True, kw_only=True):
    """The team missed this turn; ``left`` more to miss."""

    rule: ClassVar[str] = "COR-MOVE-8"
    left: int


class TurnInPrison(_Event, tag="turn_in_prison", frozen=True, kw_only=True):
    """The team sits in prison and does not roll."""

    rule: ClassVar[str] = "COR-PRISON-1"
    rounds: int


class Rolled(_Event, tag="rolled", frozen=True, kw_only=True):
    """The die shows ``die``."""

    rule: ClassVar[str] = "COR-MOVE-1"
    die: int


class Walked(_Event, tag="walked", frozen=True, kw_only=True):
    """The flag walked over these squares in order; one roll may take several of these."""

    rule: ClassVar[str] = "COR-MOVE-2"
    path: tuple[int, ...]


class Moved(_Event, tag="moved", frozen=True, kw_only=True):
    """The flag was put on a square without passing any."""

    square: int
    reason: DirectMove

    @property
    def rule(self) -> str:
        return MOVED_RULES[self.reason]


class FishMoved(_Event, tag="fish_moved", frozen=True, kw_only=True):
    """Fish went from one place to another on behalf of the team."""

    source: Place
    target: Place
    amount: int
    reason: FishReason

    @property
    def rule(self) -> str:
        return FISH_RULES[self.reason]


class FishLeft(_Event, tag="fish_left", frozen=True, kw_only=True):
    """Fish of a landing were not claimed and never can be."""

    rule: ClassVar[str] = "COR-CAT-5"
    amount: int


class Bought(_Event, tag="bought", frozen=True, kw_only=True):
    """The team bought a property; ``donation`` is the card that paid half."""

    rule: ClassVar[str] = "COR-CAT-9"
    property: str
    paid: int
    donation: str | None = None


class Sold(_Event, tag="sold", frozen=True, kw_only=True):
    """The team sold a property to the river and got ``fish``."""

    rule: ClassVar[str] = "COR-PAY-4"
    property: str
    fish: int
    forced: bool


class Borrowed(_Event, tag="borrowed", frozen=True, kw_only=True):
    """The debt rose by ``debt``; the river could give ``fish`` of it."""

    debt: int
    fish: int

    @property
    def rule(self) -> str:
        return "COR-PAY-7" if self.debt == self.fish else "COR-PAY-10"


class PropertyLost(_Event, tag="property_lost", frozen=True, kw_only=True):
    """A local disaster destroyed a property."""

    rule: ClassVar[str] = "COR-LND-4"
    property: str
    needed: int  # fish of insurance that would have saved it


class PropertySaved(_Event, tag="property_saved", frozen=True, kw_only=True):
    """The insurance paid for a local disaster and the property stays."""

    rule: ClassVar[str] = "COR-LND-3"
    property: str
    fish: int


class CategoryCompleted(_Event, tag="category_completed", frozen=True, kw_only=True):
    """The team owns all properties of a category; ``reward``: it draws a card for it."""

    rule: ClassVar[str] = "COR-CAT-12"
    category: str
    reward: bool


class VillageCompleted(_Event, tag="village_completed", frozen=True, kw_only=True):
    """The village is complete; with ``tokens`` above 0 that does not win."""

    tokens: int

    @property
    def rule(self) -> str:
        return "COR-WIN-4" if self.tokens else "COR-WIN-2"


class CardDrawn(_Event, tag="card_drawn", frozen=True, kw_only=True):
    """The team turned up a card of one of the open decks."""

    deck: Literal["corruption", "national", "local", "donation"]
    card: str

    @property
    def rule(self) -> str:
        return CARD_RULES[self.deck]


class TokenTaken(_Event, tag="token_taken", frozen=True, kw_only=True):
    """The team took a corruption token and now has ``tokens``."""

    rule: ClassVar[str] = "COR-CORR-6"
    card: str
    tokens: int


class TurnsLost(_Event, tag="turns_lost", frozen=True, kw_only=True):
    """The team has ``turns`` more to miss, ``total`` in all."""

    turns: int
    total: int
    reason: Literal["start", "corruption"]

    @property
    def rule(self) -> str:
        return "COR-START-1" if self.reason == "start" else "COR-CORR-1"


class Inspected(_Event, tag="inspected", frozen=True, kw_only=True):
    """The Inspector counted ``tokens``; ``row`` is "0", "12", "34", "56", "78" or "9"."""

    tokens: int
    row: str

    @property
    def rule(self) -> str:
        return f"COR-INSP-{self.row}"


class Sentenced(_Event, tag="sentenced", frozen=True, kw_only=True):
    """The team chose, or had to take, ``fine`` or ``wipe``: fish, prison, a donation."""

    row: str
    choice: Literal["fine", "wipe"]
    fish: int
    rounds: int
    donation: bool

    @property
    def rule(self) -> str:
        return f"COR-INSP-{self.row}"


class DonationGiven(_Event, tag="donation_given", frozen=True, kw_only=True):
    """The team gave a Donation card to the other team."""

    rule: ClassVar[str] = "COR-INSP-G6"
    card: str


class RecordWiped(_Event, tag="record_wiped", frozen=True, kw_only=True):
    """All ``tokens`` of the team are gone."""

    rule: ClassVar[str] = "COR-INSP-G7"
    tokens: int


class Jailed(_Event, tag="jailed", frozen=True, kw_only=True):
    """The team is in prison for ``rounds``; ``wipe``: serving it cleans the record."""

    rule: ClassVar[str] = "COR-PRISON-1"
    rounds: int
    wipe: bool


class RoundServed(_Event, tag="round_served", frozen=True, kw_only=True):
    """The other team passed Start; ``left`` rounds to serve."""

    rule: ClassVar[str] = "COR-PRISON-3"
    left: int


class QuestionDrawn(_Event, tag="question_drawn", frozen=True, kw_only=True):
    """The other team drew a question for the team. ``card`` is told to nobody who plays."""

    rule: ClassVar[str] = "COR-QA-1"
    card: str


class QuestionAsked(_Event, tag="question_asked", frozen=True, kw_only=True):
    """The question was read out to the team."""

    rule: ClassVar[str] = "COR-QA-2"


class QuestionAnswered(_Event, tag="question_answered", frozen=True, kw_only=True):
    """The team's final answer and the right one, letters as shown."""

    card: str
    letter: Letter | None
    correct: Letter
    right: bool

    @property
    def rule(self) -> str:
        return "COR-QA-5" if self.right else "COR-QA-4"


class QuestionSkipped(_Event, tag="question_skipped", frozen=True, kw_only=True):
    """The teacher took the open question away. ``card`` is told to nobody who plays."""

    rule: ClassVar[str] = "COR-QA-11"
    card: str


class RewardChosen(_Event, tag="reward_chosen", frozen=True, kw_only=True):
    """The team takes a fish, or rolls again."""

    reward: Literal["fish", "roll"]

    @property
    def rule(self) -> str:
        return "COR-QA-7" if self.reward == "roll" else "COR-QA-5"


class NothingHappened(_Event, tag="nothing_happened", frozen=True, kw_only=True):
    """The square, card or visit had no effect, and why."""

    why: Quiet

    @property
    def rule(self) -> str:
        return QUIET_RULES[self.why]


class Won(_Event, tag="won", frozen=True, kw_only=True):
    """The team has a complete village and a clean record."""

    rule: ClassVar[str] = "COR-WIN-2"


AnyEvent = (
    RolledForStart
    | TurnStarted
    | TurnSkipped
    | TurnInPrison
    | Rolled
    | Walked
    | Moved
    | FishMoved
    | FishLeft
    | Bought
    | Sold
    | Borrowed
    | PropertyLost
    | PropertySaved
    | CategoryCompleted
    | VillageCompleted
    | CardDrawn
    | TokenTaken
    | TurnsLost
    | Inspected
    | Sentenced
    | DonationGiven
    | RecordWiped
    | Jailed
    | RoundServed
    | QuestionDrawn
    | QuestionAsked
    | QuestionAnswered
    | QuestionSkipped
    | RewardChosen
    | NothingHappened
    | Won
)

MOVED_RULES: Final[dict[DirectMove, str]] = {
    "chance": "COR-CHANCE-2",
    "inspector": "COR-WIN-4",
    "prison": "COR-PRISON-1",
    "released": "COR-PRISON-5",
    "displaced": "COR-PRISON-6",
}
FISH_RULES: Final[dict[FishReason, str]] = {
    "setup": "COR-SETUP-2",
    "collect": "COR-CAT-3",
    "purchase": "COR-CAT-9",
    "sale": "COR-PAY-2",
    "loan": "COR-PAY-7",
    "repayment": "COR-PAY-8",
    "deposit": "COR-INS-2",
    "insured_national": "COR-NND-3",
    "insured_local": "COR-LND-3",
    "question": "COR-QA-5",
    "bank_share": "COR-BANK-3",
    "bank_rest": "COR-BANK-4",
    "category_tax": "COR-CAT-15",
    "bank_tax": "COR-BANK-1",
    "national_disaster": "COR-NND-4",
    "corruption": "COR-CORR-3",
    "inspector": "COR-INSP-G1",
    "displacement": "COR-PRISON-6",
}
CARD_RULES: Final[dict[str, str]] = {
    "corruption": "COR-CORR-1",
    "national": "COR-NND-2",
    "local": "COR-LND-1",
    "donation": "COR-DON-1",
}
QUIET_RULES: Final[dict[Quiet, str]] = {
    "prison_visit": "COR-PRISON-9",
    "other_insurance": "COR-INS-6",
    "nothing_to_deposit": "COR-INS-2",
    "nothing_deposited": "COR-INS-3",
    "nothing_affordable": "COR-CAT-10",
    "nothing_bought": "COR-CAT-10",
    "river_empty": "COR-CAT-6",
    "bank_empty": "COR-BANK-3",
    "start_visit": "COR-START-1",
    "completed_by_chance": "COR-CHANCE-5",
    "property_not_owned": "COR-LND-2",
    "no_donation_left": "COR-DON-10",
    "clean_record": "COR-INSP-0",
    "fine_waived": "COR-WIN-7",
}
