"""How a match is set up, pinned to what it is played with, and started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _
from msgspec import Struct
from msgspec.structs import replace

from classroom.access import Actor, access_lesson
from classroom.models import Student
from classroom.names import clean
from classroom.transactions import whole
from games.engine.game import ContentRefused
from games.models import DeckVersion, Match, MatchContent, Member, Team
from games.position import Position
from games.selectors.rulesets import NoGame, game_of, options_of
from games.selectors.wording import words
from games.services import chances, play, steady
from games.services.matches.acts import change, teacher_of
from games.services.matches.refusals import WrongSetUp
from games.services.play import Accepted
from games.services.publishing import publish

LONGEST_TEAM_NAME = 60


class TeamPlan(Struct, frozen=True, kw_only=True):
    """A team as it is set up: seats in the order of the plans."""

    name: str = ""  # empty: the game's own name of the seat
    students: tuple[str, ...] = ()  # ids
    played_by: str = "people"
    bot: str = ""
    shared: str = ""  # the student whose device speaks for several, if any


def create_match(
    *,
    lesson_id: UUID,
    actor: Actor,
    game: str,
    versions: Mapping[str, int],
    teams: Sequence[TeamPlan],
    options: Mapping[str, Any] | None = None,
    decision_rule: str = "majority",
    decision_limit_s: int | None = None,
    silent_first: str = "questions",
    language: str = "en",
    number: int | None = None,
) -> Match:
    """A match in the lobby, pinned to ``versions`` (kind: DeckVersion id) for good.

    With the ``number`` that the form showed, asking twice makes one match: the
    second call returns the first's.

    Raises:
        WrongSetUp: an unknown game or option, content that its rules refuse, a
            wrong number of teams, a student twice or of another class.
    """
    lesson = access_lesson(actor, lesson_id, to="run")
    if number is not None:
        made = Match.objects.filter(lesson=lesson, number=number).first()
        if made is not None:
            return made
    last = Match.objects.filter(lesson=lesson).order_by("-number").first()
    match = Match(
        lesson=lesson,
        number=number or (last.number + 1 if last else 1),
        game=game,
        language=language,
        options=dict(options or {}),
        decision_rule=decision_rule,
        decision_limit_s=decision_limit_s or None,
        silent_first=silent_first,
    )
    if decision_rule not in Match.DecisionRule.values:
        raise WrongSetUp
    if silent_first not in Match.SilentFirst.values:
        raise WrongSetUp
    plans = _checked(match, versions, teams)
    try:
        _keep(match, versions, plans)
    except IntegrityError:
        # Somebody made a match with this number at the same moment (case CC-04).
        return Match.objects.get(lesson=lesson, number=match.number)
    return match


@whole
def _keep(match: Match, versions: Mapping[str, int], plans: Sequence[TeamPlan]) -> None:
    match.save(force_insert=True)
    MatchContent.objects.bulk_create(
        MatchContent(match=match, kind=kind, version_id=version)
        for kind, version in versions.items()
    )
    for seat, plan in enumerate(plans):
        _seat_team(match, seat, plan)
    transaction.on_commit(partial(publish, match.pk))


def start_match(*, match_id: UUID, actor: Actor) -> Position:
    """The first record: the set-up. Starting twice is starting once.

    Raises:
        WrongSetUp: the content does not pass the game's rules after all.
    """

    def make(position: Position) -> Accepted | None:
        if position.status != "lobby":
            return None
        return play.started(
            position, at=steady.now(), teacher=teacher_of(actor), chances=chances.live
        )

    return change(match_id, actor, make)


def _checked(
    match: Match, versions: Mapping[str, int], teams: Sequence[TeamPlan]
) -> Sequence[TeamPlan]:
    """The plans, if game, options, content, bots and students go together."""
    try:
        game = game_of(match.game)
        options = options_of(game, match.options)
    except (NoGame, msgspec.ValidationError) as error:
        raise WrongSetUp from error
    match.options = msgspec.to_builtins(options)
    stored = DeckVersion.objects.select_related("deck").in_bulk(list(versions.values()))
    kinds = {kind.key for kind in game.content}
    fits = (
        set(versions) == kinds
        and len(stored) == len(set(versions.values()))
        and all(
            stored[pk].deck.game == game.key and stored[pk].deck.kind == kind
            for kind, pk in versions.items()
        )
    )
    if not fits or len(teams) not in game.seats:
        raise WrongSetUp
    try:
        game.ruleset(options, {kind: stored[pk].content for kind, pk in versions.items()})
    except ContentRefused as error:
        raise WrongSetUp(words(error.problems[0].text)) from error
    students = [student for plan in teams for student in plan.students]
    known = Student.objects.filter(
        pk__in=students, classroom=match.lesson.classroom_id, removed_at=None
    ).count()
    if known != len(students) or any(p.played_by not in Team.PlayedBy.values for p in teams):
        raise WrongSetUp
    names = [words(name, match.language) for name in game.seat_names]
    return [
        replace(plan, name=_team_name(plan.name) or names[seat]) for seat, plan in enumerate(teams)
    ]


def _team_name(name: str) -> str:
    """A team's name as it may be shown: one short line of printable signs (case WS-20)."""
    shown = clean(name)
    if len(shown) > LONGEST_TEAM_NAME:
        raise WrongSetUp(_("The name of a team can have 60 characters at most."))
    return shown


def _seat_team(match: Match, seat: int, plan: TeamPlan) -> None:
    team = Team.objects.create(
        match=match, seat=seat, name=plan.name, played_by=plan.played_by, bot=plan.bot
    )
    Member.objects.bulk_create(
        Member(team=team, student_id=student, shared=student == plan.shared)
        for student in plan.students
    )
