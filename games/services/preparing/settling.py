"""What a teacher settles for a lesson: rules, decisions, questions, who is kept apart."""

from __future__ import annotations

from uuid import UUID

import msgspec
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, access_lesson
from classroom.errors import DomainError, NotThere
from classroom.models import Lesson
from classroom.transactions import whole
from games.decks.starters import NoStarter, starter
from games.engine.game import Game
from games.selectors.lineups import drafted, students_of, teams_of
from games.selectors.question_sets import asks_questions
from games.selectors.rulesets import options_of
from games.services import question_decks
from games.services.preparing.drafts import draft
from games.services.preparing.setups import Setup, bots_of, game_in, setup_of

LIMITS_S = range(10, 301)  # COR-DEC-4


class BadSetup(DomainError):
    """Raised for settings that the game does not know."""

    code = "bad_setup"
    message = _("One of the choices is not possible. Look at the settings and choose again.")


def save_setup(*, actor: Actor, lesson_id: UUID, setup: Setup) -> Lesson:
    """Store the settings; drafted matches take them over, matches that play do not.

    Raises:
        NotThere: no lesson of the actor's classes.
        BadSetup: a board, option or time that the game does not have.
    """
    lesson = access_lesson(actor, lesson_id)
    game = game_in(lesson)
    _check(game, setup)
    if setup.questions and setup.questions != setup_of(lesson).questions:
        _keep_questions(actor, game, setup.questions)
    lesson.settings = msgspec.to_builtins(setup)
    _store(actor, lesson)
    return lesson


@whole
def _store(actor: Actor, lesson: Lesson) -> None:
    lesson.save(update_fields=["settings"])
    draft(actor, lesson, teams_of(drafted(lesson)))


def keep_apart(*, actor: Actor, lesson_id: UUID, one: UUID, other: UUID, apart: bool) -> Lesson:
    """Say that two students should not share a team, or take it back; teams stay as they are.

    Raises:
        NotThere: a lesson or student that is not the actor's.
        BadSetup: a student and the same student.
    """
    lesson = access_lesson(actor, lesson_id)
    first, second = sorted(str(student.pk) for student in students_of(lesson, [one, other]))
    setup = setup_of(lesson)
    pairs = set(setup.apart)
    (pairs.add if apart else pairs.discard)((first, second))
    setup = msgspec.structs.replace(setup, apart=tuple(sorted(pairs)))
    return save_setup(actor=actor, lesson_id=lesson_id, setup=setup)


def _check(game: Game, setup: Setup) -> None:
    try:
        starter(game.key, setup.board)
        options_of(game, setup.options)
        bots = bots_of(game, setup.board)
    except (NoStarter, msgspec.ValidationError) as wrong:
        raise BadSetup from wrong
    if setup.decision_limit_s is not None and setup.decision_limit_s not in LIMITS_S:
        raise BadSetup(
            _("A time limit lasts from %(low)s to %(high)s seconds.")
            % {"low": LIMITS_S[0], "high": LIMITS_S[-1]}
        )
    if setup.bot and setup.bot not in {bot.key for bot in bots}:
        raise BadSetup
    if any(one == other for one, other in setup.apart):
        raise BadSetup(_("Choose two different students to keep apart."))


def _keep_questions(actor: Actor, game: Game, questions: str) -> None:
    """Make a deck of the set that was chosen: whatever becomes of it, the lesson can be played.

    Raises:
        BadSetup: the game asks no questions, or the actor may not see the set.
        NothingFits: none of its questions can be asked.
    """
    if not asks_questions(game):
        raise BadSetup
    try:
        question_decks.take_over(actor=actor, game=game, set_id=UUID(questions))
    except (ValueError, NotThere) as wrong:
        raise BadSetup(_("Choose another question set: this one is not open to you.")) from wrong
