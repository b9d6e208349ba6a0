"""What Corruption! says when a match is told again: landmarks, questions, names of facts.

Everything here was told to everybody while the match was played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.engine.game import Watcher
from games.engine.story import Asked, Choice, Mark
from games.engine.text import Text, gettext_noop as _, say
from games.rules.corruption.content import Content
from games.rules.corruption.events import (
    AnyEvent,
    CardDrawn,
    Jailed,
    QuestionAnswered,
    RecordWiped,
    TurnStarted,
    VillageCompleted,
    Won,
)
from games.rules.corruption.moves import AnswerQuestion
from games.rules.corruption.observation import QuestionView
from games.rules.corruption.observing import observe
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import State
from games.rules.corruption.validator import LETTERS, Letter

PLOTTED: Final = ("house", "token")  # symbols of the figures that tell how it went

_CARDS: Final[Mapping[str, tuple[str, Text]]] = {
    "corruption": ("corruption", say(_("Corruption card"))),
    "national": ("national_disaster", say(_("National disaster"))),
    "local": ("local_disaster", say(_("Local disaster"))),
    "donation": ("donation", say(_("Donation"))),
}

FACT_NAMES: Final[Mapping[str, Text]] = {
    "qa_alone": say(_("Answered alone")),
    "qa_team": say(_("Answered with the team")),
    "card_met": say(_("Cards that came up")),
    "token_taken": say(_("Tokens taken by the team")),
    "tokens_cleared": say(_("Tokens cleared")),
    "inspector_vote": say(_("Wanted at the Inspector")),
    "inspector_team": say(_("The team chose at the Inspector")),
    "decisions_shared": say(_("Votes of the team")),
    "votes_with_team": say(_("Voted as the team decided")),
    "votes_against_team": say(_("Voted for something else")),
    "acts": say(_("Rolled or acted for the team")),
}
FACT_VALUES: Final[Mapping[str, Text]] = {
    "right": say(_("right")),
    "wrong": say(_("not right")),
    "skipped": say(_("no answer")),
    "fine": say(_("the fine")),
    "wipe": say(_("a clean record")),
}


def marks(content: Content, event: AnyEvent) -> tuple[Mark, ...]:
    """The landmarks of one event."""
    match event:
        case TurnStarted(seat=seat):
            return (Mark(kind="turn", symbol="start", seat=seat, label=say(_("A turn begins"))),)
        case CardDrawn(seat=seat, deck=deck, card=card):
            symbol, label = _CARDS[deck]
            words, topic = _card(content, deck, card)
            found = Mark(
                kind="card", symbol=symbol, seat=seat, label=label, topic=topic, words=words
            )
        case QuestionAnswered(seat=seat, card=card, right=right):
            found = Mark(
                kind="question",
                symbol="qa",
                seat=seat,
                label=say(_("Question answered")) if right else say(_("Question missed")),
                topic=content.qa[card].topic,
                words=content.qa[card].question,
            )
        case RecordWiped(seat=seat):
            label = say(_("The record is clean"))
            found = Mark(kind="clean", symbol="inspector", seat=seat, label=label)
        case Jailed(seat=seat):
            found = Mark(kind="prison", symbol="prison", seat=seat, label=say(_("Prison")))
        case VillageCompleted(seat=seat):
            label = say(_("The village is complete"))
            found = Mark(kind="village", symbol="house", seat=seat, label=label)
        case Won(seat=seat):
            found = Mark(kind="won", symbol="i-check", seat=seat, label=say(_("Won")))
        case _:
            return ()
    return (found,)


def asked(rules: RuleBook, state: State, event: AnyEvent) -> Asked | None:
    """The question that ``event`` answered in ``state``, the one before it; None for others."""
    if not isinstance(event, QuestionAnswered):
        return None
    shown = observe(rules, state, Watcher.TEACHER).question
    if shown is None:
        return None
    return _told(shown, event.letter)


def open_question(rules: RuleBook, state: State) -> Asked | None:
    """The question that is drawn and not answered, as the teacher may see it."""
    shown = observe(rules, state, Watcher.TEACHER).question
    if shown is None or shown.answered:
        return None
    return _told(shown, None)


def _told(shown: QuestionView, given: Letter | None) -> Asked | None:
    if shown.options is None or shown.text is None or shown.correct is None:
        return None
    return Asked(
        seat=shown.seat,
        words=shown.text,
        topic=shown.topic or "",
        choices=tuple(
            Choice(key=letter, words=words, move=AnswerQuestion(letter))
            for letter, words in zip(LETTERS, shown.options, strict=True)
        ),
        given=given,
        right=shown.correct,
        explanation=shown.explanation or "",
    )


def _card(content: Content, deck: str, card: str) -> tuple[str, str]:
    """Words and topic of a card."""
    match deck:
        case "corruption":
            return content.corruption[card].text, content.corruption[card].topic
        case "national":
            return content.national[card].text, content.national[card].hazard
        case "local":
            return content.local[card].text, content.local[card].hazard
        case _:
            return content.donation[card].text, content.donation[card].category
