"""The next sensible step of a lesson: one act, and one sentence that says why.

Pure: what is seen of a lesson goes in, one step comes out. What stands still comes
before what is slow, and what is slow before what can wait. The desk shows the step
as its one large button.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from games.engine.text import Text, count, gettext_noop as _, say

SOON_S = 5 * 60  # before the end of the lesson: time to finish the round


class Act(StrEnum):
    """What the large button does."""

    OPEN = "open"  # let the students in
    SHOW_CODE = "show_code"
    MAKE_TEAMS = "make_teams"
    START = "start"
    LOOK = "look"  # at one match
    LET_COMPUTER_PLAY = "let_computer_play"  # for one team
    RESUME = "resume"  # all that stands still
    FINISH_ROUND = "finish_round"
    CLOSE = "close"
    TALK = "talk"  # about what happened
    SHOW_BOARD = "show_board"


class MatchSeen(Struct, frozen=True, kw_only=True):
    """One match as far as the next step depends on it."""

    match: str  # id
    number: int
    status: str  # lobby, playing, paused, ended, frozen
    why: str = ""  # of a pause: teacher, explain, deserted, round
    why_team: str = ""  # its name
    why_seat: int | None = None
    last_round: bool = False  # it stops when the round is over
    split: bool = False  # a team has been split for a minute
    absent: tuple[int, str] | None = None  # a team (seat, name) that is waited for and away
    slow: str = ""  # the team that has been deciding for long


class LessonSeen(Struct, frozen=True, kw_only=True):
    """One lesson as far as the next step depends on it."""

    state: str  # planned, open, closed
    here: int  # students who have joined or are ticked present
    matches: tuple[MatchSeen, ...] = ()  # in order of number
    ends_in_s: float | None = None  # below 0: it is over


class Step(Struct, frozen=True, kw_only=True):
    """What to do next, and why. Sentences are put into the reader's language at the edge."""

    act: Act
    why: Text
    label: Text
    match: str | None = None
    seat: int | None = None


def next_step(seen: LessonSeen) -> Step:
    """The one step that a lesson needs most."""
    if seen.state != "open":
        return Step(act=Act.OPEN, why=say(_("The lesson is not open.")), label=_LET_IN)
    drafts = [match for match in seen.matches if match.status == "lobby"]
    started = [match for match in seen.matches if match.status != "lobby"]
    running = [match for match in started if match.status != "ended"]
    if running:
        return (
            _standing_still(running)
            or _ending(seen, running)
            or _slow(running)
            or _paused(running)
            or Step(
                act=Act.SHOW_BOARD,
                why=say(_("Everybody plays. Nobody needs you just now.")),
                label=say(_("Show the board")),
            )
        )
    if drafts and seen.here:
        ready = count("%(count)s match is ready.", "%(count)s matches are ready.", len(drafts))
        return Step(act=Act.START, why=ready, label=say(_("Start with who is here")))
    if started:
        return _over(seen)
    if not seen.here:
        return Step(
            act=Act.SHOW_CODE,
            why=say(_("Nobody has joined yet. Students need the class code.")),
            label=say(_("Show the code")),
        )
    here = count("%(count)s student is here.", "%(count)s students are here.", seen.here)
    return Step(act=Act.MAKE_TEAMS, why=here, label=say(_("Make teams")))


_LET_IN = say(_("Let the students in"))
_CLOSE = say(_("Close the lesson"))


def _standing_still(running: Sequence[MatchSeen]) -> Step | None:
    """A match that waits for the teacher and for nobody else."""
    for match in running:
        if match.status == "frozen":
            why = say(_("Match %(number)s was stopped by an error."), number=match.number)
            return _look(match, why)
    for match in running:
        if match.status == "paused" and match.why == "explain":
            asks = _("Match %(number)s: %(team)s asks you to explain the question.")
            return _look(match, say(asks, number=match.number, team=match.why_team))
    for match in running:
        if match.status == "paused" and match.why == "deserted":
            away = _("Match %(number)s: %(team)s has not answered for three turns.")
            return _stand_in(
                match, match.why_seat, say(away, number=match.number, team=match.why_team)
            )
    return None


def _ending(seen: LessonSeen, running: Sequence[MatchSeen]) -> Step | None:
    """The last minutes: the round is played to its end, then the lesson is closed."""
    if seen.ends_in_s is None or seen.ends_in_s > SOON_S:
        return None
    playing = [match for match in running if match.status == "playing"]
    if seen.ends_in_s <= 0:
        why = say(_("The lesson is over. Closing it saves all matches for next time."))
        return Step(act=Act.CLOSE, why=why, label=_CLOSE)
    if not playing:
        why = say(_("All matches stand still. Closing the lesson saves them for next time."))
        return Step(act=Act.CLOSE, why=why, label=_CLOSE)
    if all(match.last_round for match in playing):
        return None
    minutes = max(1, round(seen.ends_in_s / 60))
    why = count(
        "The lesson ends in %(count)s minute.", "The lesson ends in %(count)s minutes.", minutes
    )
    return Step(act=Act.FINISH_ROUND, why=why, label=say(_("Finish the round")))


def _slow(running: Sequence[MatchSeen]) -> Step | None:
    """A match that does not get on by itself."""
    for match in running:
        if match.status == "playing" and match.split:
            return _look(match, say(_("Match %(number)s: a team is split."), number=match.number))
    for match in running:
        if match.status == "playing" and match.absent is not None:
            seat, team = match.absent
            why = say(
                _("Match %(number)s: nobody of %(team)s is there."), number=match.number, team=team
            )
            return _stand_in(match, seat, why)
    for match in running:
        if match.status == "playing" and match.slow:
            thinks = _("Match %(number)s: %(team)s has been thinking for a while.")
            return _look(match, say(thinks, number=match.number, team=match.slow))
    return None


def _paused(running: Sequence[MatchSeen]) -> Step | None:
    paused = [match for match in running if match.status == "paused"]
    if not paused:
        return None
    if len(paused) < len(running):
        number = paused[0].number
        if paused[0].why == "round":
            return None  # it waits for the others
        why = say(_("Match %(number)s stands still."), number=number)
    elif all(match.why == "round" for match in paused):
        why = say(_("The round is finished. Closing the lesson saves all matches for next time."))
        return Step(act=Act.CLOSE, why=why, label=_CLOSE)
    else:
        why = say(_("All matches stand still."))
    return Step(act=Act.RESUME, why=why, label=say(_("Go on")))


def _over(seen: LessonSeen) -> Step:
    """Everything was played to its end."""
    if seen.ends_in_s is not None and seen.ends_in_s <= SOON_S:
        why = say(_("All matches are over, and so is the lesson."))
        return Step(act=Act.CLOSE, why=why, label=_CLOSE)
    why = say(_("All matches are over. Talk about what came up in them."))
    return Step(act=Act.TALK, why=why, label=say(_("Questions for the talk")))


def _look(match: MatchSeen, why: Text) -> Step:
    label = say(_("Go to match %(number)s"), number=match.number)
    return Step(act=Act.LOOK, why=why, label=label, match=match.match)


def _stand_in(match: MatchSeen, seat: int | None, why: Text) -> Step:
    label = say(_("Let the computer play"))
    return Step(act=Act.LET_COMPUTER_PLAY, why=why, label=label, match=match.match, seat=seat)
