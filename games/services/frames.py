"""What a browser is sent, as text. Only ``observe`` and ``tell`` say what of a match.

Sentences come out in the viewer's language; the shapes are those of
``docs/reference/live-messages.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from games.deciding import Attention, Stage, Tally, backing_needed, show, split_line
from games.engine.game import Ruleset, Viewer, Watcher
from games.engine.moves import Amount
from games.engine.text import gettext_noop as _, say
from games.position import Happened, MemberState, Opened, Position
from games.selectors.teams import team_name
from games.selectors.wording import Wording, wording, words
from games.services import play
from games.services.codes import PROTOCOL, Refusal
from games.services.play import Refused

STAND_INS = {"bot", "teacher", "timeout"}

_encode = msgspec.json.Encoder(enc_hook=str).encode


NOTICES = {
    "frozen": _("Something went wrong in this match. Take it back a step, or end it."),
    "deserted": _("%(team)s did not answer for three turns. The match is paused."),
    "explain": _("%(team)s asks you to explain the question. The match is paused."),
    Refusal.BUSY.value: _(
        "Moves cannot be saved just now; none is lost, and students may try again. If it goes on, "
        "ask who looks after this computer: its disk may be full."
    ),
}


class You(Struct, frozen=True, kw_only=True):
    """Who holds a socket."""

    role: str  # member, teacher, screen
    seat: int | None = None
    student: str | None = None
    name: str = ""

    @property
    def viewer(self) -> Viewer:
        """For whose eyes an observation is made."""
        if self.role == "member" and self.seat is not None:
            return self.seat
        return Watcher.TEACHER if self.role == "teacher" else Watcher.PUBLIC


def message(type: str, **fields: Any) -> bytes:
    """Any message of the protocol, as JSON in UTF-8."""
    return _encode({"type": type, **fields})


def accepted(request_id: str, version: int) -> bytes:
    """What was asked for is on the disk, and the version that came of it."""
    return message("accepted", request_id=request_id, version=version)


def hello(position: Position, you: You, at: float) -> bytes:
    """The first message on a match's socket."""
    return message(
        "hello",
        protocol=PROTOCOL,
        you=you,
        version=position.version,
        match=about(position),
        server_time=round(at * 1000),
    )


def hello_of_lesson(you: You, at: float) -> bytes:
    """The first message on a lesson's socket."""
    return message("hello", protocol=PROTOCOL, you=you, server_time=round(at * 1000))


def about(position: Position) -> dict[str, Any]:
    """What stays the same about a match while it is played, and who plays it."""
    return {
        "id": position.match,
        "number": position.number,
        "game": position.game.key,
        "status": position.status,
        "language": position.language,
        "decision_rule": position.decision_rule.value,
        "silent_first": position.silent_first.value,
        "teams": [
            {
                "seat": team.seat,
                "name": team.name,
                "played_by": team.played_by,
                "members": [_member(m) for m in team.members],
            }
            for team in position.teams
        ],
    }


def _member(member: MemberState) -> dict[str, Any]:
    told: dict[str, Any] = {"id": member.student, "name": member.name}
    return {**told, "shared": True} if member.shared else told


def observation(
    position: Position, viewer: Viewer, language: str, happened: Iterable[Happened], at: float
) -> bytes:
    """The whole of what a viewer may know now, and what they may know of what happened."""
    return Telling(position, happened, at).to(viewer, language)


class Telling:
    """A position and what led to it, told to several viewers.

    Asks ``observe`` and ``tell`` for each of them; what both allow everybody to read is put
    into words and written once a language.
    """

    def __init__(self, position: Position, happened: Iterable[Happened], at: float) -> None:
        self._position = position
        self._happened = tuple(happened)
        self._at = at
        self._public: dict[str, bytes] = {}  # by language: what all viewers are told
        self._whole: dict[tuple[int, str], msgspec.Raw] = {}  # lines of events with no secret

    def to(self, viewer: Viewer, language: str) -> bytes:
        """The whole of what the viewer may know now, and of what happened."""
        position, put = self._position, wording(language)
        if language not in self._public:
            self._public[language] = self._for_all(put)
        started = position.state is not None
        own = message(
            "observation",
            version=position.version,
            observation=position.rules.observe(position.state, viewer) if started else None,
            events=self._told(viewer, language),
            decision=_decision(position, viewer, self._at, put),
        )
        return _joined(own, self._public[language])

    def _for_all(self, put: Wording) -> bytes:
        position = self._position
        return _encode(
            {
                "status": position.status,
                "waiting": waiting(position, self._at, put),
                "standing": standing(position, put),
                "outcome": _outcome(position, put),
            }
        )

    def _told(self, viewer: Viewer, language: str) -> list[msgspec.Raw]:
        rules = self._position.rules
        lines = []
        for record in self._happened:
            for event in record.events:
                told = rules.tell(event, viewer)
                if told is event:
                    key = (id(event), language)  # events live as long as this does
                    if key not in self._whole:
                        self._whole[key] = _line(rules, record, told, language)
                    lines.append(self._whole[key])
                elif told is not None:
                    lines.append(_line(rules, record, told, language))
        return lines


def _joined(one: bytes, other: bytes) -> bytes:
    """Two JSON objects with different keys as one."""
    return b"%b,%b" % (one[:-1], other[1:])


def waiting(position: Position, at: float, put: Wording) -> list[dict[str, Any]]:
    """Whom the match waits for, as everybody may read it."""
    if position.state is None or position.status == "ended":
        return []
    now_s = position.play_s(at)
    return [
        {
            "seat": opened.decision.seat,
            "kind": opened.decision.kind,
            "text": put(position.rules.waiting(position.state, opened.decision)),
            "since_ms": round((now_s - opened.at_s) * 1000),
        }
        for opened in position.timing.opened
    ]


def standing(position: Position, put: Wording) -> list[list[dict[str, Any]]]:
    """The public figures of each seat."""
    if position.state is None:
        return []
    return [
        [
            {
                "symbol": figure.symbol,
                "value": figure.value,
                "out_of": figure.out_of,
                "label": put(figure.label),
            }
            for figure in figures
        ]
        for figures in position.rules.standing(position.state)
    ]


def votes(
    position: Position,
    opened: Opened,
    result: Tally[Any],
    *,
    you: You,
    seen: play.Seen,
    at: float,
    put: Wording,
) -> dict[str, Any]:
    """What a member of the team may see of a running vote."""
    members = play.voters(position, opened.decision.seat, seen)
    shown = show(result, members, you.student, position.play_s(at))
    split = result.split and result.attention is not Attention.NOBODY
    return {
        "decision": opened.version,
        "stage": Stage.OPEN.value if shown.stage is Stage.TAKEN else shown.stage.value,
        "voted": shown.voted,
        "waiting": result.waiting,
        "own": shown.own,
        "options": shown.options,
        "members": shown.members,
        "needed": None
        if result.spokesperson
        else backing_needed(position.decision_rule, shown.members),
        "split": put(split_line(result)) if split else None,
        "spokesperson": result.spokesperson,
        "due_in_ms": None if result.due_in_s is None else round(result.due_in_s * 1000),
    }


def refused(request_id: str | None, refusal: Refused, language: str) -> bytes:
    """Why nothing happened, for the asker alone."""
    return message(
        "refused",
        request_id=request_id,
        code=refusal.code,
        message=words(refusal.text, language),
        rule=refusal.rule,
    )


def notice(position: Position, language: str, why: str = "") -> bytes:
    """What needs somebody's eye: an error, an absent team, a question to be explained.

    ``why``: one of ``NOTICES`` that does not stand in the position.
    """
    timing = position.timing
    why = why or (Refusal.FROZEN.value if position.status == "frozen" else timing.why)
    team = "" if timing.why_seat is None else position.teams[timing.why_seat].name
    return message(
        "notice",
        match=position.match,
        number=position.number,
        code=why,
        seat=timing.why_seat,
        text=words(say(NOTICES[why], team=team), language),
    )


def lesson_news(notice: Mapping[str, Any] | None, ends_at: int | None, last_round: bool) -> bytes:
    """What the teacher tells, when the lesson ends (Unix time in ms), whether the round is last."""
    return message("lesson", notice=notice, ends_at=ends_at, last_round=last_round)


def _line(rules: Ruleset[Any, Any, Any], record: Happened, told: Any, language: str) -> msgspec.Raw:
    """An event of a record as somebody is told it."""
    by = stand_in(record.kind, record.seat, told)
    of_record = {"version": record.version, "seat": record.seat, "by": by}
    return msgspec.Raw(_joined(_encode(of_record), _said(rules, told, language)))


@lru_cache(maxsize=2**12)  # a die, a walk, a few fish: the same few hundred again and again
def _said(rules: Ruleset[Any, Any, Any], told: Any, language: str) -> bytes:
    """What stays the same about an event: its sentence, its rule and itself."""
    return _encode({"line": words(rules.line(told), language), "rule": told.rule, "event": told})


def stand_in(kind: str, seat: int | None, event: Any) -> str | None:
    """Who played for the team of an event: bot, teacher or timeout; None: the team itself.

    ``kind`` and ``seat`` are those of the record that the event came with.
    """
    own = getattr(event, "seat", None) in {None, seat}
    return kind if own and kind in STAND_INS else None


def _decision(position: Position, viewer: Viewer, at: float, put: Wording) -> dict[str, Any] | None:
    if not isinstance(viewer, int) or position.state is None or position.status == "ended":
        return None
    opened = position.opened(viewer)
    if opened is None:
        return None
    rules, state, seat = position.rules, position.state, viewer
    deadline_s = position.deadline_s(opened)
    return {
        "decision": opened.version,
        "seat": seat,
        "kind": opened.decision.kind,
        "ask": put(rules.ask(state, opened.decision)),
        "knowledge": opened.decision.knowledge,
        "required": opened.decision.required,
        "mine": position.teams[seat].played_by == "people",
        "deadline_ms": None
        if deadline_s is None
        else max(0, round((deadline_s - position.play_s(at)) * 1000)),
        **offered(position, seat, put),
    }


def offered(position: Position, seat: int, put: Wording) -> dict[str, Any]:
    """What can be answered to a seat's open decision: ``moves``, or one with an ``amount``."""
    rules, state = position.rules, position.state
    moves = rules.legal_moves(state, seat)
    if isinstance(moves, Amount):
        lowest = moves.of(moves.minimum)
        return {
            "amount": {
                "field": moves.field,
                "minimum": moves.minimum,
                "maximum": moves.maximum,
                **_named(position, seat, lowest, put),
            }
        }
    acts = position.game.acts
    return {
        "moves": [
            {**_named(position, seat, move, put), "act": move.__struct_config__.tag in acts}
            for move in moves.moves
        ]
    }


def _named(position: Position, seat: int, move: Any, put: Wording) -> dict[str, Any]:
    rules, state = position.rules, position.state
    label, cost = rules.label(state, seat, move), rules.cost(state, seat, move)
    return {"move": move, "label": put(label), "cost": put(cost)}


def _outcome(position: Position, put: Wording) -> dict[str, Any] | None:
    if position.outcome is None:
        return None
    return {"winners": position.outcome.winners, "reason": put(position.outcome.reason)}


def presence(position: Position, here: Mapping[str, bool]) -> bytes:
    """Which members are there, for everybody in the match."""
    return message(
        "presence",
        members=[
            {"id": member.student, "seen": here.get(member.student, False)}
            for team in position.teams
            for member in team.members
        ],
    )


def row(
    position: Position,
    lights: Mapping[str, str],
    attention: Sequence[Mapping[str, Any]],
    language: str,
    at: float,
) -> bytes:
    """One match's summary for desk and screen of its lesson."""
    put = wording(language)
    waits = waiting(position, at, put)
    return message(
        "row",
        match=position.match,
        number=position.number,
        status=position.status,
        version=position.version,
        waiting=waits,
        standing=standing(position, put),
        teams=[
            {
                "seat": team.seat,
                "name": team_name(position.game, position.language, team.seat, team.name, language),
                "played_by": team.played_by,
                "members": [
                    {
                        "id": m.student,
                        "name": m.name,
                        "light": lights.get(m.student, "gone"),
                    }
                    for m in team.members
                ],
            }
            for team in position.teams
        ],
        split=[{**found, "text": put(found["text"])} for found in attention],
        waited_s=max((wait["since_ms"] // 1000 for wait in waits), default=0),
    )
