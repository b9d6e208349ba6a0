"""Questions of the bank as cards of a Question & Answer deck.

A card has four answers, one of them right (COR-DECK-1, COR-QA-2), and its texts are
shown as they are: marks for bold and the like are taken off. What a card must have
and a question may lack is filled in: without a topic it is about its set, without
an explanation the right answer is said again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from quizzes.folding import bare
from quizzes.formats.question import TOPIC_MAX, Question, SingleChoice

KIND = "qa"  # ContentKind.key of the games that ask questions
LETTERS = ("a", "b", "c", "d")
LONGEST = 600  # signs of one text on a card


class Unfit(StrEnum):
    """Why a question cannot be a card."""

    KIND = "kind"  # not: one of several answers is right
    ANSWERS = "answers"  # not four answers
    LONG = "long"
    ALIKE = "alike"  # two answers look the same on a card


class Fitting(Struct, frozen=True, kw_only=True):
    """The cards that a set of questions makes, and how many of the others are why unfit."""

    cards: tuple[dict[str, Any], ...]
    unfit: Mapping[Unfit, int]

    @property
    def content(self) -> dict[str, Any]:
        """The deck as plain values, as the games' starter decks are."""
        return {"schema": 1, "deck": KIND, "cards": list(self.cards)}


def fitting(
    questions: Iterable[tuple[str, Question]], *, about: str, language: str = ""
) -> Fitting:
    """The cards of questions with their ids, in their order.

    ``about`` is the set's title, ``language`` that of questions which do not say theirs.
    """
    cards: list[dict[str, Any]] = []
    unfit: Counter[Unfit] = Counter()
    for key, question in questions:
        made = card(key, question, about=about, language=language)
        if isinstance(made, Unfit):
            unfit[made] += 1
        else:
            cards.append(made)
    return Fitting(cards=tuple(cards), unfit=unfit)


def card(key: str, question: Question, *, about: str, language: str = "") -> dict[str, Any] | Unfit:
    """One question as the plain values of a card, or why it is none."""
    if not isinstance(question, SingleChoice):
        return Unfit.KIND
    if len(question.choices) != len(LETTERS):
        return Unfit.ANSWERS
    answers = [bare(choice) for choice in question.choices]
    stem, right = bare(question.stem), answers[question.right]
    explanation = bare(question.explanation) or right
    if any(len(text) > LONGEST for text in (stem, explanation, *answers)):
        return Unfit.LONG
    if len({answer.strip().casefold() for answer in answers}) < len(LETTERS):
        return Unfit.ALIKE
    if not all(text.strip() for text in (stem, *answers)):
        return Unfit.ANSWERS
    return {
        "id": key,
        "topic": question.topics[0] if question.topics else about[:TOPIC_MAX].strip(),
        "difficulty": question.difficulty,
        "question": stem,
        "options": dict(zip(LETTERS, answers, strict=True)),
        "correct": LETTERS[question.right],
        "explanation": explanation,
        "language": question.language or language,
        **_picture(question),
    }


def _picture(question: Question) -> dict[str, Any]:
    """The picture of a question by the id in its reference, and what it shows."""
    if question.picture is None:
        return {}
    return {"picture": {"id": question.picture.ref.rpartition(".")[0], "alt": question.picture.alt}}
