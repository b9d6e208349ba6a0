"""What the log of a match tells about each student.

Tokens and cards are the luck and choices of a role, never a mark. A student
counts as there from the record that joined them to a team until the one that
took them out. What a bot, a teacher or the clock played is nobody's choice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from games.engine.facts import Fact, FactKind, LoggedStep, LoggedVote, Play
from games.rules.corruption.content import Content
from games.rules.corruption.events import (
    AnyEvent,
    CardDrawn,
    QuestionAnswered,
    QuestionSkipped,
    RecordWiped,
    Sentenced,
    TokenTaken,
)
from games.rules.corruption.moves import Fine, Wipe

SKIPPED = "skipped"

_Votes = Mapping[tuple[int, int], list[LoggedVote]]  # by decision and seat


def facts(content: Content, play: Play) -> tuple[Fact, ...]:
    """All facts of a match, in the order of its log; sums of participation last.

    Choices: ``token_taken`` and ``card_met`` (about the card), ``tokens_cleared``
    (how many), ``inspector_team`` and ``inspector_vote`` (fine or wipe, about the
    row). Knowledge: ``qa_alone`` and ``qa_team`` (right, wrong or skipped, about
    the card). Participation: ``decisions_shared``, ``votes_with_team``,
    ``votes_against_team``, ``acts``.
    """
    members: tuple[list[str], list[str]] = ([], [])
    votes: dict[tuple[int, int], list[LoggedVote]] = defaultdict(list)
    for vote in play.votes:
        votes[vote.decision, vote.seat].append(vote)
    told: list[Fact] = []
    part = _Participation()
    for step in play.steps:
        _attend(members, step)
        for event in step.events:
            for seat in _met_by(event):
                told.extend(_of_event(content, step, event, seat, members[seat]))
        if step.kind == "move" and step.seat is not None:
            there = members[step.seat]
            cast = _last_of_each(votes.get((step.decision or 0, step.seat), ()))
            told.extend(_of_inspector(step, there, cast))
            part.count(step, there, cast)
        told.extend(_of_question(content, step, members, votes))
    return (*told, *part.facts())


def _attend(members: tuple[list[str], list[str]], step: LoggedStep) -> None:
    if step.student is None or step.kind not in ("join", "leave"):
        return
    for team in members:
        if step.student in team:
            team.remove(step.student)
    if step.kind == "join" and step.seat is not None:
        members[step.seat].append(step.student)


def _met_by(event: AnyEvent) -> tuple[int, ...]:
    """The teams that an event happens to; a national disaster happens to both (COR-NND-2)."""
    if isinstance(event, CardDrawn) and event.deck == "national":
        return (0, 1)
    return () if event.seat is None else (event.seat,)


def _of_event(
    content: Content, step: LoggedStep, event: AnyEvent, seat: int, there: list[str]
) -> Iterable[Fact]:
    """Tokens and cards: they come to everyone who is in the team."""
    what, about, topic, value = "", "", "", 1
    match event:
        case TokenTaken(card=card):
            what, about, topic = "token_taken", card, content.corruption[card].topic
        case RecordWiped(tokens=tokens):
            what, value = "tokens_cleared", tokens
        case CardDrawn(deck=deck, card=card):
            what, about, topic = "card_met", card, _topic(content, deck, card)
        case _:
            return
    for student in there:
        yield Fact(
            kind=FactKind.CHOICE,
            student=student,
            seat=seat,
            what=what,
            about=about,
            topic=topic,
            value=value,
            version=step.version,
        )


def _topic(content: Content, deck: str, card: str) -> str:
    match deck:
        case "corruption":
            return content.corruption[card].topic
        case "national":
            return content.national[card].hazard
        case "local":
            return content.local[card].hazard
        case _:
            return content.donation[card].category


def _of_inspector(
    step: LoggedStep, there: list[str], cast: Mapping[str, LoggedVote]
) -> Iterable[Fact]:
    """What the team chose before the Inspector, and what each member wanted."""
    if not isinstance(step.move, Fine | Wipe) or step.seat is None:
        return
    row = next(event.row for event in step.events if isinstance(event, Sentenced))
    for student in there:
        wanted = {"inspector_team": _choice(step.move)}
        if student in cast:
            wanted["inspector_vote"] = _choice(cast[student].move)
        for what, value in wanted.items():
            yield Fact(
                kind=FactKind.CHOICE,
                student=student,
                seat=step.seat,
                what=what,
                about=row,
                value=value,
                version=step.version,
            )


def _choice(move: object) -> str:
    return "wipe" if isinstance(move, Wipe) else "fine"


def _of_question(
    content: Content, step: LoggedStep, members: tuple[list[str], list[str]], votes: _Votes
) -> Iterable[Fact]:
    """Answers given alone, before the team spoke, and the answer of the team (COR-QA-11)."""
    for event in step.events:
        if not isinstance(event, QuestionAnswered | QuestionSkipped):
            continue
        correct = event.correct if isinstance(event, QuestionAnswered) else None
        asked = votes.get((step.decision or 0, event.seat), ())
        alone = _last_of_each(vote for vote in asked if vote.stage == "silent")
        for student in members[event.seat]:
            outcomes = {}
            if alone:
                vote = alone.get(student)
                letter = vote.move.letter if vote is not None else None
                outcomes["qa_alone"] = _outcome(letter, correct)
            if isinstance(event, QuestionSkipped):
                outcomes["qa_team"] = SKIPPED
            elif step.kind in ("move", "timeout"):
                outcomes["qa_team"] = _outcome(event.letter, correct)
            for what, value in outcomes.items():
                yield Fact(
                    kind=FactKind.KNOWLEDGE,
                    student=student,
                    seat=event.seat,
                    what=what,
                    about=event.card,
                    topic=content.qa[event.card].topic,
                    value=value,
                    version=step.version,
                )


def _outcome(letter: str | None, correct: str | None) -> str:
    """No answer is skipped, and so is every answer to a card that was put away (COR-QA-11)."""
    if letter is None or correct is None:
        return SKIPPED
    return "right" if letter == correct else "wrong"


def _last_of_each(votes: Iterable[LoggedVote]) -> dict[str, LoggedVote]:
    """The vote of each student that counts: the open one where there are two."""
    last: dict[str, LoggedVote] = {}
    for vote in votes:
        if vote.student not in last or vote.stage == "open":
            last[vote.student] = vote
    return last


class _Participation:
    """Counts how each student took part, by student and seat."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, int, str]] = Counter()
        self._versions: dict[tuple[str, int, str], int] = {}

    def count(self, step: LoggedStep, there: list[str], cast: Mapping[str, LoggedVote]) -> None:
        """One move of a team: who was there, who voted for it, who carried it out."""
        assert step.seat is not None
        if cast:
            for student in there:
                self._add(student, step, "decisions_shared")
            for student, vote in cast.items():
                with_team = vote.move == step.move
                self._add(student, step, "votes_with_team" if with_team else "votes_against_team")
        elif step.student is not None:
            self._add(step.student, step, "acts")

    def facts(self) -> Iterable[Fact]:
        for (student, seat, what), value in self._counts.items():
            yield Fact(
                kind=FactKind.PARTICIPATION,
                student=student,
                seat=seat,
                what=what,
                value=value,
                version=self._versions[student, seat, what],
            )

    def _add(self, student: str, step: LoggedStep, what: str) -> None:
        assert step.seat is not None
        self._counts[student, step.seat, what] += 1
        self._versions[student, step.seat, what] = step.version
