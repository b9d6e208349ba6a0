"""The games of the catalogue as activities of lessons (docs/architecture.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from classroom.access import Actor, StudentActor
from classroom.activities import Activity, Card, Section, register
from classroom.models import Lesson, Student
from games.catalog import GAMES
from games.engine.game import Game
from games.models import Match, Member
from games.selectors.lineups import drafted, started, unfinished
from games.selectors.players import everything_of
from games.selectors.playpages import five_pictures
from games.selectors.results import computer_played, results
from games.selectors.rulesets import rules_of
from games.selectors.teams import called
from games.selectors.wording import words
from games.services import matches, merging
from games.services.notices import forget_notices

_lazily = lazy(words, str)


class GameActivity(Activity):
    """One game, as something that a lesson can hold."""

    def __init__(self, game: Game) -> None:
        self.key = game.key
        self.title = _lazily(game.title)
        self.summary = _lazily(game.summary)

    def launch(self, lesson: Lesson) -> str:
        """The desk once something has started, before that the set-up."""
        page = "games:desk" if started(lesson).exists() else "games:setup"
        return reverse(page, args=[lesson.pk])

    def play(self, lesson: Lesson, student: Student) -> str | None:
        """The student's match, once it has started; the latest if there were several."""
        place = (
            Member.objects.filter(team__match__lesson=lesson, student=student, left_version=None)
            .exclude(team__match__status=Match.Status.LOBBY)
            .order_by("-team__match__number")
            .first()
        )
        return None if place is None else reverse("games:play", args=[place.team.match_id])

    def introduction(self) -> Section | None:
        """The five pictures, where the game has drawn them."""
        steps = five_pictures(self.key)
        if not steps:
            return None
        return Section(_("How to play"), "games/_introduction.html", {"steps": steps})

    def under_way(self, lesson: Lesson) -> bool:
        """Whether a match has started."""
        return started(lesson).exists()

    def closed(self, lesson: Lesson, actor: Actor) -> None:
        """Matches that are being played wait where they are; notices are forgotten."""
        forget_notices(lesson)
        for match in started(lesson).filter(status__in=(Match.Status.PLAYING, Match.Status.PAUSED)):
            matches.pause_match(match_id=match.pk, actor=actor)

    def arrived(self, lesson: Lesson, actor: StudentActor) -> None:
        """Who comes after the start goes to the smallest team; full teams leave them waiting."""
        matches.join_lesson(lesson_id=lesson.pk, actor=actor)

    def ticked(self, students: Sequence[Student], *, lesson: Lesson, actor: Actor) -> None:
        """As who comes late with a device: they speak through one of their team."""
        if started(lesson).exists():
            matches.place_late(students=students, lesson=lesson, actor=actor)

    def gone(self, student: Student, *, lesson: Lesson | None, actor: Actor) -> None:
        """Out of the teams, as a line of the log: no position in any process counts them."""
        lesson_id = lesson.pk if lesson else None
        matches.take_out(student_id=student.pk, lesson_id=lesson_id, actor=actor)

    def back(self, student: Student, *, lesson: Lesson, actor: Actor) -> None:
        """Into the seat they had."""
        matches.put_back(student=student, lesson_id=lesson.pk, actor=actor)

    def merge(self, guest: Student, student: Student) -> None:
        """Seats, votes and lines of the log become the student's."""
        merging.merge(self.key, guest, student)

    def export(self, student: Student) -> dict[str, Any]:
        """Own seats, votes and moves; what others did is not in it."""
        return everything_of(self.key, student)

    def panels(self, lesson: Lesson) -> Sequence[Section]:
        """Trying the game alone: before the start, and as long as test students play."""
        tests = Student.objects.filter(guest_of=lesson, test=True, removed_at=None)
        if started(lesson).exists() and not tests.exists():
            return ()
        context = {"tests": tests.order_by("name")}
        return [Section(_("Try it alone"), "games/_try_alone.html", context)]

    def next_act(self, lesson: Lesson) -> Section | None:
        """Starting, once students can come in and nothing is being played; so also a revenge."""
        if lesson.state != Lesson.State.OPEN or unfinished(lesson).exists():
            return None
        context = {"drafted": drafted(lesson).count()}
        return Section(_("Start"), "games/_start.html", context)

    def cards(self, lesson: Lesson) -> Sequence[Card]:
        """What the matches of the lesson come to; those that ended, and the talk about them."""
        under_way = list(started(lesson))
        if not under_way:
            return [Card(_("Set up teams"), _("Board, teams and rules."), self.launch(lesson))]
        over = sum(match.status == Match.Status.ENDED for match in under_way)
        text = ngettext("%(count)s match", "%(count)s matches", len(under_way))
        return [
            Card(
                _("Desk"),
                text % {"count": len(under_way)},
                self.launch(lesson),
                _("ended") if over == len(under_way) else _("in play"),
            ),
            *(
                Card(_named(match), _won(match), reverse("games:story", args=[match.pk]))
                for match in under_way
                if match.status == Match.Status.ENDED
            ),
            *(
                [
                    Card(
                        _("Questions for the talk"),
                        _("They follow from the cards that came up."),
                        reverse("games:debrief", args=[lesson.pk]),
                    )
                ]
                if over
                else []
            ),
        ]

    def report_sections(self, lesson: Lesson) -> Sequence[Section]:
        """Each match that ended: who won, its story; and what the matches told about students."""
        over = [match for match in started(lesson) if match.status == Match.Status.ENDED]
        if not over:
            return ()
        computer = computer_played(over)
        context = {
            "rows": [
                {"match": match, "won": _won(match), "computer": computer.get(match.pk, "")}
                for match in over
            ],
            "tables": results(over, rules_of(over[0]).ruleset),
            "many": len(over) > 1,
        }
        return [Section(self.title, "games/_report.html", context)]


def _named(match: Match) -> str:
    return gettext("Match %(number)s") % {"number": match.number}


def _won(match: Match) -> str:
    """Who won a match that has ended; teams preloaded."""
    seats = (match.outcome or {}).get("winners", ())
    names = [called(team) for team in match.teams.all() if team.seat in seats]
    if not names:
        return gettext("It ended early.")
    return gettext("%(team)s has won.") % {"team": ", ".join(names)}


for _game in GAMES.values():
    register(GameActivity(_game))
