"""Who may do what with set-up, matches, boards and decks."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from classroom.access import TeacherActor
from classroom.models import Lesson
from games.models import Deck, DeckPicture
from games.services import decks, matches
from games.services.decks import starter_versions
from games.services.matches import TeamPlan
from quizzes.models import Picture
from quizzes.services.pictures import path_of
from tests.factories import bank
from tests.permissions.lines import GO, Line, everybody, teachers
from tests.permissions.world import World


def lesson_args(world: World) -> dict[str, Any]:
    """The lesson of the world plays Corruption!; nothing has started."""
    if not Deck.objects.exists():
        decks.load_starters()
    Lesson.objects.filter(pk=world.lesson.pk).update(activity="corruption")
    return world.args


def match_args(world: World) -> dict[str, Any]:
    """The student of the world plays a match against the computer."""
    lesson_args(world)
    match = world.lesson.matches.first()
    if match is None:
        actor = TeacherActor(world.owner)
        match = matches.create_match(
            lesson_id=world.lesson.pk,
            actor=actor,
            game="corruption",
            versions={k: v.pk for k, v in starter_versions("corruption", "two-villages").items()},
            teams=[TeamPlan(students=(str(world.student.pk),)), TeamPlan(played_by="bot")],
        )
        with transaction.atomic():
            matches.start_match(match_id=match.pk, actor=actor)
    return {**world.args, "match_id": match.pk, "act": "pause", "game_key": "corruption"}


def question_args(world: World) -> dict[str, Any]:
    """A picture that a question of the match shows."""
    args = match_args(world)
    picture = Picture.objects.first() or bank.picture(world.owner)
    path_of(picture, "large").write_bytes(b"pixels")
    version = world.lesson.matches.get().contents.get(kind="qa").version
    DeckPicture.objects.get_or_create(version=version, picture=picture)
    return {**args, "picture_id": picture.pk}


def pause_all(world: World) -> dict[str, Any]:
    return {**match_args(world), "act": "pause"}


def rule_args(world: World) -> dict[str, Any]:
    return {"game_key": "corruption", "rule_id": "COR-CAT-3"}


def set_end(world: World) -> dict[str, Any]:
    return {**match_args(world), "act": "ends"}


def place(world: World) -> dict[str, str]:
    return {"to": ""}


def other(world: World) -> dict[str, str]:
    return {"other": str(world.guest.pk)}


LINES: tuple[Line, ...] = (
    # before the start
    Line("games:setup", "GET", teachers(200), args=lesson_args),
    Line("games:save_setup", "POST", teachers(422), {"board": "none"}, args=lesson_args),
    Line("games:mix", "POST", teachers(GO), args=lesson_args),
    Line("games:repeat", "POST", teachers(422), args=lesson_args),
    Line("games:place", "GET", teachers(200), args=lesson_args),
    Line("games:place", "POST", teachers(GO), place, args=lesson_args),
    Line("games:apart", "POST", teachers(GO), other, args=lesson_args),
    Line("games:try_alone", "POST", teachers(GO), args=lesson_args),
    Line("games:start", "POST", teachers(GO), args=lesson_args),
    # while it runs
    Line("games:desk", "GET", teachers(200), args=match_args),
    Line("games:act_on_lesson", "POST", teachers(GO), args=pause_all),
    Line("games:act_on_lesson", "POST", teachers(422), {"minutes": "0"}, args=set_end),
    Line("games:screen", "GET", everybody(404, owner=GO, co_teacher=GO), args=match_args),
    Line("games:enter_screen", "GET", everybody(200)),
    Line("games:enter_screen", "POST", everybody(422), {"code": "AAAAAA"}),
    Line("games:match_desk", "GET", teachers(200), args=match_args),
    Line("games:act_on_match", "POST", teachers(GO), args=match_args),
    Line("games:play", "GET", everybody(404, student=200), args=match_args),
    Line(
        "games:board",
        "GET",
        everybody(404, student=200, owner=200, co_teacher=200),
        args=match_args,
    ),
    Line(
        "games:question_picture",
        "GET",
        everybody(404, student=200, owner=200, co_teacher=200),
        args=question_args,
    ),
    # afterwards
    Line(
        "games:story",
        "GET",
        everybody(404, student=409, owner=200, co_teacher=200),
        args=match_args,
    ),
    Line(
        "games:story_steps",
        "GET",
        everybody(404, student=409, owner=200, co_teacher=200),
        args=match_args,
    ),
    Line(
        "games:results",
        "GET",
        everybody(404, student=409, owner=200, co_teacher=200),
        args=match_args,
    ),
    Line("games:debrief", "GET", everybody(404, owner=200, co_teacher=200), args=match_args),
    # for everybody
    Line("games:demo", "GET", everybody(200)),
    Line("games:demo_recording", "GET", everybody(200), args=lambda world: {"language": "en"}),
    Line("games:front", "GET", everybody(200)),
    Line("games:how_to_play", "GET", everybody(200), args=rule_args),
    Line("games:rules", "GET", everybody(200), args=rule_args),
    Line("games:rule", "GET", everybody(200), args=rule_args),
)

# Need the live part beside them: their tables are in tests/games/live/test_permissions.py.
NOT_YET = {"games:now", "games:lesson_now"}
