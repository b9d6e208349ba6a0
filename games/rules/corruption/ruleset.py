"""Corruption! with board, decks and options fixed: what the platform asks of a game."""

from __future__ import annotations

from msgspec.structs import replace

from games.engine.chance import Chance
from games.engine.facts import Fact, Play
from games.engine.game import Decision, Figure, Outcome, Ruleset, Step, Viewer
from games.engine.moves import Moves
from games.engine.refusals import NothingToDecide, NotOffered
from games.engine.story import Asked, Mark
from games.engine.text import Text, gettext_noop as _, say
from games.rules.corruption import (
    agenda,
    beginning,
    categories,
    decisions,
    donations,
    facts,
    inspector,
    insurance,
    observing,
    paying,
    questions,
    story,
    texts,
    turns,
)
from games.rules.corruption.content import Content
from games.rules.corruption.events import AnyEvent, TurnInPrison, TurnSkipped, TurnStarted
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
from games.rules.corruption.observation import Observation
from games.rules.corruption.options import Options
from games.rules.corruption.rulebook import rule_book
from games.rules.corruption.state import (
    Answer,
    Ask,
    Asking,
    Claim,
    Decks,
    ForcedSale,
    GiveUpDonation,
    Insure,
    Judgement,
    Purchase,
    QuestionReward,
    State,
    Throw,
)
from games.rules.corruption.table import Table

TURNS = TurnStarted | TurnSkipped | TurnInPrison
QA_ASK_WINDOW_S = 20  # section 4: the question is put by itself after this


class CorruptionRuleset(Ruleset[State, AnyMove, AnyEvent]):
    """The rules of one match. Rules: docs/rules/corruption.md."""

    plotted = story.PLOTTED
    fact_names = story.FACT_NAMES
    fact_values = story.FACT_VALUES

    def __init__(self, content: Content, options: Options) -> None:
        self.rules = rule_book(content, options)
        self._public = observing.public_content(self.rules)

    def setup(self, seats: int, chance: Chance) -> Step[State, AnyEvent]:
        """The first state (COR-GOAL-1, COR-SETUP)."""
        if seats != 2:
            raise ValueError(f"Corruption! is played by 2 teams, not {seats}.")
        table = beginning.set_up(self.rules, chance)
        agenda.carry_out(table)
        return table.step()

    def decisions(self, state: State) -> tuple[Decision, ...]:
        asking = decisions.pending(state)
        return () if asking is None else (decisions.decision(asking),)

    def legal_moves(self, state: State, seat: int) -> Moves[AnyMove]:
        return decisions.legal_moves(self.rules, state, _asked(state, seat))

    def apply(
        self, state: State, seat: int, move: AnyMove, chance: Chance
    ) -> Step[State, AnyEvent]:
        """The state and events after a move (COR-DEC-6)."""
        asking = _asked(state, seat)
        move = decisions.completed(self.rules, state, asking, move)
        refusal = decisions.refusal(self.rules, state, asking, move)
        if refusal is not None:
            raise refusal
        table = Table(self.rules, state, chance)
        table.agenda.pop()
        _answer(table, asking, move)
        agenda.carry_out(table)
        return table.step()

    def default_move(self, state: State, decision: Decision, chance: Chance) -> AnyMove:
        return decisions.default(self.rules, state, _asked(state, decision.seat))

    def window_s(self, state: State, decision: Decision) -> int | None:
        return QA_ASK_WINDOW_S if decision.kind == "qa_ask" else None

    def observe(self, state: State, viewer: Viewer) -> Observation:
        return observing.observe(self.rules, state, viewer)

    def tell(self, event: AnyEvent, viewer: Viewer) -> AnyEvent | None:
        return observing.tell(event, viewer)

    def outcome(self, state: State) -> Outcome | None:
        """The winner (COR-GOAL-5, COR-WIN-2)."""
        if state.winner is None:
            return None
        return Outcome(
            winners=(state.winner,), reason=say(_("The village is complete and the record clean."))
        )

    def reshuffle(self, state: State, chance: Chance) -> State:
        decks = Decks(
            corruption=chance.shuffled(state.decks.corruption),
            national=chance.shuffled(state.decks.national),
            local=chance.shuffled(state.decks.local),
            donation=chance.shuffled(state.decks.donation),
            qa=chance.shuffled(state.decks.qa),
        )
        return replace(state, decks=decks)

    def public_content(self) -> observing.PublicContent:
        return self._public

    def line(self, event: AnyEvent) -> Text:
        return texts.line(self.rules.content, event)

    def ask(self, state: State, decision: Decision) -> Text:
        return texts.ask(self.rules.content, state, decision)

    def waiting(self, state: State, decision: Decision) -> Text:
        return texts.waiting(decision)

    def standing(self, state: State) -> tuple[tuple[Figure, ...], ...]:
        return texts.standing(self.rules.board, state)

    def label(self, state: State, seat: int, move: AnyMove) -> Text:
        return texts.label(self.rules.content, state, seat, move)

    def cost(self, state: State, seat: int, move: AnyMove) -> Text:
        return texts.cost(self.rules, state, seat, move)

    def turn_begins(self, event: AnyEvent) -> int | None:
        return event.seat if isinstance(event, TURNS) else None

    def marks(self, event: AnyEvent) -> tuple[Mark, ...]:
        return story.marks(self.rules.content, event)

    def asked(self, state: State, event: AnyEvent) -> Asked | None:
        return story.asked(self.rules, state, event)

    def open_question(self, state: State) -> Asked | None:
        return story.open_question(self.rules, state)

    def skip_question(self, state: State) -> AnyMove | None:
        return decisions.SKIP if isinstance(decisions.pending(state), Ask | Answer) else None

    def facts(self, play: Play) -> tuple[Fact, ...]:
        return facts.facts(self.rules.content, play)


def _asked(state: State, seat: int) -> Asking:
    """What the seat is asked.

    Raises:
        NothingToDecide: the other seat is asked, or the game is over.
    """
    asking = decisions.pending(state)
    if asking is None or asking.seat != seat:
        raise NothingToDecide
    return asking


def _answer(table: Table, asking: Asking, move: AnyMove) -> None:
    """Carry out an offered move."""
    seat = asking.seat
    match asking, move:
        case Throw(), Roll():
            turns.throw(table, seat)
        case Throw(), Sell(item):
            paying.sell_freely(table, seat, table.rules.board.rank[item])
            table.then(asking)
        case Throw(), GoToInspector():
            turns.visit_inspector(table, seat)
        case Claim() as claim, Collect():
            categories.collect(table, claim)
        case Claim() as claim, Leave():
            categories.leave(table, claim)
        case Claim() as claim, Buy() as purchase:
            categories.buy_unclaimed(table, claim, purchase)
        case Purchase() as offer, Buy() as purchase:
            categories.buy(table, offer, purchase)
        case Purchase(), Pass():
            table.quiet(seat, "nothing_bought")
        case Insure(), Deposit(fish):
            insurance.deposit(table, seat, fish)
        case ForcedSale() as sale, Sell(item):
            paying.sell_for_charge(table, sale, table.rules.board.rank[item])
        case Judgement(), Fine():
            inspector.fine(table, seat)
        case Judgement(), Wipe():
            inspector.wipe(table, seat)
        case GiveUpDonation(), GiveDonation(card):
            donations.give(table, seat, card)
        case Ask(), AskQuestion():
            questions.ask(table)
        case Ask() | Answer(), SkipQuestion():
            questions.skip(table)
        case Answer(), AnswerQuestion(letter):
            questions.answer(table, letter)
        case QuestionReward(), ChooseReward(reward):
            questions.reward(table, seat, reward)
        case _:
            raise NotOffered
