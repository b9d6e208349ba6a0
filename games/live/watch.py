"""What other processes and pages have changed, asked once a second.

The channel layer may lose anything, and rights change in places that know no
sockets; a few queries a second cure both.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Count, Q

from classroom.models import Attendance, Device
from games.deciding import PRESENT_S
from games.live import lessons, rounds
from games.live.hub import Hub
from games.live.visitors import still_welcome
from games.live.writer import Reload
from games.models import Match, Vote
from games.position import Position
from games.services import steady
from games.services.codes import CloseCode


class SeenVote(NamedTuple):
    """What tells one vote from another; whoever votes anew does so at another time."""

    decision: int
    seat: int
    voter: str
    stage: str
    at_s: float


async def watch(hub: Hub) -> None:
    """Look for ever."""
    await rounds.for_ever(lambda: look(hub), name="The poll of versions and rights")


async def look(hub: Hub) -> None:
    """One look at versions, new matches, votes and rights."""
    if hub.rooms or hub.lessons:
        asked = {match: hub.newest(room) for match, room in hub.rooms.items()}
        rows = await hub.reader.ask(stored, tuple(asked), tuple(hub.lessons))
        for match, before in asked.items():
            room = hub.rooms.get(match)
            newest = None if room is None else hub.newest(room)
            if newest is None:
                continue
            if match not in rows:
                hub.gone(match)
            elif _differs(rows[match], newest, before):
                hub.put(match, Reload())
        for match in rows:
            if match not in hub.rooms:
                hub.spawn(hub.new_match(match))
    if settings.REDIS_URL:  # else there is no other process
        await _look_at_votes(hub)
    await _tell_rosters(hub)
    sockets = hub.connections()
    if sockets:
        welcome = await hub.reader.ask(still_welcome, [socket.visitor for socket in sockets])
        for socket, is_welcome in zip(sockets, welcome, strict=True):
            if not is_welcome:
                socket.end(CloseCode.NO_SESSION)


async def _tell_rosters(hub: Hub) -> None:
    """Who is in each lesson that a teacher looks at."""
    watched = [lesson for lesson in hub.lessons.values() if lesson.desks()]
    if not watched:
        return
    joined = await hub.reader.ask(present, [lesson.lesson for lesson in watched])
    for lesson in watched:
        heard, now = lesson.heard(hub.rooms), steady.now()
        students = [
            {**row, "light": _light(now - heard.get(row["id"], 0), row["devices"])}
            for row in joined.get(lesson.lesson, ())
        ]
        lessons.tell_roster(lesson, students)


async def _look_at_votes(hub: Hub) -> None:
    """Votes raise no version; where the hint of one got lost, this is how others see it."""
    asked = {match: room.position for match, room in hub.rooms.items()}
    open_votes = {match: _open_votes(position) for match, position in asked.items() if position}
    if not any(open_votes.values()):
        return
    decisions = {version for opened in open_votes.values() for version, _seat in opened}
    rows = await hub.reader.ask(stored_votes, tuple(open_votes), tuple(decisions))
    for match, opened in open_votes.items():
        room, before = hub.rooms.get(match), asked[match]
        if room is None or before is None or room.position is not before:
            continue  # news came while we asked
        stored = {vote for vote in rows.get(match, ()) if (vote.decision, vote.seat) in opened}
        if stored != _held_votes(before):
            hub.put(match, Reload())


def _open_votes(position: Position) -> set[tuple[int, int]]:
    """Number and seat of each decision that people may be voting about."""
    if position.status != "playing":
        return set()
    return {
        (opened.version, opened.decision.seat)
        for opened in position.timing.opened
        if position.teams[opened.decision.seat].played_by == "people"
    }


def _held_votes(position: Position) -> set[SeenVote]:
    return {
        SeenVote(version, seat, vote.voter, vote.stage.value, vote.at_s)
        for version, seat in _open_votes(position)
        for vote in position.votes.get(seat, ())
    }


def _differs(row: tuple[int, str], position: Position, before: Position | None) -> bool:
    """Whether somebody else wrote; a move of our own while we asked is no news."""
    if row == (position.version, position.status):
        return False
    return row[0] > position.version or position is before


def present(lessons: Collection[str]) -> dict[str, list[dict[str, Any]]]:
    """Who has joined each of these lessons, in the order of the roster."""
    devices = Count("devices", filter=Q(devices__state=Device.State.IN))
    asking = Count("devices", filter=Q(devices__state=Device.State.WAITING))
    rows = (
        Attendance.objects.filter(
            lesson_id__in=lessons, kicked_at=None, left_at=None, student__removed_at=None
        )
        .annotate(held=devices, asking=asking)
        .order_by("student__name", "student_id")
        .values_list("lesson_id", "student_id", "student__name", "held", "asking")
    )
    found: dict[str, list[dict[str, Any]]] = {}
    for lesson, pk, name, in_use, waiting in rows:
        row = {"id": str(pk), "name": name, "devices": in_use, "asks": waiting > 0}
        found.setdefault(str(lesson), []).append(row)
    return found


def _light(silent_s: float, devices: int) -> str:
    if silent_s < PRESENT_S:
        return "here"
    return "gone" if devices else "ticked"


def stored(matches: Collection[str], lessons: Collection[str]) -> dict[str, tuple[int, str]]:
    """Version and status of these matches and of all matches of these lessons."""
    found = Match.objects.filter(Q(pk__in=matches) | Q(lesson_id__in=lessons)).order_by()
    rows = found.values_list("pk", "version", "status")
    return {str(pk): (version, status) for pk, version, status in rows}


def stored_votes(matches: Collection[str], decisions: Collection[int]) -> dict[str, set[SeenVote]]:
    """Votes of these matches about decisions with these numbers."""
    rows = (
        Vote.objects.filter(match_id__in=matches, decision__in=decisions)
        .order_by()
        .values_list("match_id", "decision", "seat", "student_id", "stage", "at_s")
    )
    found: dict[str, set[SeenVote]] = {}
    for match, decision, seat, student, stage, at_s in rows:
        found.setdefault(str(match), set()).add(SeenVote(decision, seat, str(student), stage, at_s))
    return found
