"""What is done about one open decision: answer it, take it away, give time, say who decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from msgspec.structs import replace

from classroom.access import Actor, StudentActor
from classroom.errors import Busy
from games.position import Opened, Position
from games.selectors import positions
from games.selectors.matches import MatchRight, access_match
from games.services import chances, facts, log, play, steady
from games.services.codes import Refusal
from games.services.log import Change, LostCompare
from games.services.matches.acts import TRIES, change, teacher_of
from games.services.matches.refusals import MoveRefused, NotNow
from games.services.matches.running import freeze_match, resume_match
from games.services.play import Accepted, Refused, RulesBroken, Submission
from games.services.publishing import publish


def submit_now(*, match_id: UUID, actor: Actor, submission: Submission) -> Accepted:
    """Judge and write one answer at once: a batch of one, for pages, commands and tests.

    Raises:
        MoveRefused: the platform or the rules refuse it.
        Busy: others were faster or in the way, again and again.
    """
    to: MatchRight = "play" if isinstance(actor, StudentActor) else "run"
    for _attempt in range(TRIES):
        try:
            with log.attempt():
                match = access_match(actor, match_id, to=to)
                position = positions.load(match.pk)
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
        teacher=teacher_of(actor),
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
    position = positions.load(match_id)
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


def give_more_time(*, match_id: UUID, actor: Actor, seat: int, decision: int) -> Position:
    """Another minute for a team that is split or short of time."""

    def more(opened: Opened, now_s: float) -> Opened:
        return replace(opened, more_time_s=now_s)

    return _change_decision(match_id, actor, kind="time", seat=seat, decision=decision, alter=more)


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
        alter=named,
        data={"student": student},
    )


def _change_decision(
    match_id: UUID,
    actor: Actor,
    *,
    kind: str,
    seat: int,
    decision: int,
    alter: Callable[[Opened, float], Opened],
    data: Mapping[str, Any] = {},
) -> Position:
    def make(position: Position) -> Accepted | None:
        opened = position.opened(seat)
        if opened is None or opened.version != decision or position.status != "playing":
            raise NotNow
        if "student" in data and position.seat_of(str(data["student"])) != seat:
            raise NotNow
        at = steady.now()
        changed = alter(opened, position.play_s(at))
        timing = replace(
            position.timing,
            opened=tuple(changed if o is opened else o for o in position.timing.opened),
        )
        return play.changed(
            position,
            kind=kind,
            at=at,
            seat=seat,
            teacher=teacher_of(actor),
            data={"decision": decision, **data},
            timing=timing,
        )

    return change(match_id, actor, make)
