"""A match told again: every state from its log alone, as everybody may know it.

Students and screens may look once the match is over, teachers at any time. What
is handed out are observations of ``Watcher.PUBLIC``: the right answer of a question
that was never answered stays unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import msgspec
from django.utils.translation import gettext_lazy as _, gettext_noop
from msgspec import Struct
from msgspec.structs import replace

from classroom.access import Actor, TeacherActor
from classroom.errors import DomainError
from classroom.models import Student
from games.engine.game import Figure, Watcher
from games.engine.replay import PLAYED, replay
from games.engine.story import Asked, Mark
from games.engine.text import say
from games.models import Match, Member, MoveRecord, Team, Vote
from games.position import Happened, Opened, Position, TeamState, Timing
from games.selectors import positions
from games.selectors.matches import access_match
from games.selectors.rulesets import Rules, rules_of
from games.selectors.wording import words
from games.services import frames
from games.services.rewinds import kept_versions, went_on_from

PAGE = 40  # moments in one answer
_TAKEN_BACK = gettext_noop("The match was taken back to move %(number)s.")


class NotYet(DomainError):
    """Raised for a story that students and screens may not see before the end."""

    code = "not_yet"
    message = _("You can look back when the match is over.")
    status = 409


class Moment(Struct, frozen=True, kw_only=True):
    """A version at which the state changed."""

    version: int
    kind: str  # of the record
    seat: int | None
    turn: int  # from 1; 0 before the first
    state: Any
    events: tuple[Any, ...] = ()
    marks: tuple[Mark, ...] = ()
    to: int | None = None  # of a rewind


class Put(Struct, frozen=True, kw_only=True):
    """A question that was answered for good."""

    version: int
    decision: int  # version at which the answering team was asked
    asked: Asked


class Turn(Struct, frozen=True, kw_only=True):
    """What a turn came to. Nothing of it was taken back."""

    number: int  # 0 is the set-up
    version: int  # at its end
    seat: int | None
    standing: tuple[tuple[Figure, ...], ...]  # by seat, the plotted figures alone
    marks: tuple[Mark, ...]


class Story(Struct, frozen=True, kw_only=True):
    """A match from its first record to its last, computed once for each version."""

    base: Position  # without a state: rules and teams, nobody's name
    moments: tuple[Moment, ...]
    turns: tuple[Turn, ...]
    questions: tuple[Put, ...]


class OwnAnswer(Struct, frozen=True, kw_only=True):
    """A question, and what one student thought before the team answered."""

    put: Put
    own: str | None  # key of the answer given alone; None: none was given


def access_story(actor: Actor, match_id: Any) -> Match:
    """The match, lesson and classroom preloaded, for whoever may look back on it.

    Raises:
        NotThere: absent, or not theirs.
        NotYet: it has not begun, or is not over for students and screens.
    """
    teacher = isinstance(actor, TeacherActor)
    match = access_match(actor, match_id, to="run" if teacher else "watch")
    if match.status == Match.Status.LOBBY or not (teacher or match.status == Match.Status.ENDED):
        raise NotYet
    return match


def story_of(match: Match) -> Story:
    """The story of a match that has begun."""
    return _story(str(match.pk), match.version, match.status)


def page(story: Story, start: int, language: str) -> list[Any]:
    """Up to ``PAGE`` moments from place ``start`` on, as messages of kind ``observation``."""
    last = len(story.moments) - 1
    return [_message(story, place, language) for place in range(start, min(start + PAGE, last + 1))]


def ending(story: Story, language: str) -> tuple[tuple[int, ...], str]:
    """The seats that won and why; nobody and no words where it was ended early or goes on."""
    outcome = story.base.rules.outcome(story.moments[-1].state)
    return ((), "") if outcome is None else (outcome.winners, words(outcome.reason, language))


def own_answers(match: Match, story: Story, student: Student) -> list[OwnAnswer]:
    """The questions that the student's team answered while the student was in it."""
    there = list(
        Member.objects.filter(team__match=match, student=student).values_list(
            "team__seat", "joined_version", "left_version"
        )
    )
    alone = {
        vote.decision: vote.move
        for vote in Vote.objects.filter(match=match, student=student, stage=Vote.Stage.SILENT)
    }
    return [
        OwnAnswer(put=put, own=_chosen(story, put, alone.get(put.decision)))
        for put in story.questions
        if any(
            seat == put.asked.seat
            and joined <= put.version
            and (left is None or put.version < left)
            for seat, joined, left in there
        )
    ]


def topics_of(turns: Sequence[Turn]) -> list[str]:
    """What the cards of these turns were about, the most frequent first."""
    found = Counter(mark.topic for turn in turns for mark in turn.marks if mark.kind == "card")
    return [topic for topic, _often in found.most_common() if topic]


# -- inside -----------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _story(match_id: str, version: int, status: str) -> Story:
    match = Match.objects.select_related("lesson").get(pk=match_id)
    rules = rules_of(match)
    records = list(match.records.filter(version__lte=version).order_by("version"))
    states = [step.state for step in replay(rules.ruleset, positions.steps(match, rules))]
    before = went_on_from(records)
    moments = _moments(records, states, before, rules)
    decisions = {record.version: record.decision for record in records}
    kept = kept_versions(before)
    base = replace(
        positions.unplayed(match, rules),
        status=status,
        version=version,
        teams=tuple(
            TeamState(seat=team.seat, name=team.name, played_by=team.played_by, bot=team.bot)
            for team in Team.objects.filter(match=match).order_by("seat")
        ),
    )
    return Story(
        base=base,
        moments=tuple(moments),
        turns=_turns(base, [moment for moment in moments if moment.version in kept]),
        questions=tuple(
            put for put in _questions(moments, states, decisions, rules) if put.version in kept
        ),
    )


def _moments(
    records: Sequence[MoveRecord], states: Sequence[Any], before: Mapping[int, int], rules: Rules
) -> list[Moment]:
    moments: list[Moment] = []
    turn_at = {0: 0}
    for record in records:
        place = record.version
        events = rules.codec.events(record.events)
        marks = tuple(mark for event in events for mark in rules.ruleset.marks(event))
        turn_at[place] = turn_at[before[place]] + sum(mark.kind == "turn" for mark in marks)
        if record.kind in {"setup", "rewind", *PLAYED}:
            moments.append(
                Moment(
                    version=place,
                    kind=record.kind,
                    seat=record.seat,
                    turn=turn_at[place],
                    state=states[place - 1],
                    events=events,
                    marks=marks,
                    to=before[place] if record.kind == "rewind" else None,
                )
            )
    return moments


def _questions(
    moments: Sequence[Moment],
    states: Sequence[Any],
    decisions: Mapping[int, int | None],
    rules: Rules,
) -> Iterator[Put]:
    """The questions that were answered, by the state they were answered in."""
    for moment in moments:
        decision = decisions[moment.version]
        if decision is None:
            continue
        for event in moment.events:
            asked = rules.ruleset.asked(states[moment.version - 2], event)
            if asked is not None:
                yield Put(version=moment.version, decision=decision, asked=asked)


def _turns(base: Position, moments: Sequence[Moment]) -> tuple[Turn, ...]:
    """One row a turn: who had it, how all stand at its end, what came up."""
    if not moments:
        return ()
    ends = [one for one, following in pairwise(moments) if one.turn != following.turn]
    turns = []
    for end in (*ends, moments[-1]):
        marks = [mark for one in moments if one.turn == end.turn for mark in one.marks]
        began = [mark.seat for mark in marks if mark.kind == "turn"]
        turns.append(
            Turn(
                number=end.turn,
                version=end.version,
                seat=began[-1] if began else None,
                standing=tuple(
                    _plotted(base, figures) for figures in base.rules.standing(end.state)
                ),
                marks=tuple(mark for mark in marks if mark.kind != "turn"),
            )
        )
    return tuple(turns)


def _plotted(base: Position, figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """Those figures that tell how it went, the chief one first."""
    known = {figure.symbol: figure for figure in figures}
    return tuple(known[symbol] for symbol in base.rules.plotted if symbol in known)


def _message(story: Story, place: int, language: str) -> Any:
    moment, rules = story.moments[place], story.base.rules
    decisions = rules.decisions(moment.state)
    last = place == len(story.moments) - 1
    position = replace(
        story.base,
        version=moment.version,
        state=moment.state,
        status=story.base.status if last else "playing",
        timing=Timing(
            opened=tuple(
                Opened(version=moment.version, decision=decision, at_s=0, bot_s=0)
                for decision in decisions
            )
        ),
        outcome=None if decisions else rules.outcome(moment.state),
    )
    happened = [Happened(moment.version, moment.seat, moment.events, moment.kind)]
    told = msgspec.json.decode(
        frames.observation(position, Watcher.PUBLIC, language, happened, at=0)
    )
    if moment.to is not None:
        line = words(say(_TAKEN_BACK, number=moment.to), language)
        told["events"].append(
            {
                "version": moment.version,
                "seat": None,
                "line": line,
                "rule": "",
                "event": {"type": "taken_back"},
            }
        )
    return told


def _chosen(story: Story, put: Put, move: str | None) -> str | None:
    if move is None:
        return None
    chosen = story.base.codec.move(move)
    return next((choice.key for choice in put.asked.choices if choice.move == chosen), None)
