"""What all acts on a match share: one more record, tried again when others were faster.

The callers check access first. ``make`` says what happens to a position, ``rows`` writes what
pages read besides the log, in the same transaction; the sockets are told after the commit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.db import transaction

from classroom.access import Actor, TeacherActor
from classroom.errors import Busy
from games.models import Match
from games.position import Position
from games.selectors import positions
from games.selectors.matches import access_match
from games.services import log
from games.services.log import Change, LostCompare
from games.services.matches.refusals import NotNow
from games.services.play import Accepted
from games.services.publishing import publish

TRIES = 3  # where others were faster or in the way, then busy


def change(
    match_id: UUID,
    actor: Actor,
    make: Callable[[Position], Accepted | None],
    rows: Callable[[Match, Position], None] | None = None,
) -> Position:
    """Append what ``make`` says to a match that the teacher runs; see ``append``.

    Raises:
        NotThere: no match of the actor's classes.
        Busy: others were faster or in the way, again and again.
    """
    access_match(actor, match_id, to="run")
    return append(match_id, make, rows)


def append(
    match_id: UUID | str,
    make: Callable[[Position], Accepted | None],
    rows: Callable[[Match, Position], None] | None = None,
) -> Position:
    """Append what ``make`` says, with ``rows`` in the same transaction; the caller checked access.

    ``make`` returns None where there is nothing to do, and is asked again after a lost compare.

    Raises:
        Busy: others were faster or in the way, again and again.
    """
    for _attempt in range(TRIES):
        try:
            with log.attempt():
                # The match row first, always: one lock order (case CC-11).
                match = Match.objects.select_for_update().get(pk=match_id)
                position = positions.load(match_id)
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


def needs(position: Position, *statuses: str) -> None:
    """See that the match is in one of these states.

    Raises:
        NotNow: it is in another.
    """
    if position.status not in statuses:
        raise NotNow


def teacher_of(actor: Actor) -> str | None:
    """The id of the teacher who acts, for the record; None: somebody else does."""
    return str(actor.teacher.pk) if isinstance(actor, TeacherActor) else None
