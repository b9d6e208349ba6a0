"""Question & Answer: the other team asks, four options, one answer (COR-QA)."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from games.rules.corruption import paying
from games.rules.corruption.events import (
    QuestionAnswered,
    QuestionAsked,
    QuestionDrawn,
    QuestionSkipped,
    RewardChosen,
)
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import Answer, Ask, Question, QuestionReward, Throw
from games.rules.corruption.table import Table
from games.rules.corruption.validator import LETTERS, Letter


def land(table: Table, seat: int) -> None:
    """The other team draws a question and holds it; its options come in a new order.

    Rules: COR-QA-1, COR-QA-2, COR-QA-8, COR-PRISON-11.
    """
    card, *rest = table.decks.qa
    table.decks = replace(table.decks, qa=tuple(rest))
    table.question = Question(card=card, seat=seat, order=table.chance.shuffled(LETTERS))
    table.tell(QuestionDrawn(seat=seat, card=card))
    table.then(Ask(1 - seat), Answer(seat))


def ask(table: Table) -> None:
    """The question is read out; the other team's time begins (COR-QA-1, COR-DEC-1)."""
    question = open_question(table.question)
    table.question = replace(question, asked=True)
    table.tell(QuestionAsked(seat=question.seat))


def answer(table: Table, letter: Letter | None) -> None:
    """Judge the one answer; no answer counts as wrong. The card goes under the deck.

    Rules: COR-QA-2, COR-QA-4, COR-QA-5, COR-QA-8, COR-QA-9.
    """
    question = open_question(table.question)
    right_letter = correct(table.rules, question)
    right = letter == right_letter
    table.question = replace(question, answered=True, letter=letter)
    table.decks = replace(table.decks, qa=(*table.decks.qa, question.card))
    table.tell(
        QuestionAnswered(
            seat=question.seat,
            card=question.card,
            letter=letter,
            correct=right_letter,
            right=right,
        )
    )
    if right:
        table.then(QuestionReward(question.seat))


def skip(table: Table) -> None:
    """The teacher takes the card off the table, read out or not: it goes under the deck.

    Nothing is won or lost, and nobody is told what was right: the card may come up again.

    Rules: COR-QA-11.
    """
    question = open_question(table.question)
    if not question.asked:
        waiting = table.agenda.pop()
        assert waiting == Answer(question.seat), "the answer waits behind the question"
    table.question = None
    table.decks = replace(table.decks, qa=(*table.decks.qa, question.card))
    table.tell(QuestionSkipped(seat=question.seat, card=question.card))


def correct(rules: RuleBook, question: Question) -> Letter:
    """The letter that the right answer stands at as shown (COR-QA-3)."""
    return LETTERS[question.order.index(rules.content.qa[question.card].correct)]


def roll_is_offered(rules: RuleBook, won_rolls: int) -> bool:
    """Whether a new roll may still be chosen in this turn (COR-QA-7, ``qa_chain_limit``)."""
    limit = rules.options.qa_chain_limit
    return limit == 0 or won_rolls < limit


def reward(table: Table, seat: int, choice: Literal["fish", "roll"]) -> None:
    """A fish from the river, or a full roll from this square (COR-QA-5, 7, COR-CAT-6)."""
    table.tell(RewardChosen(seat=seat, reward=choice))
    if choice == "fish":
        if not table.from_river(seat, 1, "question"):
            table.quiet(seat, "river_empty")
        paying.repay(table, seat)
    else:
        table.won_rolls += 1
        # The end of the turn lies at the bottom; a tax still owed comes before the new roll.
        table.agenda.insert(1, Throw(seat, start=False))


def open_question(question: Question | None) -> Question:
    assert question is not None, "a question lies open while it is asked and answered"
    return question
