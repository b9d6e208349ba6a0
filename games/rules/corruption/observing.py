"""What each viewer may know (COR-QA-3, COR-QA-9, secrecy table in section 4)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from games.engine.game import Viewer, Watcher
from games.rules.corruption import categories, decisions, inspector, paying, questions
from games.rules.corruption.content import (
    Category,
    CorruptionCard,
    DonationCard,
    LocalCard,
    NationalCard,
    Property,
    SharedProperty,
    Square,
)
from games.rules.corruption.events import AnyEvent, QuestionDrawn, QuestionSkipped
from games.rules.corruption.observation import (
    ChargeView,
    ClaimView,
    InspectionView,
    Observation,
    QuestionView,
    Waiting,
)
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import Asking, Claim, ForcedSale, Judgement, Question, State


class PublicContent(Struct, frozen=True, kw_only=True):
    """Board and cards without the questions; lists in board or file order."""

    title: str
    fish_total: int
    starting_fish: int
    squares: tuple[Square, ...]
    categories: tuple[Category, ...]
    properties: tuple[Property, ...]
    halves: tuple[int, ...]  # what each property costs with a donation
    shared_properties: tuple[SharedProperty, ...]
    corruption: tuple[CorruptionCard, ...]
    national: tuple[NationalCard, ...]
    local: tuple[LocalCard, ...]
    donation: tuple[DonationCard, ...]


def public_content(rules: RuleBook) -> PublicContent:
    """What everybody may know from the first moment (COR-GOAL-7)."""
    content, board = rules.content, rules.board
    return PublicContent(
        title=board.title,
        fish_total=board.fish_total,
        starting_fish=board.starting_fish,
        squares=board.squares,
        categories=tuple(board.categories.values()),
        properties=tuple(board.properties.values()),
        halves=rules.halves,
        shared_properties=tuple(board.shared_properties.values()),
        corruption=tuple(content.corruption.values()),
        national=tuple(content.national.values()),
        local=tuple(content.local.values()),
        donation=tuple(content.donation.values()),
    )


def observe(rules: RuleBook, state: State, viewer: Viewer) -> Observation:
    """The position as the viewer knows it (section 4, secrecy)."""
    asking = decisions.pending(state)
    return Observation(
        seat=viewer if isinstance(viewer, int) else None,
        turn=state.turn,
        phase="play" if state.winner is None else "over",
        river=state.river,
        bank=state.bank,
        die=state.die,
        teams=state.teams,
        waiting=None if asking is None else _waiting(asking),
        card=state.card,
        claim=_claim(rules, state, asking) if isinstance(asking, Claim) else None,
        charge=_charge(rules, state, asking) if isinstance(asking, ForcedSale) else None,
        inspection=_inspection(rules, state, asking) if isinstance(asking, Judgement) else None,
        question=None if state.question is None else _question(rules, state.question, viewer),
        winner=state.winner,
    )


def tell(event: AnyEvent, viewer: Viewer) -> AnyEvent:
    """The event as the viewer may know it: no card that is not answered yet (COR-QA-3)."""
    if isinstance(event, QuestionDrawn | QuestionSkipped) and viewer is not Watcher.TEACHER:
        return replace(event, card="")
    return event


def _waiting(asking: Asking) -> Waiting:
    decision = decisions.decision(asking)
    return Waiting(seat=decision.seat, kind=decision.kind)


def _claim(rules: RuleBook, state: State, claim: Claim) -> ClaimView:
    fish = categories.claimable(rules, state.river, state.die)
    return ClaimView(category=claim.category, fish=fish)


def _charge(rules: RuleBook, state: State, sale: ForcedSale) -> ChargeView:
    team, charge = state.teams[sale.seat], sale.charge
    return ChargeView(
        amount=charge.amount,
        shortfall=charge.amount - team.possession,
        reason=charge.reason,
        prices=tuple(
            None if paid is None else paying.brings(rules, state.river, team, place, charge.reason)
            for place, paid in enumerate(team.paid)
        ),
    )


def _inspection(rules: RuleBook, state: State, asking: Judgement) -> InspectionView:
    team = state.teams[asking.seat]
    row = inspector.row(team)
    assert row.fine is not None, "the row without a choice asks nothing"
    return InspectionView(
        row=row.name,
        fine_fish=row.fine.fish,
        fine_rounds=row.fine.rounds,
        fine_donation=row.fine.donation,
        wipe_fish=row.wipe.fish,
        wipe_rounds=row.wipe.rounds,
        wipe_open=inspector.wipe_is_open(rules, state.river, team),
    )


def _question(rules: RuleBook, question: Question, viewer: Viewer) -> QuestionView:
    """The question without what the viewer may not know yet (COR-QA-3, COR-QA-9)."""
    card = rules.content.qa[question.card]
    asker = viewer == 1 - question.seat or viewer is Watcher.TEACHER
    reads = asker or question.asked
    knows = asker or question.answered
    a, b, c, d = (card.options[letter] for letter in question.order)
    return QuestionView(
        seat=question.seat,
        asked=question.asked,
        answered=question.answered,
        text=card.question if reads else None,
        options=(a, b, c, d) if reads else None,
        letter=question.letter,
        correct=questions.correct(rules, question) if knows else None,
        explanation=card.explanation if knows else None,
        topic=card.topic if reads else None,
        language=card.language if reads else "",
        picture=card.picture if reads else None,
    )
