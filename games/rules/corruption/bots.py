"""Bots of Corruption!: temperaments of one simple player.

All of them take every fish, buy the dearest property that leaves their reserve
and use a donation whenever one fits. All but ``random``, who follows a new whim
at every decision, clear their record when their village is complete and they
can. They have learnt a share of the questions by heart, like students who
prepared; what is right in an open question is never shown to them.
"""

from __future__ import annotations

from typing import Any, Literal, assert_never

from msgspec import Struct

from games.bots.bot import Bot, View
from games.engine.chance import Chance
from games.engine.moves import Amount
from games.engine.text import Text, gettext_noop as _, say
from games.rules.corruption.content import Content
from games.rules.corruption.moves import (
    AnswerQuestion,
    AnyMove,
    Buy,
    ChooseReward,
    Collect,
    Deposit,
    Fine,
    GoToInspector,
    Pass,
    Roll,
    Sell,
    Wipe,
)
from games.rules.corruption.observation import Observation
from games.rules.corruption.state import TeamState
from games.rules.corruption.validator import LETTERS


class Temper(Struct, frozen=True, kw_only=True):
    """How a bot weighs things."""

    reserve: int  # fish that it keeps when it buys or insures
    insures: int  # fish that it wants on its insurance
    wipes: Literal["never", "when_finished", "without_prison", "always"]
    knows_pct: int  # share of the questions that it answers right
    reward: Literal["fish", "roll"]


BALANCED = Temper(reserve=1, insures=3, wipes="without_prison", knows_pct=65, reward="roll")
CAUTIOUS = Temper(reserve=2, insures=4, wipes="always", knows_pct=65, reward="roll")
GREEDY = Temper(reserve=0, insures=0, wipes="when_finished", knows_pct=65, reward="fish")


class CorruptionBot(Bot):
    """Plays Corruption! with one temper, on any board and deck."""

    def __init__(
        self, key: str, title: Text, manner: Text, temper: Temper, content: Content
    ) -> None:
        self.key = key
        self.title = title
        self.manner = manner
        self._temper = temper
        self._prices = {item.id: item.price for item in content.board.properties.values()}
        self._places = dict(content.board.rank)
        self._learnt = {card.question: card.options[card.correct] for card in content.qa.values()}

    def temper(self, chance: Chance) -> Temper:
        """How the bot weighs things at this decision."""
        return self._temper

    def choose(self, view: View, chance: Chance) -> AnyMove:
        temper = self.temper(chance)
        seen: Observation = view.observation
        own = seen.teams[view.decision.seat]
        moves = view.moves
        if isinstance(moves, Amount):
            return _deposit(temper, moves, own)
        match view.decision.kind:
            case "roll":
                return next((each for each in moves.moves if each == GoToInspector()), Roll())
            case "collect":
                return Collect()
            case "buy" | "joker":
                return self._purchase(temper, moves.moves, own)
            case "sell":
                return self._sale(moves.moves, seen)
            case "inspector":
                return _before_the_inspector(temper, moves.moves, seen, own)
            case "qa_answer":
                return self._answer(temper, seen, chance)
            case "qa_reward":
                wanted = ChooseReward(temper.reward)
                return wanted if wanted in moves else ChooseReward("fish")
            case _:
                first: AnyMove = moves.moves[0]
                return first  # reading out a question, the donation held longest

    def _purchase(self, temper: Temper, moves: tuple[AnyMove, ...], own: TeamState) -> AnyMove:
        best: AnyMove = Pass()
        dearest = (0, False)
        for move in moves:
            if not isinstance(move, Buy):
                continue
            price = self._prices[move.property]
            pays = (price + 1) // 2 if move.donation else price
            worth = (price, bool(move.donation))
            if own.possession - pays >= temper.reserve and worth > dearest:
                best, dearest = move, worth
        return best

    def _sale(self, moves: tuple[AnyMove, ...], seen: Observation) -> AnyMove:
        """The cheapest property that covers the charge, else the one that brings most."""
        assert seen.charge is not None
        offers = []
        for move in moves:
            assert isinstance(move, Sell)
            offers.append((seen.charge.prices[self._places[move.property]] or 0, move))
        enough = [offer for offer in offers if offer[0] >= seen.charge.shortfall]
        if enough:
            return min(enough, key=lambda offer: offer[0])[1]
        return max(offers, key=lambda offer: offer[0])[1]

    def _answer(self, temper: Temper, seen: Observation, chance: Chance) -> AnyMove:
        assert seen.question is not None
        shown = dict(zip(LETTERS, seen.question.options or (), strict=False))
        learnt = self._learnt.get(seen.question.text or "")
        right = [letter for letter, words in shown.items() if words == learnt]
        wrong = [letter for letter, words in shown.items() if words != learnt]
        if right and chance.below(100) < temper.knows_pct:
            return AnswerQuestion(right[0])
        return AnswerQuestion(chance.choice(wrong))


class HaphazardBot(CorruptionBot):
    """Has another temper at every decision and knows no answers."""

    def temper(self, chance: Chance) -> Temper:
        return Temper(
            reserve=chance.below(6),
            insures=chance.below(6),
            wipes=chance.choice(("never", "always")),
            knows_pct=25,
            reward=chance.choice(("fish", "roll")),
        )


def _deposit(temper: Temper, moves: Amount[Any], own: TeamState) -> AnyMove:
    wanted = min(temper.insures - own.insurance, own.possession - temper.reserve)
    return Deposit(min(max(wanted, moves.minimum), moves.maximum))


def _before_the_inspector(
    temper: Temper, moves: tuple[AnyMove, ...], seen: Observation, own: TeamState
) -> AnyMove:
    assert seen.inspection is not None
    if Wipe() not in moves:
        return Fine()
    finished = all(paid is not None for paid in own.paid)
    match temper.wipes:
        case "never":
            wipes = False
        case "when_finished":
            wipes = finished
        case "without_prison":
            wipes = finished or not seen.inspection.wipe_rounds
        case "always":
            wipes = True
        case _:
            assert_never(temper.wipes)
    return Wipe() if wipes else Fine()


def corruption_bots(content: Content) -> tuple[CorruptionBot, ...]:
    """The bots of Corruption! for one board and its decks, the usual one first."""
    return (
        CorruptionBot(
            "balanced",
            say(_("Balanced")),
            say(_("Keeps a fish in hand, insures a little, and clears its record early.")),
            BALANCED,
            content,
        ),
        CorruptionBot(
            "cautious",
            say(_("Cautious")),
            say(_("Saves and insures more, and clears its record at every chance.")),
            CAUTIOUS,
            content,
        ),
        CorruptionBot(
            "greedy",
            say(_("Greedy")),
            say(_("Spends every fish on its village and keeps its tokens until the end.")),
            GREEDY,
            content,
        ),
        HaphazardBot(
            "random",
            say(_("Random")),
            say(_("Changes its mind at every decision and rarely knows an answer: easy to beat.")),
            BALANCED,
            content,
        ),
    )
