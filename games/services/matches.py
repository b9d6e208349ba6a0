"""Everything that is done to a match but the moves themselves.

Each act checks access first, appends a record with the next version, and tells
the sockets after the commit. Before the start there is no log: the lobby's
teams are plain rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _
from msgspec import Struct
from msgspec.structs import replace

from classroom.access import Actor, StudentActor, TeacherActor, access_lesson, access_student
from classroom.errors import DomainError
from classroom.models import Student
from classroom.names import clean
from games.engine.game import ContentRefused
from games.models import DeckVersion, Match, MatchContent, Member, Team
from games.position import MemberState, Opened, Position, TeamState
from games.selectors.matches import UNFINISHED, MatchRight, access_match
from games.selectors.rulesets import NoGame, game_of, options_of
from games.selectors.wording import words
from games.services import chances, facts, log, play, steady
from games.services.codes import Refusal
from games.services.log import Change, LostCompare
from games.services.play import Accepted, Refused, RulesBroken, Submission
from games.services.publishing import publish

TRIES = 3  # after a lost compare, then busy
LARGEST_TEAM = 12  # more could not sit around one table
LONGEST_TEAM_NAME = 60


class Busy(DomainError):
    """Others were faster, again and again. Nothing happened."""

    code = "busy"
    message = _("That took too long and was not done. Try again.")
    status = 503


class WrongSetUp(DomainError):
    """Game, options, content or teams do not go together."""

    code = "wrong_set_up"
    message = _("This match cannot be set up like that. Look at the settings again.")


class TeamsFull(DomainError):
    """No place is left in any team."""

    code = "teams_full"
    message = _("All teams of this match are full. Watch the board, or ask your teacher.")
    status = 409


class NotNow(DomainError):
    """The match is in another state than the act needs."""

    code = "not_now"
    message = _("That is not possible at this point of the match.")
    status = 409


class MoveRefused(DomainError):
    """The rules or the platform refuse a move; code and sentence are theirs."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(words(refused.text), code=refused.code)
        self.rule = refused.rule
        self.status = 409 if refused.code in {code.value for code in Refusal} else 422


class TeamPlan(Struct, frozen=True, kw_only=True):
    """A team as it is set up: seats in the order of the plans."""

    name: str = ""  # empty: the game's own name of the seat
    students: tuple[str, ...] = ()  # ids
    played_by: str = "people"
    bot: str = ""
    shared: str = ""  # the student whose device speaks for several, if any


# -- before the start --------------------------------------------------------------------------


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
        with transaction.atomic():
            match.save(force_insert=True)
            MatchContent.objects.bulk_create(
                MatchContent(match=match, kind=kind, version_id=version)
                for kind, version in versions.items()
            )
            for seat, plan in enumerate(plans):
                _seat_team(match, seat, plan)
            transaction.on_commit(partial(publish, match.pk))
    except IntegrityError:
        # Somebody made a match with this number at the same moment (QUALITY CC-04).
        return Match.objects.get(lesson=lesson, number=match.number)
    return match


def start_match(*, match_id: UUID, actor: Actor) -> Position:
    """The first record: the set-up. Starting twice is starting once.

    Raises:
        WrongSetUp: the content does not pass the game's rules after all.
    """

    def make(position: Position) -> Accepted | None:
        if position.status != "lobby":
            return None
        return play.started(
            position, at=steady.now(), teacher=_teacher(actor), chances=chances.live
        )

    return _change(match_id, actor, make)


# -- while it runs -------------------------------------------------------------------------------


def submit_now(*, match_id: UUID, actor: Actor, submission: Submission) -> Accepted:
    """Judge and write one answer at once: a batch of one, for pages, commands and tests.

    Raises:
        MoveRefused: the platform or the rules refuse it.
        Busy: others were faster, again and again.
    """
    to: MatchRight = "play" if isinstance(actor, StudentActor) else "run"
    for _attempt in range(TRIES):
        try:
            with transaction.atomic():
                match = access_match(actor, match_id, to=to)
                position = log.load(match.pk)
                seen = {} if submission.student is None else {submission.student: submission.at}
                answer = play.submit(position, submission, seen=seen, chances=chances.live)
                if isinstance(answer, Refused):
                    raise MoveRefused(answer)
                if answer.record is not None or answer.votes:
                    log.write([Change(before=position, happened=(answer,))])
                    transaction.on_commit(partial(publish, match.pk))
        except LostCompare:
            continue
        except RulesBroken as error:
            freeze_match(match_id=match_id, error=str(error))
            raise MoveRefused(Refused.of(Refusal.FROZEN)) from error
        if answer.position.status == "ended" and answer.record is not None:
            facts.project(match_id)
        return answer
    raise Busy


def decide_for(
    *, match_id: UUID, actor: Actor, seat: int, decision: int, move: Any = None
) -> Accepted:
    """The teacher answers for a team; without a ``move`` the rules' default is played.

    Raises:
        MoveRefused: the decision is no longer open, or the rules refuse the move.
    """
    access_match(actor, match_id, to="run")
    submission = Submission(
        decision=decision,
        at=steady.now(),
        kind="teacher",
        move=move,
        seat=seat,
        teacher=_teacher(actor),
        bot_delay_s=chances.bot_delay_s(),
    )
    return submit_now(match_id=match_id, actor=actor, submission=submission)


def skip_question(*, match_id: UUID, actor: Actor, seat: int, decision: int) -> Accepted:
    """The teacher takes the open question away; nobody is asked about it any more (COR-QA-11).

    A match that stands still to have it explained goes on.

    Raises:
        NotNow: no question is open.
        MoveRefused: the decision is no longer open.
    """
    access_match(actor, match_id, to="run")
    position = log.load(match_id)
    move = None if position.state is None else position.rules.skip_question(position.state)
    if move is None:
        raise NotNow
    if position.status == "paused" and position.timing.why == "explain":
        resume_match(match_id=match_id, actor=actor)
    return decide_for(
        match_id=match_id,
        actor=actor,
        seat=seat,
        decision=decision,
        move=msgspec.to_builtins(move),
    )


def pause_match(*, match_id: UUID, actor: Actor) -> Position:
    """Time stands still and nothing is accepted. Pausing twice is pausing once."""

    def make(position: Position) -> Accepted | None:
        if position.status == "paused":
            return None
        _needs(position, "playing")
        return play.paused(position, at=steady.now(), why="teacher", teacher=_teacher(actor))

    position = _change(match_id, actor, make)
    facts.project(match_id)
    return position


def finish_round(*, match_id: UUID, actor: Actor) -> Position:
    """Play the round to its end, so that all teams have had the same turns; then stand still.

    A match between two rounds, and one of a game without rounds, stands still at once.
    There is no standing that wins: the match is kept, or the teacher ends it without a
    winner (COR-WIN-15).

    Raises:
        NotNow: in the lobby, or it was stopped by an error.
    """

    def make(position: Position) -> Accepted | None:
        if position.status in {"paused", "ended"} or position.timing.last_round is not None:
            return None
        _needs(position, "playing")
        at, teacher = steady.now(), _teacher(actor)
        beginner, begins_now = _rounds(position)
        if beginner is None or begins_now:
            return play.paused(position, at=at, why="round", teacher=teacher)
        return play.finishing(position, round_of=beginner, at=at, teacher=teacher)

    position = _change(match_id, actor, make)
    if position.status == "paused":
        facts.project(match_id)
    return position


def resume_match(*, match_id: UUID, actor: Actor) -> Position:
    """Go on after a pause, an error, or an end that the teacher ordered too early.

    Raises:
        NotNow: in the lobby, or the game itself is over.
    """

    def make(position: Position) -> Accepted | None:
        if position.status == "playing":
            return None
        _needs(position, "paused", "frozen", "ended")
        if not position.rules.decisions(position.state):
            raise NotNow
        return play.resumed(position, at=steady.now(), teacher=_teacher(actor))

    return _change(match_id, actor, make)


def end_match(*, match_id: UUID, actor: Actor) -> Position:
    """End a match early; results so far are kept. Ending twice is ending once."""

    def make(position: Position) -> Accepted | None:
        if position.status == "ended":
            return None
        _needs(position, "playing", "paused", "frozen")
        return play.stopped(
            position, kind="end", status="ended", at=steady.now(), teacher=_teacher(actor)
        )

    position = _change(match_id, actor, make)
    facts.project(match_id)
    return position


def rewind_match(*, match_id: UUID, actor: Actor, to: int) -> Position:
    """Take the match back to an earlier version; nothing is deleted (DESIGN section 5).

    Raises:
        NotNow: in the lobby, or no such version.
    """

    def make(position: Position) -> Accepted | None:
        _needs(position, "playing", "paused", "frozen", "ended")
        if not 1 <= to < position.version:
            raise NotNow
        states = log.replayed(Match.objects.get(pk=match_id))
        return play.rewound(
            position,
            to=to,
            state=states[to - 1],
            at=steady.now(),
            teacher=_teacher(actor),
            chances=chances.live,
        )

    position = _change(match_id, actor, make)
    facts.project(match_id)
    return position


def freeze_match(*, match_id: UUID | str, error: str) -> Position:
    """Stop a match whose rules failed, at its last good version (QUALITY CF-16)."""

    def make(position: Position) -> Accepted | None:
        if position.status == "frozen":
            return None
        return play.stopped(
            position, kind="freeze", status="frozen", at=steady.now(), data={"error": error}
        )

    return _append(match_id, make)


def give_more_time(*, match_id: UUID, actor: Actor, seat: int, decision: int) -> Position:
    """Another minute for a team that is split or short of time."""

    def more(opened: Opened, now_s: float) -> Opened:
        return replace(opened, more_time_s=now_s)

    return _change_decision(match_id, actor, kind="time", seat=seat, decision=decision, change=more)


def let_decide(
    *, match_id: UUID, actor: Actor, seat: int, decision: int, student_id: UUID | str
) -> Position:
    """One student of a split team decides this time.

    Raises:
        NotNow: the decision is no longer open, or the student is not in the team.
    """
    student = str(student_id)

    def named(opened: Opened, now_s: float) -> Opened:
        return replace(opened, decider=student)

    return _change_decision(
        match_id,
        actor,
        kind="decider",
        seat=seat,
        decision=decision,
        change=named,
        data={"student": student},
    )


def step_in(*, match_id: UUID, actor: Actor, seat: int, played_by: str, bot: str = "") -> Position:
    """Let students, the computer or the teacher play a seat from now on.

    Raises:
        NotNow: no such seat, player or bot.
    """

    def make(position: Position) -> Accepted | None:
        if seat not in range(len(position.teams)) or played_by not in Team.PlayedBy.values:
            raise NotNow
        if bot and bot not in position.bots:
            raise NotNow
        team = replace(position.teams[seat], played_by=played_by, bot=bot)
        if team == position.teams[seat]:
            return None
        now_s = position.play_s(steady.now())
        delay_s = chances.bot_delay_s()
        timing = replace(
            position.timing,
            opened=tuple(
                replace(o, bot_s=now_s + delay_s) if o.decision.seat == seat else o
                for o in position.timing.opened
            ),
        )
        return play.changed(
            position,
            kind="seat",
            at=steady.now(),
            seat=seat,
            teacher=_teacher(actor),
            data={"played_by": played_by, "bot": bot},
            teams=_with_team(position, team),
            timing=timing,
        )

    def rows(match: Match, position: Position) -> None:
        Team.objects.filter(match=match, seat=seat).update(played_by=played_by, bot=bot)

    return _change(match_id, actor, make, rows)


# -- who is in which team ------------------------------------------------------------------------


def join_match(
    *,
    match_id: UUID,
    actor: Actor,
    student_id: UUID | str,
    seat: int | None = None,
    shared: bool = False,
) -> Position:
    """Put a student into a team, or move one to another; the teacher's act.

    Without a ``seat`` the student goes to the smaller team, or stays.

    Raises:
        TeamsFull: no place left.
        NotThere: the student is not in this class.
    """
    match = access_match(actor, match_id, to="run")
    student = access_student(actor, UUID(str(student_id)), to="run")
    if student.classroom_id != match.lesson.classroom_id:
        raise WrongSetUp
    return _join(match_id, student, seat, shared=shared, teacher=_teacher(actor))


def join_lesson(*, lesson_id: UUID, actor: StudentActor) -> Match | None:
    """The match of a student who comes to the lesson, placed in the smallest team if in none.

    None while no match of the lesson takes anybody.
    """
    lesson = access_lesson(actor, lesson_id, to="play")
    student = actor.student
    matches = Match.objects.filter(lesson=lesson, status__in=UNFINISHED)
    mine = matches.filter(
        teams__members__student=student, teams__members__left_version=None
    ).order_by("-number")
    if (match := mine.first()) is not None:
        return match
    open_to_all = [
        (min(sizes), match.number, match)
        for match in matches.exclude(status=Match.Status.FROZEN)
        if (sizes := _people_sizes(match))
    ]
    for _size, _number, match in sorted(open_to_all, key=lambda place: place[:2]):
        try:
            _join(match.pk, student, None, shared=False, teacher=None)
        except TeamsFull:
            continue
        return match
    return None


def take_out(*, student_id: UUID, lesson_id: UUID | None, actor: Actor) -> None:
    """Out of all teams that still play, in one lesson or in all; the caller checked access."""
    places = Member.objects.filter(
        student=student_id, left_version=None, team__match__status__in=UNFINISHED
    )
    if lesson_id is not None:
        places = places.filter(team__match__lesson=lesson_id)
    for match_id in places.values_list("team__match", flat=True).order_by("team__match__number"):
        _leave(match_id, str(student_id), teacher=_teacher(actor))


def put_back(*, student: Student, lesson_id: UUID, actor: Actor) -> None:
    """Into the seats that the student left in what still plays; the caller checked access."""
    for match in Match.objects.filter(lesson_id=lesson_id, status__in=UNFINISHED):
        last = (
            Member.objects.filter(team__match=match, student=student)
            .exclude(left_version=None)
            .select_related("team")
            .order_by("-pk")
            .first()
        )
        if last is not None:
            _join(match.pk, student, last.team.seat, shared=last.shared, teacher=_teacher(actor))


# -- inside ----------------------------------------------------------------------------------------


def _change(
    match_id: UUID,
    actor: Actor,
    make: Callable[[Position], Accepted | None],
    rows: Callable[[Match, Position], None] | None = None,
) -> Position:
    """Append what ``make`` says to a match that the teacher runs."""
    access_match(actor, match_id, to="run")
    return _append(match_id, make, rows)


def _append(
    match_id: UUID | str,
    make: Callable[[Position], Accepted | None],
    rows: Callable[[Match, Position], None] | None = None,
) -> Position:
    """Append what ``make`` says, with ``rows`` in the same transaction; the caller checked access.

    ``make`` returns None where there is nothing to do, and is asked again after a lost compare.

    Raises:
        Busy: others were faster, again and again.
    """
    for _attempt in range(TRIES):
        try:
            with transaction.atomic():
                # The match row first, always: one lock order (QUALITY CC-11).
                match = Match.objects.select_for_update().get(pk=match_id)
                position = log.load(match_id)
                accepted = make(position)
                if accepted is None:
                    return position
                if accepted.record is not None:
                    log.write([Change(before=position, happened=(accepted,))])
                if rows is not None:
                    rows(match, accepted.position)
                transaction.on_commit(partial(publish, match_id))
        except LostCompare:
            continue
        return accepted.position
    raise Busy


def _change_decision(
    match_id: UUID,
    actor: Actor,
    *,
    kind: str,
    seat: int,
    decision: int,
    change: Callable[[Opened, float], Opened],
    data: Mapping[str, Any] = {},
) -> Position:
    def make(position: Position) -> Accepted | None:
        opened = position.opened(seat)
        if opened is None or opened.version != decision or position.status != "playing":
            raise NotNow
        if "student" in data and position.seat_of(str(data["student"])) != seat:
            raise NotNow
        at = steady.now()
        changed = change(opened, position.play_s(at))
        timing = replace(
            position.timing,
            opened=tuple(changed if o is opened else o for o in position.timing.opened),
        )
        return play.changed(
            position,
            kind=kind,
            at=at,
            seat=seat,
            teacher=_teacher(actor),
            data={"decision": decision, **data},
            timing=timing,
        )

    return _change(match_id, actor, make)


def _join(
    match_id: UUID,
    student: Student,
    seat: int | None,
    *,
    shared: bool,
    teacher: str | None,
) -> Position:
    student_id = str(student.pk)
    to_seat: list[int] = []

    def make(position: Position) -> Accepted | None:
        _needs(position, "lobby", "playing", "paused")
        now = position.seat_of(student_id)
        to = _place(position, seat) if seat is not None or now is None else now
        to_seat[:] = [to]
        if to == now:
            return None
        member = MemberState(student=student_id, name=student.name, shared=shared)
        teams = [_without(team, student_id) for team in position.teams]
        teams[to] = replace(teams[to], members=(*teams[to].members, member))
        if position.status == "lobby":
            return Accepted(position=replace(position, teams=tuple(teams)), version=0)
        return play.changed(
            position,
            kind="join",
            at=steady.now(),
            seat=to,
            student=student_id,
            teacher=teacher,
            data={"student": student_id, "from": now, "shared": shared},
            teams=teams,
        )

    def rows(match: Match, position: Position) -> None:
        _take_out(match, student_id, position.version)
        Member.objects.create(
            team=Team.objects.get(match=match, seat=to_seat[0]),
            student=student,
            shared=shared,
            joined_version=position.version,
        )

    return _append(match_id, make, rows)


def _leave(match_id: UUID, student_id: str, *, teacher: str | None) -> Position:
    def make(position: Position) -> Accepted | None:
        seat = position.seat_of(student_id)
        if seat is None:
            return None
        teams = [_without(team, student_id) for team in position.teams]
        if position.status == "lobby":
            return Accepted(position=replace(position, teams=tuple(teams)), version=0)
        return play.changed(
            position,
            kind="leave",
            at=steady.now(),
            seat=seat,
            student=student_id,
            teacher=teacher,
            data={"student": student_id},
            teams=teams,
        )

    def rows(match: Match, position: Position) -> None:
        _take_out(match, student_id, position.version)

    return _append(match_id, make, rows)


def _take_out(match: Match, student_id: str, version: int) -> None:
    here = Member.objects.filter(team__match=match, student_id=student_id, left_version=None)
    if match.status == Match.Status.LOBBY:
        here.delete()
    else:
        here.update(left_version=version)


def _place(position: Position, seat: int | None) -> int:
    """The seat that takes one more: the wished one, else the smallest team of people."""
    if seat is not None:
        if seat not in range(len(position.teams)):
            raise NotNow
        places = [position.teams[seat]]
    else:
        places = [team for team in position.teams if team.played_by == "people"]
    free = [team for team in places if len(team.members) < LARGEST_TEAM]
    if not free:
        raise TeamsFull
    return min(free, key=lambda team: len(team.members)).seat


def _people_sizes(match: Match) -> list[int]:
    return [
        team.members.filter(left_version=None).count()
        for team in match.teams.filter(played_by=Team.PlayedBy.PEOPLE)
    ]


def _rounds(position: Position) -> tuple[int | None, bool]:
    """The seat whose turn begins a round (None: no rounds), and whether one begins just now."""
    happened = log.happened_since(position, 0)
    turns = [
        [seat for event in record.events if (seat := position.rules.turn_begins(event)) is not None]
        for record in happened
    ]
    first = next((seat for begun in turns for seat in begun), None)
    return first, bool(turns) and first in turns[-1][-1:]


def _without(team: TeamState, student: str) -> TeamState:
    return replace(team, members=tuple(m for m in team.members if m.student != student))


def _with_team(position: Position, team: TeamState) -> list[TeamState]:
    return [team if old.seat == team.seat else old for old in position.teams]


def _needs(position: Position, *statuses: str) -> None:
    if position.status not in statuses:
        raise NotNow


def _teacher(actor: Actor) -> str | None:
    return str(actor.teacher.pk) if isinstance(actor, TeacherActor) else None


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
    """A team's name as it may be shown: one short line of printable signs (QUALITY WS-20)."""
    shown = clean(name)
    if len(shown) > LONGEST_TEAM_NAME:
        raise WrongSetUp(_("The name of a team can have 60 signs at most."))
    return shown


def _seat_team(match: Match, seat: int, plan: TeamPlan) -> None:
    team = Team.objects.create(
        match=match, seat=seat, name=plan.name, played_by=plan.played_by, bot=plan.bot
    )
    Member.objects.bulk_create(
        Member(team=team, student_id=student, shared=student == plan.shared)
        for student in plan.students
    )
