"""Who counts as there in a room, as the writer reads it from its own thread."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from games.deciding import PRESENT_S
from games.live.rooms import BACK_S, Room
from games.position import MemberState, TeamState
from games.services.frames import You


def _room() -> tuple[Room, dict[str, Any]]:
    """A room whose one team is Ana and Ben, and a socket of each."""
    members = tuple(MemberState(student=name, name=name.title()) for name in ("ana", "ben"))
    teams = (TeamState(seat=0, name="Red", played_by="people", members=members),)
    room = Room("match")
    room.position = SimpleNamespace(teams=teams, seat_of=lambda _student: 0)  # type: ignore[assignment]
    sockets = {
        member.student: SimpleNamespace(you=You(role="member", seat=0, student=member.student))
        for member in members
    }
    return room, sockets


def test_others_of_a_team_are_awaited_for_a_while_after_its_first_came() -> None:
    room, sockets = _room()

    room.see(sockets["ana"], at=1000.0)
    at_first = room.counted()
    room.see(sockets["ana"], at=1000.0 + BACK_S + 1)

    assert at_first == {"ana": 1000.0, "ben": 1000.0 + BACK_S - PRESENT_S}
    assert room.counted() == {"ana": 1000.0 + BACK_S + 1}


def test_what_the_writer_reads_is_never_changed_under_its_eyes() -> None:
    room, sockets = _room()
    before, counted = room.awaited, room.counted()

    room.see(sockets["ana"], at=1000.0)
    awaited = room.awaited
    room.see(sockets["ben"], at=1000.0 + BACK_S + PRESENT_S + 1)

    assert before == {}
    assert counted == {}
    assert awaited == dict.fromkeys(("ana", "ben"), 1000.0 + BACK_S)
