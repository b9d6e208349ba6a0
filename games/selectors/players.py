"""What is kept about one student in matches (case PV-03)."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import QuerySet

from classroom.models import Student
from games.models import Match, Member, MoveRecord, Vote


def matches_of(game: str, student: Student) -> QuerySet[Match]:
    """The matches of a game in which the student ever had a seat: votes and records are there."""
    return Match.objects.filter(
        pk__in=Member.objects.filter(team__match__game=game, student=student).values("team__match")
    )


def everything_of(game: str, student: Student) -> dict[str, Any]:
    """Seats, votes and moves of a student in one game, as plain values; nobody else's."""
    places = Member.objects.filter(team__match__game=game, student=student)
    there = matches_of(game, student)
    votes = Vote.objects.filter(match__in=there, student=student)
    records = MoveRecord.objects.filter(match__in=there, student=student)
    return {
        "seats": [
            {
                "match": str(place.team.match_id),
                "team": place.team.name,
                "seat": place.team.seat,
                "joined_version": place.joined_version,
                "left_version": place.left_version,
            }
            for place in places.select_related("team").order_by("pk")
        ],
        "votes": [
            {
                "match": str(vote.match_id),
                "decision": vote.decision,
                "stage": vote.stage,
                "move": json.loads(vote.move),
                "at": vote.at.isoformat(),
            }
            for vote in votes.order_by("pk")
        ],
        "moves": [
            {
                "match": str(record.match_id),
                "version": record.version,
                "kind": record.kind,
                "data": json.loads(record.data) if record.data else None,
                "at": record.at.isoformat(),
            }
            for record in records.order_by("match_id", "version")
        ],
    }
