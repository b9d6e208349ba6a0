"""What is settled for a lesson of a game, and what follows from it."""

from __future__ import annotations

import msgspec
from django.db.models import TextChoices
from django.utils.translation import get_language, gettext_lazy as _
from msgspec import Struct

from classroom.errors import NotThere
from classroom.models import Lesson
from games.bots.bot import Bot
from games.bots.roster import bots_for
from games.decks.starters import nearest_language, starter, starter_content
from games.engine.game import Game
from games.models import Match
from games.selectors.rulesets import NoGame, game_of


class Devices(TextChoices):
    """Whose device speaks in a team."""

    OWN = "own", _("everybody has one")
    SHARED = "shared", _("one device a team")
    MIXED = "mixed", _("some have one")


class Setup(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a teacher settled for a lesson; stored as ``Lesson.settings``."""

    board: str
    options: dict[str, str | int | bool] = {}  # only those that differ from the default
    decision_rule: Match.DecisionRule = Match.DecisionRule.MAJORITY
    decision_limit_s: int | None = None
    silent_first: Match.SilentFirst = Match.SilentFirst.QUESTIONS
    apart: tuple[tuple[str, str], ...] = ()  # pairs of students who should not share a team
    questions: str = ""  # id of the question set that is asked; "": the starter deck
    devices: Devices = Devices.OWN
    bot: str = ""  # who plays teams without students; "": the usual one of the game
    practice: bool = False  # every team of students plays against the computer


def game_in(lesson: Lesson) -> Game:
    """The game that the lesson plays.

    Raises:
        NotThere: the lesson holds something else.
    """
    try:
        return game_of(lesson.activity)
    except NoGame:
        raise NotThere from None


def setup_of(lesson: Lesson) -> Setup:
    """What was settled so far, or the usual."""
    if not lesson.settings:
        return Setup(board=starter(game_in(lesson).key).key)
    return msgspec.convert(lesson.settings, Setup, strict=False)


def bots_of(game: Game, board: str) -> tuple[Bot, ...]:
    """The computer players that the game has on a starter board, the usual one first."""
    return tuple(bots_for(game, starter_content(game.key, board)).values())


def language_of(lesson: Lesson) -> str:
    """The language of boards and cards: the class's own, else the one that is active."""
    return nearest_language(lesson.activity, lesson.classroom.language or get_language())
