"""The position of a match as it is stored, and its log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import QuerySet
from msgspec.structs import replace

from games.deciding import DecisionRule, SilentFirst, Stage, Vote as CountedVote
from games.engine.codec import Codec
from games.engine.replay import PLAYED, Record, replay
from games.models import Match, Member, MoveRecord, Team, Vote
from games.position import REMEMBERED, Answered, Happened, MemberState, Position, TeamState, Timing
from games.selectors.rulesets import Rules, rules_of

_timing = msgspec.json.Decoder(Timing)
_draws = msgspec.json.Decoder(tuple[int, ...])


def load(match_id: UUID | str) -> Position:
    """The position of a match as it is stored.

    Raises:
        Match.DoesNotExist: no such match.
    """
    match = Match.objects.select_related("lesson").get(pk=match_id)
    position = shown(match)
    return replace(
        position,
        answered=_answered(match),
        votes=_votes(match, position.codec, position.timing),
    )


def shown(match: Match) -> Position:
    """The position in the row of a match as pages show it: without votes and past requests.

    To judge a move by it would be wrong; that needs ``load``.
    """
    rules = rules_of(match)
    state = rules.codec.state(match.state) if match.state else None
    ended = match.status == Match.Status.ENDED and state is not None
    return replace(
        unplayed(match, rules),
        bots=rules.bots,
        decision_limit_s=match.decision_limit_s,
        status=match.status,
        version=match.version,
        state=state,
        timing=_timing.decode(match.timing) if match.timing else Timing(),
        teams=_teams(match),
        outcome=rules.ruleset.outcome(state) if ended else None,
    )


def unplayed(match: Match, rules: Rules) -> Position:
    """What the row of a match says before anything is played; without teams, bots and limits."""
    return Position(
        match=str(match.pk),
        lesson=str(match.lesson_id),
        classroom=str(match.lesson.classroom_id),
        number=match.number,
        game=rules.game,
        rules=rules.ruleset,
        codec=rules.codec,
        bots={},
        language=match.language,
        decision_rule=DecisionRule(match.decision_rule),
        silent_first=SilentFirst(match.silent_first),
        decision_limit_s=None,
        status=Match.Status.LOBBY.value,
        version=0,
        state=None,
        timing=Timing(),
        teams=(),
        answered={},
    )


def answer_to(match_id: UUID | str, request_id: str) -> Answered | None:
    """What became of a request, however long ago; None if it was not carried out."""
    row = _requests(match_id).filter(request_id=request_id).first()
    return None if row is None else _answer(*row[1:])


def steps(match: Match, rules: Rules) -> Iterator[Record]:
    """The log of a match as ``engine.replay`` reads it."""
    for record in match.records.order_by("version"):
        data = msgspec.json.decode(record.data) if record.data else {}
        played = record.kind in PLAYED
        yield Record(
            version=record.version,
            kind=record.kind,
            seats=data.get("seats") if record.kind == "setup" else None,
            seat=record.seat,
            move=rules.codec.move(record.data) if played else None,
            to=data.get("to") if record.kind == "rewind" else None,
            draws=_draws.decode(record.draws),
        )


def replayed(match: Match) -> list[Any]:
    """The state after each record, from the log alone; place 0 is version 1."""
    rules = rules_of(match)
    return [step.state for step in replay(rules.ruleset, steps(match, rules))]


def happened_since(position: Position, version: int) -> list[Happened]:
    """What happened in each record after ``version``, oldest first."""
    rows = (
        MoveRecord.objects.filter(match_id=position.match, version__gt=version)
        .exclude(events="[]")
        .order_by("version")
        .values_list("version", "seat", "events", "kind")
    )
    return [
        Happened(at, seat, position.codec.events(events), kind) for at, seat, events, kind in rows
    ]


def _teams(match: Match) -> tuple[TeamState, ...]:
    members: dict[int, list[MemberState]] = {}
    rows = (
        Member.objects.filter(team__match=match, left_version=None, student__removed_at=None)
        .order_by("pk")
        .values_list("team_id", "student_id", "student__name", "shared")
    )
    for team_id, student_id, name, shared in rows:
        member = MemberState(student=str(student_id), name=name, shared=shared)
        members.setdefault(team_id, []).append(member)
    return tuple(
        TeamState(
            seat=team.seat,
            name=team.name,
            played_by=team.played_by,
            bot=team.bot,
            members=tuple(members.get(team.pk, ())),
        )
        for team in Team.objects.filter(match=match).order_by("seat")
    )


def _answered(match: Match) -> dict[str, Answered]:
    """The last requests that were carried out, oldest first."""
    rows = _requests(match.pk).exclude(request_id=None).order_by("-version")[:REMEMBERED]
    return {request_id: _answer(*row) for request_id, *row in reversed(rows)}


def _requests(match_id: UUID | str) -> QuerySet[MoveRecord, tuple[Any, ...]]:
    return MoveRecord.objects.filter(match_id=match_id).values_list(
        "request_id", "version", "student_id", "decision", "data"
    )


def _answer(version: int, student_id: UUID | None, decision: int | None, data: str) -> Answered:
    return Answered(version, str(student_id) if student_id else None, decision, data)


def _votes(match: Match, codec: Codec, timing: Timing) -> dict[int, tuple[CountedVote[Any], ...]]:
    if not timing.opened:
        return {}
    votes: dict[int, list[CountedVote[Any]]] = {}
    opened = {(o.version, o.decision.seat) for o in timing.opened}
    decisions = {version for version, _seat in opened}
    for row in Vote.objects.filter(match=match, decision__in=decisions).order_by("at_s", "pk"):
        if (row.decision, row.seat) in opened:
            vote = CountedVote(
                voter=str(row.student_id),
                stage=Stage(row.stage),
                move=codec.move(row.move),
                at_s=row.at_s,
                confirmed=row.confirmed,
            )
            votes.setdefault(row.seat, []).append(vote)
    return {seat: tuple(cast) for seat, cast in votes.items()}
