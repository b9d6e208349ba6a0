"""What a match tells about students, as rows (docs/architecture.md).

A projection of log and votes: replaced as a whole, never written on the move path.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import F
from msgspec.structs import replace

from classroom.models import Fact
from classroom.transactions import whole
from games.engine.facts import LoggedStep, LoggedVote, Play
from games.engine.replay import PLAYED
from games.models import Match, Member, MoveRecord
from games.selectors.results import source
from games.selectors.rulesets import Rules, rules_of
from games.services.rewinds import kept_versions, went_on_from

# Memberships are rows of their own; of a rewind, what it left in force is what it tells.
TOLD_OTHERWISE = (MoveRecord.Kind.JOIN, MoveRecord.Kind.LEAVE, MoveRecord.Kind.REWIND)
ROWS = 200  # in one piece, so that the write lock is held shortly


def project(match_id: UUID | str) -> int:
    """Replace the facts of a match by what its log tells now; their number."""
    match = Match.objects.select_related("lesson").get(pk=match_id)
    rules = rules_of(match)
    found = rules.ruleset.facts(play_of(match, rules))
    rows = [
        Fact(
            lesson=match.lesson,
            student_id=fact.student,
            source=source(match.pk),
            activity=match.game,
            kind=fact.kind.value,
            what=fact.what,
            about=fact.about,
            topic=fact.topic,
            value=str(fact.value),
            version=fact.version,
        )
        for fact in found
    ]
    _replace(match, rows)
    return len(rows)


def untold() -> list[str]:
    """Ended matches of which not all has been told, the newest first."""
    behind = Match.objects.filter(status=Match.Status.ENDED).exclude(told_version=F("version"))
    return [str(pk) for pk in behind.order_by("-ended_at").values_list("pk", flat=True)]


@whole
def _replace(match: Match, rows: Sequence[Fact]) -> None:
    Fact.objects.filter(source=source(match.pk)).delete()
    Fact.objects.bulk_create(rows, batch_size=ROWS)
    Match.objects.filter(pk=match.pk).update(told_version=match.version)


def play_of(match: Match, rules: Rules) -> Play:
    """Log and votes of a match without what was taken back.

    Who was in which team comes from the memberships, also for those who were
    there from the first; a rewind takes nobody out of a team.
    """
    records = list(match.records.order_by("version"))
    held = kept_versions(went_on_from(records))
    logged = [
        LoggedStep(
            version=record.version,
            kind=record.kind,
            seat=record.seat,
            decision=record.decision,
            student=str(record.student_id) if record.student_id else None,
            move=rules.codec.move(record.data) if record.kind in PLAYED else None,
            events=rules.codec.events(record.events),
        )
        for record in records
        if record.version in held and record.kind not in TOLD_OTHERWISE
    ]
    steps = sorted([*_memberships(match), *logged], key=lambda step: step.version)
    kept = {step.decision for step in steps}
    votes = tuple(
        LoggedVote(
            decision=vote.decision,
            student=str(vote.student_id),
            seat=vote.seat,
            stage=vote.stage,
            move=rules.codec.move(vote.move),
        )
        for vote in match.votes.order_by("at_s", "pk")
        if vote.decision in kept
    )
    return Play(steps=tuple(steps), votes=votes)


def _memberships(match: Match) -> list[LoggedStep]:
    """Joining and leaving of every member; who changes the team leaves before joining."""
    left, joined = [], []
    for member in Member.objects.filter(team__match=match).select_related("team").order_by("pk"):
        seat, student = member.team.seat, str(member.student_id)
        came = LoggedStep(version=member.joined_version, kind="join", seat=seat, student=student)
        joined.append(came)
        if member.left_version is not None:
            left.append(replace(came, version=member.left_version, kind="leave"))
    return [*left, *joined]
