"""Question sets of the bank that a lesson may ask from, and the decks made of them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.utils.translation import ngettext

from classroom.access import Actor, TeacherActor
from classroom.errors import NotThere
from games.decks.questions import KIND, LETTERS, Fitting, Unfit, fitting
from games.engine.game import Game
from games.models import Deck, DeckVersion, Match
from quizzes.access import access_set, sets_of
from quizzes.models import Picture, Question, QuestionSet
from quizzes.selectors.questions import in_set, newest


@dataclass(frozen=True)
class SetChoice:
    """A set that a lesson may ask from. ``many`` questions have four answers, one right."""

    id: str
    title: str
    many: int


@dataclass(frozen=True)
class AskedFrom:
    """What of a chosen set is asked: ``fits`` of ``many`` questions, and why not the others.

    ``set_id`` is None where the teacher may not see the set (any more): it is asked as
    it was kept last, and the numbers are those of then.
    """

    title: str
    set_id: UUID | None
    fits: int
    many: int
    others: tuple[str, ...] = ()


def asks_questions(game: Game) -> bool:
    """Whether the game has a deck of questions."""
    return any(kind.key == KIND for kind in game.content)


def set_choices(actor: Actor) -> list[SetChoice]:
    """The sets that this teacher may let a match ask from: own ones first, then by title.

    The built-in ones are the starter deck already.

    Raises:
        NotThere: the actor is no teacher.
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
    own_first = sorted(found, key=lambda question_set: question_set.owner_id != actor.teacher.pk)
    return [SetChoice(str(one.pk), one.title, one.many) for one in own_first]


def fitting_of(question_set: QuestionSet) -> Fitting:
    """What of a set can be asked in a match, and why the rest cannot."""
    questions = list(in_set(question_set))
    keys = [str(question.pk) for question in questions]
    return fitting(
        zip(keys, newest(questions), strict=True),
        about=question_set.title,
        language=question_set.language,
    )


def asked_from(actor: Actor, game: Game, questions: str) -> AskedFrom | None:
    """What a lesson asks that was set up with ``questions``; None for the starter deck."""
    if not questions:
        return None
    try:
        question_set = access_set(actor, UUID(questions))
    except NotThere:
        kept = last_kept(game, UUID(questions))
        if kept is None:
            return None
        many = len(kept.content["cards"])
        return AskedFrom(title=kept.deck.title, set_id=None, fits=many, many=many)
    found = fitting_of(question_set)
    fits, unfit = len(found.cards), sum(found.unfit.values())
    return AskedFrom(
        title=question_set.title,
        set_id=question_set.pk,
        fits=fits,
        many=fits + unfit,
        others=tuple(
            _why(reason, found.unfit.get(reason, 0)) for reason in Unfit if reason in found.unfit
        ),
    )


def picture_of_match(match: Match, picture_id: UUID) -> Picture:
    """A picture of a question that the match may ask; grants nothing.

    Raises:
        NotThere: its questions have no such picture.
    """
    picture = Picture.objects.filter(
        pk=picture_id, deck_pictures__version__match_contents__match=match
    ).first()
    if picture is None:
        raise NotThere
    return picture


def decks_of(game: Game, set_id: UUID) -> QuerySet[Deck]:
    """The deck that belongs to a set in this game, if one was made."""
    return Deck.objects.filter(game=game.key, kind=KIND, key=deck_key(set_id)).exclude(owner=None)


def last_kept(game: Game, set_id: UUID) -> DeckVersion | None:
    """The newest version of a set's deck, its deck preloaded; None if it was never played."""
    return (
        DeckVersion.objects.filter(deck__in=decks_of(game, set_id))
        .select_related("deck")
        .order_by("-number")
        .first()
    )


def deck_key(set_id: UUID) -> str:
    """``Deck.key`` of a set's deck."""
    return f"set-{set_id}"


def _why(reason: Unfit, count: int) -> str:
    match reason:
        case Unfit.KIND:
            text = ngettext(
                "%(count)s is of another kind than “one right answer”.",
                "%(count)s are of another kind than “one right answer”.",
                count,
            )
        case Unfit.ANSWERS:
            text = ngettext(
                "%(count)s has more or fewer than four answers.",
                "%(count)s have more or fewer than four answers.",
                count,
            )
        case Unfit.LONG:
            text = ngettext(
                "%(count)s is too long for a card.", "%(count)s are too long for a card.", count
            )
        case Unfit.ALIKE:
            text = ngettext(
                "%(count)s has two answers that look the same.",
                "%(count)s have two answers that look the same.",
                count,
            )
    return text % {"count": count}
