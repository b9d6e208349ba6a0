"""Which decision is open, what may be answered, what a timeout answers (COR-DEC)."""

from __future__ import annotations

from typing import Final, assert_never

from games.engine.game import Decision
from games.engine.moves import Amount, Listed, Moves
from games.engine.refusals import IllegalMove, NotOffered
from games.rules.corruption import categories, donations, inspector, paying, questions, winning
from games.rules.corruption.moves import (
    AnswerQuestion,
    AnyMove,
    AskQuestion,
    Buy,
    ChooseReward,
    Collect,
    Deposit,
    Fine,
    GiveDonation,
    GoToInspector,
    Leave,
    Pass,
    Roll,
    Sell,
    SkipQuestion,
    Wipe,
)
from games.rules.corruption.refusals import (
    AlreadyOwned,
    DepositOutOfBounds,
    DonationNotHeld,
    FishGone,
    NoFittingDonation,
    NoNewRoll,
    NoSaleNow,
    NoSuchProperty,
    NotForSale,
    NotOwned,
    OtherCategory,
    TooDear,
    WipeNotOpen,
)
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import (
    Answer,
    Ask,
    Asking,
    Claim,
    ForcedSale,
    GiveUpDonation,
    Insure,
    Judgement,
    Purchase,
    QuestionReward,
    State,
    TeamState,
    Throw,
)
from games.rules.corruption.validator import LETTERS

ROLL: Final = Roll()
COLLECT: Final = Collect()
LEAVE: Final = Leave()
PASS: Final = Pass()
FINE: Final = Fine()
WIPE: Final = Wipe()
GO: Final = GoToInspector()
NO_DEPOSIT: Final = Deposit(0)
NO_ANSWER: Final = AnswerQuestion(None)
SKIP: Final = SkipQuestion()
FISH: Final = ChooseReward("fish")
NEW_ROLL: Final = ChooseReward("roll")

ONLY_ROLL: Final[Listed[AnyMove]] = Listed((ROLL,))
ONLY_FINE: Final[Listed[AnyMove]] = Listed((FINE,))
FINE_OR_WIPE: Final[Listed[AnyMove]] = Listed((FINE, WIPE))
ASK: Final[Listed[AnyMove]] = Listed((AskQuestion(),))
ANSWERS: Final[Listed[AnyMove]] = Listed(tuple(AnswerQuestion(letter) for letter in LETTERS))
ONLY_FISH: Final[Listed[AnyMove]] = Listed((FISH,))
FISH_OR_ROLL: Final[Listed[AnyMove]] = Listed((FISH, NEW_ROLL))


def pending(state: State) -> Asking | None:
    """What a team is asked just now; None when the game is over."""
    if not state.agenda:
        return None
    asking = state.agenda[-1]
    assert isinstance(asking, Asking), "a state rests only on a question to a team"
    return asking


def decision(asking: Asking) -> Decision:
    """The decision as the platform knows it (COR-DEC-1, section 4)."""
    match asking:
        case Throw(seat):
            return Decision(seat=seat, kind="roll")
        case Claim(seat, category):
            return Decision(seat=seat, kind="collect", about=category)
        case Purchase(seat, None):
            return Decision(seat=seat, kind="joker")
        case Purchase(seat, category):
            return Decision(seat=seat, kind="buy", about=category or "")
        case Insure(seat):
            return Decision(seat=seat, kind="deposit")
        case ForcedSale(seat, charge):
            return Decision(seat=seat, kind="sell", about=charge.reason)
        case Judgement(seat):
            return Decision(seat=seat, kind="inspector")
        case GiveUpDonation(seat):
            return Decision(seat=seat, kind="give_donation")
        case Ask(seat):
            return Decision(seat=seat, kind="qa_ask")
        case Answer(seat):
            return Decision(seat=seat, kind="qa_answer", knowledge=True)
        case QuestionReward(seat):
            return Decision(seat=seat, kind="qa_reward")
        case _:
            assert_never(asking)


def legal_moves(rules: RuleBook, state: State, asking: Asking) -> Moves[AnyMove]:
    """What the asked team may answer, in the order shown (COR-DEC-6, section 4)."""
    team = state.teams[asking.seat]
    match asking:
        case Throw():
            return _throw(rules, state, asking, team)
        case Claim():
            return Listed((COLLECT, LEAVE, *categories.affordable(rules, team, asking.category)))
        case Purchase():
            return Listed((*categories.affordable(rules, team, asking.category), PASS))
        case Insure():
            return Amount(NO_DEPOSIT, "fish", 0, team.possession)
        case ForcedSale():
            return Listed(_owned(rules, team))
        case Judgement():
            is_open = inspector.wipe_is_open(rules, state.river, team)
            return FINE_OR_WIPE if is_open else ONLY_FINE
        case GiveUpDonation():
            return Listed(tuple(GiveDonation(card) for card in team.donations))
        case Ask():
            return ASK
        case Answer():
            return ANSWERS
        case QuestionReward():
            offered = questions.roll_is_offered(rules, state.won_rolls)
            return FISH_OR_ROLL if offered else ONLY_FISH
        case _:
            assert_never(asking)


def default(rules: RuleBook, state: State, asking: Asking) -> AnyMove:
    """What is played for a team that does not answer (COR-DEC-4, COR-QA-8, section 4)."""
    team = state.teams[asking.seat]
    match asking:
        case Throw():
            return ROLL
        case Claim():
            return LEAVE
        case Purchase():
            return PASS
        case Insure():
            return NO_DEPOSIT
        case ForcedSale():
            return rules.sell[paying.best_sale(rules, team, asking.charge)]
        case Judgement():
            return FINE
        case GiveUpDonation():
            return GiveDonation(team.donations[0])
        case Ask():
            return ASK.moves[0]
        case Answer():
            return NO_ANSWER
        case QuestionReward():
            return FISH
        case _:
            assert_never(asking)


def completed(rules: RuleBook, state: State, asking: Asking, move: AnyMove) -> AnyMove:
    """The move with a Donation card that it left open filled in (``use_donation``).

    Full price where the team can pay it, else the card.
    """
    if not isinstance(move, Buy) or move.donation is not None:
        return move
    place = rules.board.rank.get(move.property)
    possession = state.teams[asking.seat].possession
    full = place is None or rules.prices[place] <= possession
    card = not full and refusal(rules, state, asking, Buy(move.property, donation=True)) is None
    return Buy(move.property, donation=card)


def is_offered(rules: RuleBook, state: State, asking: Asking, move: AnyMove) -> bool:
    """Whether this is accepted: what is on the list, no answer in time, the teacher's skip."""
    if move is NO_ANSWER or move == NO_ANSWER:
        return isinstance(asking, Answer)
    if isinstance(move, SkipQuestion):
        return isinstance(asking, Ask | Answer)
    return move in legal_moves(rules, state, asking)


def _throw(rules: RuleBook, state: State, asking: Throw, team: TeamState) -> Listed[AnyMove]:
    """Roll; at the start of a turn also what two options add (COR-PAY-6, COR-WIN-9)."""
    if not asking.start:
        return ONLY_ROLL
    moves: list[AnyMove] = [ROLL]
    if _may_visit_inspector(rules, team):
        moves.append(GO)
    if rules.options.voluntary_sale and paying.can_sell(rules, state.river, team):
        moves.extend(_owned(rules, team))
    return Listed(tuple(moves)) if len(moves) > 1 else ONLY_ROLL


def _may_visit_inspector(rules: RuleBook, team: TeamState) -> bool:
    """A complete team with tokens that can pay its wipe from possession (COR-WIN-9)."""
    return (
        rules.options.finished_inspector_move == "each_turn_if_affordable"
        and team.tokens > 0
        and winning.is_complete(team)
        and team.possession >= inspector.row(team).wipe.fish
    )


def _owned(rules: RuleBook, team: TeamState) -> tuple[Sell, ...]:
    return tuple(rules.sell[place] for place, paid in enumerate(team.paid) if paid is not None)


def refusal(rules: RuleBook, state: State, asking: Asking, move: AnyMove) -> IllegalMove | None:
    """Why the move is not offered; None if it is (COR-DEC-6)."""
    if is_offered(rules, state, asking, move):
        return None
    team = state.teams[asking.seat]
    match move:
        case Collect() | Leave():
            return FishGone()
        case Buy():
            return _purchase_refusal(rules, asking, team, move)
        case Deposit() if isinstance(asking, Insure):
            return DepositOutOfBounds()
        case Sell() if isinstance(asking, ForcedSale):
            return NotOwned()
        case Sell():
            return NoSaleNow()
        case Wipe() if isinstance(asking, Judgement):
            return WipeNotOpen()
        case GiveDonation() if isinstance(asking, GiveUpDonation):
            return DonationNotHeld()
        case ChooseReward() if isinstance(asking, QuestionReward):
            return NoNewRoll()
        case _:
            return NotOffered()


def _purchase_refusal(rules: RuleBook, asking: Asking, team: TeamState, move: Buy) -> IllegalMove:
    """Why this property cannot be bought (COR-CAT-7, 8, 10, 11, COR-DON-3)."""
    if not isinstance(asking, Claim | Purchase):
        return NotForSale()
    place = rules.board.rank.get(move.property)
    if place is None:
        return NoSuchProperty()
    if asking.category not in (None, rules.category_of[place]):
        return OtherCategory()
    if team.paid[place] is not None:
        return AlreadyOwned()
    if move.donation and rules.category_of[place] not in donations.categories(rules, team):
        return NoFittingDonation()
    return TooDear()
