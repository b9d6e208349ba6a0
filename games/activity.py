"""The games of the catalogue as activities of lessons (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _, ngettext

from classroom.activities import Activity, Card, Section, register
from classroom.models import Lesson, Student
from games.catalog import GAMES
from games.engine.game import Game
from games.models import Match, Member
from games.selectors.lineups import drafted, started
from games.selectors.wording import words

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

    def panels(self, lesson: Lesson) -> Sequence[Section]:
        """Trying the game alone, as long as nothing has started."""
        if started(lesson).exists():
            return ()
        tests = Student.objects.filter(guest_of=lesson, test=True, removed_at=None)
        context = {"tests": tests.order_by("name")}
        return [Section(_("Try it alone"), "games/_try_alone.html", context)]

    def next_act(self, lesson: Lesson) -> Section | None:
        """Starting, once students can come in and nothing has started."""
        if lesson.state != Lesson.State.OPEN or started(lesson).exists():
            return None
        context = {"drafted": drafted(lesson).count()}
        return Section(_("Start"), "games/_start.html", context)

    def cards(self, lesson: Lesson) -> Sequence[Card]:
        """One card with what the matches of the lesson come to."""
        matches = list(started(lesson))
        if not matches:
            return [Card(_("Set up teams"), _("Board, teams and rules."), self.launch(lesson))]
        over = sum(match.status == Match.Status.ENDED for match in matches)
        text = ngettext("%(count)s match", "%(count)s matches", len(matches))
        return [
            Card(
                _("Desk"),
                text % {"count": len(matches)},
                self.launch(lesson),
                _("ended") if over == len(matches) else _("in play"),
            )
        ]


for _game in GAMES.values():
    register(GameActivity(_game))
