"""Question sets of the bank as decks of matches.

A match never plays a set itself. What of a set fits is copied into a version of a
deck that belongs to the set; the match is pinned to that version (DESIGN section 10).
So a set that is changed, archived, no longer shared or deleted changes nothing in a
match or a report. One deck a set and game; a version for each content that was played.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, TeacherActor
from classroom.errors import DomainError, NotThere
from games.catalog import GAMES
from games.decks.questions import KIND, LETTERS, Fitting, fitting
from games.decks.starters import starter_content, starter_games, starter_languages
from games.engine.game import Game
from games.models import Deck, DeckVersion
from games.selectors.wording import words
from quizzes.access import access_set, sets_of
from quizzes.formats.question import SingleChoice
from quizzes.models import Question, QuestionSet
from quizzes.selectors.questions import in_set, newest
from quizzes.services.questions import keep_built_in


class NothingFits(DomainError):
    """Raised when no question of a set can be a card."""

    code = "nothing_fits"
    message = _(
        "No question of this set can be asked in a match. It takes questions with four answers, "
        "one of them right."
    )


@dataclass(frozen=True)
class SetChoice:
    """A set that a lesson may ask from. ``many`` questions have four answers, one right."""

    set: QuestionSet
    many: int


def asks_questions(game: Game) -> bool:
    """Whether the game has a deck of questions."""
    return any(kind.key == KIND for kind in game.content)


def set_choices(actor: Actor) -> list[SetChoice]:
    """The sets that this teacher may let a match ask from: own ones first, then by title.

    The built-in ones are the starter deck already.
    """
    if not isinstance(actor, TeacherActor):
        raise NotThere
    fits = Q(
        questions__archived_at=None,
        questions__kind=Question.Kind.SINGLE,
        questions__choices=len(LETTERS),
    )
    found = (
        sets_of(actor.teacher)
        .filter(archived_at=None)
        .exclude(owner=None)
        .annotate(many=Count("questions", filter=fits))
        .filter(many__gt=0)
        .order_by("title", "created_at")
    )
    choices = [SetChoice(question_set, question_set.many) for question_set in found]
    return sorted(choices, key=lambda choice: choice.set.owner_id != actor.teacher.pk)


def fitting_of(question_set: QuestionSet) -> Fitting:
    """What of a set can be asked in a match, and why the rest cannot."""
    questions = list(in_set(question_set))
    keys = [str(question.pk) for question in questions]
    return fitting(zip(keys, newest(questions), strict=True), about=question_set.title)


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
    with transaction.atomic():
        deck = _decks(game, set_id).select_for_update().first()
        if deck is None:
            deck = Deck.objects.create(
                game=game.key, kind=KIND, key=_key(set_id), owner=question_set.owner,
                title=question_set.title, language=question_set.language,
            )  # fmt: skip
        last = deck.versions.order_by("-number").first()
        if last is not None and last.content == content:
            return last
        return deck.versions.create(
            number=last.number + 1 if last else 1,
            content=content,
            saved_by=actor.teacher if isinstance(actor, TeacherActor) else None,
        )


def pinned(*, actor: Actor, game: Game, questions: str) -> dict[str, DeckVersion]:
    """The questions that a match of a lesson starts with now, by kind; {} for the starter deck.

    ``questions`` is what ``Setup`` says: a set's id, or nothing. What the actor may not
    see (any more) is played as it was kept last: a co-teacher starts the lesson as its
    owner has set it up, and a set that was deleted is still asked.
    """
    if not questions:
        return {}
    set_id = UUID(questions)
    try:
        return {KIND: take_over(actor=actor, game=game, set_id=set_id)}
    except (NotThere, NothingFits):
        kept = last_kept(game, set_id)
        return {} if kept is None else {KIND: kept}


def last_kept(game: Game, set_id: UUID) -> DeckVersion | None:
    """The newest version of a set's deck, its deck preloaded; None if it was never played."""
    return (
        DeckVersion.objects.filter(deck__in=_decks(game, set_id))
        .select_related("deck")
        .order_by("-number")
        .first()
    )


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
            topics=(card["topic"].replace("_", " "),),
            difficulty=card["difficulty"],
            language=language,
        )
        for card in starter_content(game_key, language=language)[KIND]["cards"]
    ]


def _decks(game: Game, set_id: UUID) -> QuerySet[Deck]:
    return Deck.objects.filter(game=game.key, kind=KIND, key=_key(set_id)).exclude(owner=None)


def _key(set_id: UUID) -> str:
    return f"set-{set_id}"
