"""Matches in the lobby with their teams: plain rows, in no log before the start."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import msgspec

from classroom.access import Actor
from classroom.models import Lesson
from classroom.transactions import whole
from games.engine.game import Game
from games.engine.text import Text
from games.models import Match, Team
from games.selectors.lineups import drafted, holders
from games.selectors.wording import words
from games.services import matches, question_decks
from games.services.decks import starter_versions
from games.services.preparing.setups import Devices, game_in, language_of, setup_of


@whole
def draft_for(
    practice: bool, actor: Actor, lesson: Lesson, teams: Sequence[Sequence[Sequence[str]]]
) -> None:
    """Draft teams, and note whether they are for practice: both or neither."""
    setup = msgspec.structs.replace(setup_of(lesson), practice=practice)
    lesson.settings = msgspec.to_builtins(setup)
    lesson.save(update_fields=["settings"])
    draft(actor, lesson, teams)


@whole
def draft(actor: Actor, lesson: Lesson, teams: Sequence[Sequence[Sequence[str]]]) -> None:
    """Put these teams in the place of all that were drafted before."""
    drafted(lesson).delete()
    held = holders(lesson)
    for match in teams:
        draft_match(actor, lesson, match, held)


def draft_match(
    actor: Actor,
    lesson: Lesson,
    teams: Sequence[Sequence[str]],
    held: Collection[str] = (),
) -> Match:
    """One match in the lobby; seats without students are the computer's."""
    game, setup, language = game_in(lesson), setup_of(lesson), language_of(lesson)
    versions = {
        **starter_versions(game.key, setup.board, language),
        **question_decks.pinned(game, setup.questions),
    }
    return matches.create_match(
        lesson_id=lesson.pk,
        actor=actor,
        game=game.key,
        versions={kind: version.pk for kind, version in versions.items()},
        teams=[
            matches.TeamPlan(
                name=words(name, language),
                students=tuple(students),
                played_by=Team.PlayedBy.PEOPLE if students else Team.PlayedBy.BOT,
                bot="" if students else setup.bot,
                shared=_speaker(students, setup.devices, held),
            )
            for name, students in _seated(game, teams)
        ],
        options=setup.options,
        decision_rule=setup.decision_rule,
        decision_limit_s=setup.decision_limit_s,
        silent_first=setup.silent_first,
        language=language,
    )


def _seated(game: Game, teams: Sequence[Sequence[str]]) -> Iterator[tuple[Text, Sequence[str]]]:
    """Name and students of each seat; in practice one seat has students."""
    seats = max(len(teams), game.seats.start)
    for seat, name in enumerate(game.seat_names[:seats]):
        yield name, teams[seat] if seat < len(teams) else ()


def _speaker(students: Sequence[str], devices: Devices, held: Collection[str]) -> str:
    """The student whose device speaks for the team; "" where each has one of their own."""
    with_device = [student for student in students if student in held]
    if devices is Devices.OWN or not with_device:
        return ""
    alone = devices is Devices.MIXED and len(with_device) == len(students)
    return "" if alone else with_device[0]
