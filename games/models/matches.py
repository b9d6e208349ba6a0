"""Matches and their logs.

Correctness rests on ``unique(match, version)`` with compare-and-set on
``Match.version`` (docs/architecture.md). ``Match.state`` is a cache of what the
records replay to.
"""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.models import Lesson, Student, Teacher
from games.models.decks import DeckVersion


class Match(models.Model):
    """One play of a game inside a lesson."""

    class Status(models.TextChoices):
        LOBBY = "lobby", _("teams are formed")
        PLAYING = "playing", _("playing")
        PAUSED = "paused", _("paused")
        ENDED = "ended", _("ended")
        FROZEN = "frozen", _("stopped by an error")

    class DecisionRule(models.TextChoices):
        MAJORITY = "majority", _("more than half of the team")
        UNANIMOUS = "unanimous", _("everybody in the team")
        SPOKESPERSON = "spokesperson", _("one device speaks for the team")

    class SilentFirst(models.TextChoices):
        QUESTIONS = "questions", _("for questions")
        ALWAYS = "always", _("for every decision")
        NEVER = "never", _("never")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="matches")
    number = models.PositiveSmallIntegerField()  # "Match 2" of the lesson, from 1
    game = models.CharField(max_length=40)
    language = models.CharField(max_length=8, default="en")
    options = models.JSONField(default=dict)
    decision_rule = models.CharField(
        max_length=12, choices=DecisionRule.choices, default=DecisionRule.MAJORITY
    )
    decision_limit_s = models.PositiveSmallIntegerField(null=True, blank=True)
    silent_first = models.CharField(
        max_length=10, choices=SilentFirst.choices, default=SilentFirst.QUESTIONS
    )
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.LOBBY)
    version = models.PositiveIntegerField(default=0)
    told_version = models.PositiveIntegerField(default=0)  # up to which its facts tell
    state = models.TextField(blank=True)  # JSON of the game's state type
    timing = models.TextField(blank=True)  # JSON of games.position.Timing; a cache like state
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)
    outcome = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["lesson", "number"], name="one_match_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.number}"


class MatchContent(models.Model):
    """Which version of a board or deck a match plays with, for good."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="contents")
    kind = models.CharField(max_length=40)
    version = models.ForeignKey(DeckVersion, models.PROTECT, related_name="match_contents")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "kind"], name="one_content_a_kind")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.version}"


class Team(models.Model):
    """A seat of a match and who plays it."""

    class PlayedBy(models.TextChoices):
        PEOPLE = "people", _("students")
        BOT = "bot", _("the computer")
        TEACHER = "teacher", _("the teacher")

    match = models.ForeignKey(Match, models.CASCADE, related_name="teams")
    seat = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    played_by = models.CharField(max_length=8, choices=PlayedBy.choices, default=PlayedBy.PEOPLE)
    bot = models.CharField(max_length=20, blank=True)  # which bot, where one plays

    class Meta:
        ordering = ["seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_team_a_seat")]

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A student in a team, from one version of the match to another."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="members")
    student = models.ForeignKey(Student, models.CASCADE, related_name="memberships")
    shared = models.BooleanField(default=False)  # this student's device speaks for several
    joined_version = models.PositiveIntegerField(default=0)
    left_version = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "student"],
                condition=models.Q(left_version=None),
                name="one_place_in_a_team",
            )
        ]

    def __str__(self) -> str:
        return f"{self.student} ({self.team})"


class MoveRecord(models.Model):
    """One line of a match's log. Never changed, never deleted but with the match."""

    class Kind(models.TextChoices):
        SETUP = "setup", _("set-up")
        MOVE = "move", _("move")
        TIMEOUT = "timeout", _("time ran out")
        BOT = "bot", _("move of the computer")
        TEACHER = "teacher", _("move of the teacher")
        JOIN = "join", _("joined")
        LEAVE = "leave", _("left")
        PAUSE = "pause", _("paused")
        RESUME = "resume", _("resumed")
        REWIND = "rewind", _("taken back")
        END = "end", _("ended")
        SEAT = "seat", _("somebody else plays")
        DECIDER = "decider", _("one student decides")
        TIME = "time", _("more time")
        FINISH = "finish", _("the last round")
        FREEZE = "freeze", _("stopped by an error")

    # Each index is one more page to write for every move (docs/decisions/0017). Constraints begin
    # with the match, so it needs none of its own; nor do students, who play in matches of their
    # class alone: their records are found, and go, with these.
    match = models.ForeignKey(Match, models.CASCADE, related_name="records", db_index=False)
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    seat = models.PositiveSmallIntegerField(null=True)
    student = models.ForeignKey(
        Student, models.DO_NOTHING, null=True, db_index=False, db_constraint=False
    )
    teacher = models.ForeignKey(Teacher, models.SET_NULL, null=True, db_index=False)
    decision = models.PositiveIntegerField(null=True)  # version at which the decision opened
    data = models.TextField(
        blank=True
    )  # JSON: the move; {"to": 12} of a rewind; {"seats": 2} of a setup; names nobody
    draws = models.TextField(default="[]")  # JSON list of whole numbers
    events = models.TextField(
        default="[]"
    )  # JSON of the game's events, untold: never send as it is
    request_id = models.CharField(max_length=40, null=True)  # noqa: DJ001  null is "not asked for"
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["version"]
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="one_record_a_version"),
            models.UniqueConstraint(fields=["match", "request_id"], name="one_record_a_request"),
        ]
        indexes = [
            models.Index(
                fields=["teacher"],
                condition=models.Q(teacher__isnull=False),
                name="records_of_teachers",
            )
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.kind}"


class Vote(models.Model):
    """A student's last vote in one stage of one decision. Votes are no versions."""

    class Stage(models.TextChoices):
        SILENT = "silent", _("alone")
        OPEN = "open", _("with the team")

    match = models.ForeignKey(Match, models.CASCADE, related_name="votes", db_index=False)
    decision = models.PositiveIntegerField()
    student = models.ForeignKey(  # as in MoveRecord
        Student, models.DO_NOTHING, related_name="votes", db_index=False, db_constraint=False
    )
    seat = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=6, choices=Stage.choices)
    move = models.TextField()  # JSON
    confirmed = models.BooleanField(default=False)  # by who speaks for the team
    at_s = models.FloatField()  # on the match's own clock, which stands still in pauses
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "decision", "student", "stage"], name="one_vote_a_stage"
            )
        ]

    def __str__(self) -> str:
        return f"{self.decision} {self.stage}"
