"""Secrets that can be recognised, and who may know them when (T6, HI-01).

Every hidden word of a Corruption! deck of questions is one of a kind. ``Oracle``
says which of them a viewer may have read so far; it follows the table in the rule
page by itself and asks neither ``observe`` nor ``tell``.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from typing import Any

from games.decks.starters import starter_content
from games.rules.corruption.events import QuestionAnswered, QuestionAsked, QuestionDrawn

WORD = re.compile(r"zz[qpotxi][0-9]{3}[abcd]?zz")
VIEWERS = ("0", "1", "teacher", "public")
LETTERS = "abcd"


def canary_content(*, shift: int = 0, explained: str = "") -> dict[str, Any]:
    """The starter content with a canary in everything that is secret about a question.

    ``shift`` makes another option of each question the right one and ``explained``
    is put before explanations: a twin that differs in nothing else.
    """
    content: dict[str, Any] = copy.deepcopy(starter_content("corruption", "one-lesson"))
    cards = []
    for number, card in enumerate(content["qa"]["cards"]):
        right = LETTERS[(LETTERS.index(card["correct"]) + shift) % 4]
        cards.append(
            {
                **card,
                "id": f"zzi{number:03}zz",
                "question": f"zzq{number:03}zz?",
                "picture": {"id": f"zzp{number:03}zz", "alt": f"zzp{number:03}zz"},
                "options": {letter: f"zzo{number:03}{letter}zz" for letter in LETTERS},
                "correct": right,
                "explanation": f"{explained}zzx{number:03}zz.",
            }
        )
    content["qa"] = {**content["qa"], "cards": cards}
    return content


def words_in(text: str) -> set[str]:
    """The canaries that stand in what somebody was sent."""
    return set(WORD.findall(text))


class Oracle:
    """What each viewer of one match may have read so far."""

    def __init__(self) -> None:
        self.allowed: dict[str, set[str]] = {viewer: set() for viewer in VIEWERS}
        self.drawn = 0  # questions that were put
        self._card = ""

    def happened(self, events: Iterable[Any]) -> None:
        """Follow the untold events of a record (COR-QA-1, COR-QA-3, COR-QA-9)."""
        for event in events:
            match event:
                case QuestionDrawn(seat=seat, card=card):
                    self._card, self.drawn = card, self.drawn + 1
                    asker = str(1 - seat)
                    for viewer in (asker, "teacher"):
                        self._allow(viewer, card, "qpox")
                    self.allowed["teacher"].add(card)
                case QuestionAsked():
                    for viewer in VIEWERS:
                        self._allow(viewer, self._card, "qpo")
                case QuestionAnswered(card=card):
                    for viewer in VIEWERS:
                        self._allow(viewer, card, "qpox")
                        self.allowed[viewer].add(card)

    def leaks(self, sent: Mapping[str, str]) -> list[str]:
        """Canaries that a viewer was sent and may not have read: ``viewer: word``."""
        return [
            f"{viewer}: {word}"
            for viewer, text in sent.items()
            for word in sorted(words_in(text) - self.allowed[viewer])
        ]

    def _allow(self, viewer: str, card: str, kinds: str) -> None:
        number = card[3:6]
        for kind in kinds:
            words = [f"zzo{number}{letter}zz" for letter in LETTERS]
            self.allowed[viewer].update(words if kind == "o" else [f"zz{kind}{number}zz"])
