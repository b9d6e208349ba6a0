"""Bot matches at the level of frames: what every viewer is sent, without sockets or database."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from msgspec.structs import fields, replace

from games.bots.bot import bot_move
from games.bots.roster import bots_for
from games.catalog import GAMES
from games.deciding import DecisionRule, SilentFirst
from games.engine.chance import Chance, seeded
from games.engine.codec import Codec
from games.engine.game import Viewer, Watcher
from games.position import MemberState, Position, TeamState, Timing
from games.services import frames, play
from games.services.frames import Happened
from games.services.play import Accepted, Refused, Submission

AT = 1_800_000_000.0
GAME = GAMES["corruption"]
SEEN_AS: dict[str, Viewer] = {
    "0": 0,
    "1": 1,
    "teacher": Watcher.TEACHER,
    "public": Watcher.PUBLIC,
}


def position_of(content: dict[str, Any], options: Any = None) -> Position:
    """A match in the lobby, two teams of one student."""
    return Position(
        match=str(UUID(int=1)),
        lesson=str(UUID(int=2)),
        classroom=str(UUID(int=3)),
        number=1,
        game=GAME,
        rules=GAME.ruleset(options or GAME.options_type(), content),
        codec=Codec(GAME),
        bots=bots_for(GAME, content),
        language="en",
        decision_rule=DecisionRule.MAJORITY,
        silent_first=SilentFirst.QUESTIONS,
        decision_limit_s=None,
        status="lobby",
        version=0,
        state=None,
        timing=Timing(),
        teams=tuple(
            TeamState(
                seat=seat,
                name=name,
                played_by="people",
                members=(MemberState(student=str(UUID(int=10 + seat)), name=who),),
            )
            for seat, (name, who) in enumerate([("Red", "Ana"), ("Blue", "Ben")])
        ),
        answered={},
    )


def matches(content: dict[str, Any], seed: int, longest: int) -> Iterator[Accepted]:
    """One match between bots, step by step, from the set-up to its end or ``longest`` records."""
    chance, whims = seeded(2 * seed), seeded(2 * seed + 1)

    def chances() -> Chance:
        return Chance(chance.below)

    position = position_of(content)
    bot = list(position.bots.values())[seed % len(position.bots)]
    step = play.started(position, at=AT, teacher=None, chances=chances)
    yield step
    while step.position.status == "playing" and step.version < longest:
        position = step.position
        opened = next(
            (o for o in position.timing.opened if o.decision.required), position.timing.opened[0]
        )
        seat = opened.decision.seat
        move = bot_move(position.rules, position.state, opened.decision, bot, whims)
        answer = play.submit(
            position,
            Submission(
                decision=opened.version,
                at=AT,
                kind="teacher",  # of either team, without a vote
                move=json.loads(position.codec.encode(move)),
                seat=seat,
            ),
            seen={},
            chances=chances,
        )
        assert isinstance(answer, Accepted), answer
        step = answer
        yield step


def sent(position: Position, step: Accepted | None = None) -> dict[str, str]:
    """The frames that each viewer gets for a position: observation, and the row on the desk."""
    happened = []
    if step is not None and step.record is not None:
        happened = [Happened(step.version, step.record.seat, step.record.events)]
    told = {
        name: frames.observation(position, viewer, "en", happened, AT).decode()
        for name, viewer in SEEN_AS.items()
    }
    row = frames.row(position, {}, (), "en", AT).decode()
    told["teacher"] += row
    told["public"] += row
    return told


def refusals(position: Position) -> str:
    """What every team hears for moves that are not theirs to make (HI-07)."""
    said = []
    for team in position.teams:
        for move in ({"type": "qa_ask"}, {"type": "qa_answer", "letter": "a"}, {"type": "roll"}):
            opened = position.opened(team.seat)
            if opened is not None and opened.decision.kind in {"qa_answer", "qa_ask", "roll"}:
                continue
            version = position.version if opened is None else opened.version
            answer = play.submit(
                position,
                Submission(decision=version, at=AT, kind="teacher", move=move, seat=team.seat),
                seen={},
                chances=lambda: seeded(1),
            )
            if isinstance(answer, Refused):
                said.append(frames.refused("request-1", answer, "en").decode())
    return re.sub(r"\s", "", "".join(said))


def with_other_order(position: Position, chance: Chance) -> Position:
    """A twin: what is left in the decks lies in another order."""
    decks = position.state.decks
    other = {field.name: chance.shuffled(getattr(decks, field.name)) for field in fields(decks)}
    state = replace(position.state, decks=replace(decks, **other))
    return replace(position, state=state)


def with_other_question(position: Position) -> Position:
    """A twin: another card was drawn as the question, and is not read out yet."""
    state = position.state
    first, *rest = state.decks.qa
    question = replace(state.question, card=first)
    decks = replace(state.decks, qa=(state.question.card, *rest))
    return replace(position, state=replace(state, question=question, decks=decks))
