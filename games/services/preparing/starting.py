"""The start of all matches of a lesson, with who is there."""

from __future__ import annotations

from uuid import UUID

from classroom.access import Actor, access_lesson
from games.lineups import filled, narrowed, spoilt
from games.models import Match
from games.selectors.lineups import drafted, here, teams_of, unfinished
from games.services import matches, question_decks
from games.services.preparing.drafts import draft
from games.services.preparing.setups import game_in, setup_of
from games.services.preparing.teams import NobodyHere, make_teams


def start_matches(*, actor: Actor, lesson_id: UUID) -> list[Match]:
    """Start all drafted matches with who is here; what was drafted in vain is dropped.

    Who is drafted and not here is left out and joins late; who is here and not
    drafted goes to the smallest team. If so many are away that a team would be
    empty, or even teams would become uneven, teams are made anew. A team that was
    drafted without anybody is played by the computer. Starting twice starts nothing twice.

    Raises:
        NotThere: no lesson of the actor's classes.
        NobodyHere: no student is here.
    """
    lesson = access_lesson(actor, lesson_id)
    present = [str(student.pk) for student in here(lesson)]
    if not present:
        if unfinished(lesson).exists():
            return []
        raise NobodyHere
    setup = setup_of(lesson)
    question_decks.refresh(actor=actor, game=game_in(lesson), questions=setup.questions)
    planned = teams_of(drafted(lesson))
    teams = narrowed(planned, present)
    practice = setup.practice
    if teams and not spoilt(planned, teams):
        draft(actor, lesson, filled(teams, present, practice=practice))
    else:
        make_teams(actor=actor, lesson_id=lesson_id, practice=practice)
    drafts = list(drafted(lesson))
    for match in drafts:
        matches.start_match(match_id=match.pk, actor=actor)
    return drafts
