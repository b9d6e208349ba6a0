"""A look at the teams of a match: who is there, how votes stand, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.deciding import PRESENT_S, Attention, Tally, decides_alone, split_line
from games.engine.moves import Listed
from games.live.rooms import Room
from games.live.showing import tell
from games.position import Opened, Position
from games.selectors.wording import wording
from games.services import frames, play


class Look(NamedTuple):
    """What came of a look, beside what the match's sockets were told."""

    due_in_s: float | None  # when to look again; None: only after news
    settled: tuple[int, ...]  # seats whose vote is for the writer to settle
    news: bool  # for desk and projector


def look(room: Room, position: Position, at: float) -> Look:
    """Tell who is there and how votes stand, where that has changed."""
    counted = room.counted()
    tallies = _tallies(room, position, counted, at)
    here = _here(room, position, at)
    attention = [
        {"seat": opened.decision.seat, "decision": opened.version, "text": split_line(result)}
        for opened, result in tallies
        if result.attention is Attention.DESK and result.split
    ]
    news = here != room.here or attention != room.attention
    room.attention = attention
    if here != room.here:
        room.here = here
        tell(room, frames.presence(position, here))
    dues = [seen + PRESENT_S - at for seen in counted.values() if at - seen < PRESENT_S]
    settled = []
    for opened, result in tallies:
        if _is_settled(position, opened, result):
            settled.append(opened.decision.seat)
        _tell_votes(room, position, opened, result, counted=counted, at=at)
        if result.due_in_s is not None:
            dues.append(result.due_in_s)
    return Look(min(dues, default=None), tuple(settled), news)


def _here(room: Room, position: Position, at: float) -> dict[str, bool]:
    return {
        member.student: at - room.seen.get(member.student, 0) < PRESENT_S
        for team in position.teams
        for member in team.members
    }


def _tallies(
    room: Room, position: Position, counted: play.Seen, at: float
) -> list[tuple[Opened, Tally[Any]]]:
    """How votes about what is open stand."""
    if position.status != "playing":
        return []
    return [
        (opened, play.standing_vote(position, opened, seen=counted, at=at))
        for opened in position.timing.opened
        if position.teams[opened.decision.seat].played_by == "people"
        and not _is_news_to_nobody(position, opened)
        and _is_voted(room, position, opened)
    ]


def _is_news_to_nobody(position: Position, opened: Opened) -> bool:
    """Whether a decision has just opened for one student alone, whose vote will settle it."""
    seat = opened.decision.seat
    return (
        opened.version == position.version
        and decides_alone(position.teams[seat].members)
        and not position.votes.get(seat)
    )


def _is_settled(position: Position, opened: Opened, result: Tally[Any]) -> bool:
    """Whether the writer has something to write about a vote: its choice, or the end of a stage."""
    if result.choice is not None:
        return True
    # When a silent stage ended is kept; a vote that is open from the start has none.
    kept = position.open_since_s.get(opened.decision.seat)
    return position.ballot(opened).silent and result.open_since_s not in {None, kept}


def _tell_votes(
    room: Room,
    position: Position,
    opened: Opened,
    result: Tally[Any],
    *,
    counted: play.Seen,
    at: float,
) -> None:
    for socket in room.sockets:
        if socket.you.role != "member" or socket.you.seat != opened.decision.seat:
            continue
        shown = frames.votes(
            position,
            opened,
            result,
            you=socket.you,
            seen=counted,
            at=at,
            put=wording(socket.language),
        )
        told = _timeless(shown)
        if room.told.get(socket) != told:
            room.told[socket] = told
            socket.push(frames.message("votes", **shown))


def _timeless(shown: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in shown.items() if key != "due_in_ms"}


def _is_voted(room: Room, position: Position, opened: Opened) -> bool:
    """Whether the open decision is the team's, not an act that any member may carry out."""
    seat = opened.decision.seat
    known = room.voted.get(seat)
    if known is not None and known[0] == opened.version:
        return known[1]
    moves = position.rules.legal_moves(position.state, seat)
    acts = position.game.acts
    voted = not isinstance(moves, Listed) or any(
        move.__struct_config__.tag not in acts for move in moves.moves
    )
    room.voted[seat] = (opened.version, voted)
    return voted
