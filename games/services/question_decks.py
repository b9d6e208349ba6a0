"""Question sets of the bank as decks of matches.

A match never plays a set itself. What of a set fits is copied into a version of a
deck that belongs to the set; the match is pinned to that version (decision 0012).
So a set that is changed, archived, no longer shared or deleted changes nothing in a
match or a report. One deck a set and game; a version for each content that was played.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, TeacherActor
from classroom.errors import DomainError, NotThere
from classroom.models import Lesson, Teacher
from classroom.transactions import patient, whole
from games.catalog import GAMES
from games.decks.questions import KIND, LETTERS
from games.decks.starters import starter_content, starter_games, starter_languages, topic_name
from games.engine.game import Game
from games.models import Deck, DeckPicture, DeckVersion
from games.selectors.question_sets import (
    asks_questions,
    deck_key,
    decks_of,
    fitting_of,
    last_kept,
)
from games.selectors.wording import words
from quizzes.access import access_set
from quizzes.formats.question import SingleChoice
from quizzes.models import QuestionSet
from quizzes.services.adding import keep_built_in

UNUSED_KEPT = timedelta(days=1)  # a lesson is being set up
PIECE = 50  # rows of one transaction


class NothingFits(DomainError):
    """Raised when no question of a set can be a card."""

    code = "nothing_fits"
    message = _(
        "No question of this set can be asked in a match. It takes questions with four answers, "
        "one of them right."
    )


def take_over(*, actor: Actor, game: Game, set_id: UUID) -> DeckVersion:
    """The version of the set's deck with what the set says now; a new one only if it differs.

    Raises:
        NotThere: no set that the actor may see.
        NothingFits: none of its questions can be asked.
    """
    question_set = access_set(actor, set_id)
    content = fitting_of(question_set).content
    if not content["cards"]:
        raise NothingFits
    saved_by = actor.teacher if isinstance(actor, TeacherActor) else None
    return _kept(game, question_set, content, saved_by=saved_by)


@whole
def _kept(
    game: Game, question_set: QuestionSet, content: dict[str, Any], *, saved_by: Teacher | None
) -> DeckVersion:
    """The version with this content: the last one, or one after it."""
    deck = decks_of(game, question_set.pk).select_for_update().first()
    if deck is None:
        deck = Deck.objects.create(
            game=game.key, kind=KIND, key=deck_key(question_set.pk), owner=question_set.owner,
            title=question_set.title, language=question_set.language,
        )  # fmt: skip
    last = deck.versions.order_by("-number").first()
    if last is not None and last.content == content:
        return last
    version = deck.versions.create(
        number=last.number + 1 if last else 1, content=content, saved_by=saved_by
    )
    DeckPicture.objects.bulk_create(
        DeckPicture(version=version, picture_id=UUID(picture))
        for picture in {card["picture"]["id"] for card in content["cards"] if "picture" in card}
    )
    return version


def refresh(*, actor: Actor, game: Game, questions: str) -> None:
    """Bring the deck up to what the set says now, before matches of a lesson start.

    ``questions`` is what ``Setup`` says: a set's id, or nothing. What the actor may not
    see (any more), or what has nothing to ask any more, stays as it was kept last: a
    co-teacher starts the lesson as its owner has set it up.
    """
    if questions:
        with suppress(NotThere, NothingFits):
            take_over(actor=actor, game=game, set_id=UUID(questions))


def pinned(game: Game, questions: str) -> dict[str, DeckVersion]:
    """The questions that a match starts with, by kind of content; {} for the starter deck."""
    kept = last_kept(game, UUID(questions)) if questions else None
    return {} if kept is None else {KIND: kept}


def forget_decks(*, dry: bool = False) -> int:
    """Delete versions of sets' decks that nobody plays or waits for; how many.

    The newest of a deck stays while a lesson names the set: it may be started again.
    With the last version goes the deck, and pictures may go that only it showed.
    """
    named = Lesson.objects.filter(settings__has_key="questions").values_list(
        "settings__questions", flat=True
    )
    waiting = [deck_key(UUID(questions)) for questions in set(named)]
    later = DeckVersion.objects.filter(deck=OuterRef("deck"), number__gt=OuterRef("number"))
    due = (
        DeckVersion.objects.filter(
            deck__kind=KIND,
            deck__owner__isnull=False,
            match_contents=None,
            saved_at__lt=timezone.now() - UNUSED_KEPT,
        )
        .exclude(~Exists(later), deck__key__in=waiting)
        .values_list("pk", flat=True)
    )
    if dry:
        return due.count()
    gone = list(due)
    for piece in range(0, len(gone), PIECE):
        patient(DeckVersion.objects.filter(pk__in=gone[piece : piece + PIECE]).delete)()
    Deck.objects.filter(kind=KIND, owner__isnull=False, versions=None).delete()
    return len(gone)


def load_question_sets() -> int:
    """Bring the starter decks into the bank as built-in sets, to read and copy; how many were new.

    One set a game and language.
    """
    return sum(
        keep_built_in(
            key=f"{game_key}-{KIND}",
            language=language,
            title=_starter_title(GAMES[game_key], language),
            credit="Civic Table",
            questions=_starter_questions(game_key, language),
        )
        for game_key in sorted(GAMES.keys() & starter_games())
        if asks_questions(GAMES[game_key])
        for language in starter_languages(game_key)
    )


def _starter_title(game: Game, language: str) -> str:
    kind = next(kind for kind in game.content if kind.key == KIND)
    return f"{words(game.title, language)} – {words(kind.title, language)}"


def _starter_questions(game_key: str, language: str) -> list[SingleChoice]:
    return [
        SingleChoice(
            stem=card["question"],
            choices=tuple(card["options"][letter] for letter in LETTERS),
            right=LETTERS.index(card["correct"]),
            explanation=card["explanation"],
            topics=(topic_name(game_key, card["topic"], language),),
            difficulty=card["difficulty"],
            language=language,
        )
        for card in starter_content(game_key, language=language)[KIND]["cards"]
    ]
