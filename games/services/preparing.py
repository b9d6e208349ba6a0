"""Setting up a lesson of a game: its rules, its matches and their teams, up to the start.

Drafted teams are matches in the lobby with their members; nothing is in a log
before ``start_matches``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

import msgspec
from django.db.models import TextChoices
from django.utils.translation import get_language, gettext_lazy as _
from msgspec import Struct

from classroom.access import Actor, access_lesson
from classroom.errors import DomainError, NotThere
from classroom.models import Lesson, Student
from classroom.transactions import whole
from games.bots.bot import Bot
from games.bots.roster import bots_for
from games.decks.starters import NoStarter, nearest_language, starter, starter_content
from games.engine.game import Game
from games.engine.text import Text
from games.lineups import Lineup, arrange, possible_matches, recommended_matches, smallest_team
from games.models import Match, Member, Team
from games.selectors.lineups import (
    Drafts,
    available,
    drafted,
    here,
    holders,
    last_teams,
    teams_of,
    unfinished,
)
from games.selectors.question_sets import asks_questions
from games.selectors.rulesets import NoGame, game_of, options_of
from games.selectors.wording import words
from games.services import matches, question_decks
from games.services.chances import live
from games.services.decks import starter_versions

LIMITS_S = range(10, 301)  # COR-DEC-4
NO_PLACE = 10**6  # the size of a team that nobody is to join


class BadSetup(DomainError):
    """Raised for settings that the game does not know."""

    code = "bad_setup"
    message = _("One of the choices is not possible. Look at the settings and choose again.")


class NobodyHere(DomainError):
    """Raised when teams or matches are asked for without students."""

    code = "nobody_here"
    message = _("Nobody is here yet. Show the code, or add names to the class first.")


class NoLastTeams(DomainError):
    """Raised when the class has not played before, or nobody of then is here."""

    code = "no_last_teams"
    message = _("There are no teams from last time for the students who are here.")


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
    _draft(actor, lesson, teams_of(drafted(lesson)))


def keep_apart(*, actor: Actor, lesson_id: UUID, one: UUID, other: UUID, apart: bool) -> Lesson:
    """Say that two students should not share a team, or take it back; teams stay as they are.

    Raises:
        NotThere: a lesson or student that is not the actor's.
        BadSetup: a student and the same student.
    """
    lesson = access_lesson(actor, lesson_id)
    first, second = sorted(str(student.pk) for student in _students(lesson, [one, other]))
    setup = setup_of(lesson)
    pairs = set(setup.apart)
    (pairs.add if apart else pairs.discard)((first, second))
    setup = msgspec.structs.replace(setup, apart=tuple(sorted(pairs)))
    return save_setup(actor=actor, lesson_id=lesson_id, setup=setup)


def make_teams(
    *, actor: Actor, lesson_id: UUID, number: int | None = None, practice: bool = False
) -> Lineup:
    """Draft teams anew, evenly and by chance, from who is here, else from the roster.

    ``number`` of matches: as many as are recommended if not given, and never so
    many that a team would be empty. ``practice``: one team a match, the computer
    plays the others.

    Raises:
        NotThere: no lesson of the actor's classes.
        NobodyHere: neither students here nor names on the roster.
    """
    lesson = access_lesson(actor, lesson_id)
    students = [str(student.pk) for student in available(lesson)]
    if not students:
        raise NobodyHere
    seats = 1 if practice else game_in(lesson).seats.start
    wanted = number if number is not None else recommended_matches(len(students), seats)
    count = min(max(wanted, 1), possible_matches(len(students), seats)[-1])
    setup = setup_of(lesson)
    lineup = arrange(
        students,
        matches=count,
        chance=live(),
        seats=seats,
        apart=setup.apart,
        first=() if setup.devices is Devices.OWN else holders(lesson),
    )
    _draft_for(practice, actor, lesson, lineup.matches)
    return lineup


def repeat_teams(*, actor: Actor, lesson_id: UUID) -> None:
    """Draft the teams of the class's last lesson of this game; newcomers join the smallest.

    Raises:
        NotThere: no lesson of the actor's classes.
        NoLastTeams: nobody of then is here.
    """
    lesson = access_lesson(actor, lesson_id)
    students = [str(student.pk) for student in available(lesson)]
    last = last_teams(lesson)
    known = _only(last, students)
    if not known:
        raise NoLastTeams
    practice = all(sum(map(bool, match)) == 1 for match in last)
    _draft_for(practice, actor, lesson, _filled(known, students, practice=practice))


@whole
def place_student(
    *, actor: Actor, lesson_id: UUID, student_id: UUID, number: int | None, seat: int = 0
) -> None:
    """Put a student into a drafted team; ``number`` None takes the student out of all.

    A ``number`` that no match has yet makes a further match.

    Raises:
        NotThere: a lesson, student, match or seat that is not there.
    """
    lesson = access_lesson(actor, lesson_id)
    (student,) = _students(lesson, [student_id])
    Member.objects.filter(team__match__in=drafted(lesson), student=student).delete()
    if number is not None:
        match = drafted(lesson).filter(number=number).first()
        if match is None:
            match = _draft_match(actor, lesson, [()] * game_in(lesson).seats.start)
        team = match.teams.filter(seat=seat).first()
        if team is None:
            raise NotThere
        Member.objects.create(team=team, student=student)
    drafted(lesson).exclude(teams__members__isnull=False).delete()


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
    teams = _only(planned, present)
    practice = setup.practice
    if teams and not _spoilt(planned, teams):
        _draft(actor, lesson, _filled(teams, present, practice=practice))
    else:
        make_teams(actor=actor, lesson_id=lesson_id, practice=practice)
    drafts = list(drafted(lesson))
    for match in drafts:
        matches.start_match(match_id=match.pk, actor=actor)
    return drafts


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


def _students(lesson: Lesson, ids: Sequence[UUID]) -> list[Student]:
    found = Student.objects.filter(
        classroom=lesson.classroom_id, removed_at=None, pk__in=ids
    ).in_bulk()
    if len(found) < len(set(ids)):
        raise NotThere
    return [found[pk] for pk in ids]


def _only(teams: Drafts, students: Sequence[str]) -> Drafts:
    """The teams reduced to these students, without matches that nobody is left in."""
    wanted = set(students)
    kept = [[[s for s in team if s in wanted] for team in match] for match in teams]
    return [match for match in kept if any(match)]


def _spoilt(planned: Drafts, teams: Drafts) -> bool:
    """Whether absence has emptied a team, or made teams uneven that were even."""

    def sizes(matches: Drafts) -> list[int]:
        return [len(team) for match in matches for team in match if team]

    before, after = sizes(planned), sizes(teams)
    was_even = max(before) - min(before) <= 1
    return len(after) < len(before) or (was_even and max(after) - min(after) > 1)


def _filled(teams: Drafts, students: Sequence[str], *, practice: bool = False) -> Drafts:
    """The teams with everybody who has no place yet in the smallest ones.

    In ``practice`` a team without students stays the computer's.
    """
    placed = {s for match in teams for team in match for s in team}
    filled = [[list(team) for team in match] for match in teams]
    for student in students:
        if student not in placed:
            match, seat = smallest_team(
                [[len(team) if team or not practice else NO_PLACE for team in m] for m in filled]
            )
            filled[match][seat].append(student)
    return filled


@whole
def _draft_for(
    practice: bool, actor: Actor, lesson: Lesson, teams: Sequence[Sequence[Sequence[str]]]
) -> None:
    """Draft teams, and note whether they are for practice: both or neither."""
    setup = msgspec.structs.replace(setup_of(lesson), practice=practice)
    lesson.settings = msgspec.to_builtins(setup)
    lesson.save(update_fields=["settings"])
    _draft(actor, lesson, teams)


@whole
def _draft(actor: Actor, lesson: Lesson, teams: Sequence[Sequence[Sequence[str]]]) -> None:
    """Put these teams in the place of all that were drafted before."""
    drafted(lesson).delete()
    held = holders(lesson)
    for match in teams:
        _draft_match(actor, lesson, match, held)


def _draft_match(
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
