"""Three minutes of Corruption! for visitors without an account: a match of two bots.

It is played once a process and language, from a fixed seed and without a
database, and handed out as what a projector and one phone would have been sent.
Nothing is kept about who looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from django.utils.translation import gettext_noop as _
from msgspec import Struct

from games.bots.roster import bots_for
from games.catalog import GAMES
from games.deciding import DecisionRule, SilentFirst
from games.decks.starters import nearest_language, starter_content
from games.engine.chance import Chance, seeded
from games.engine.codec import Codec
from games.engine.game import Watcher
from games.engine.text import Text, say
from games.models import Match
from games.position import Happened, MemberState, Position, TeamState, Timing
from games.selectors.playpages import content, seats
from games.selectors.wording import wording, words
from games.services import frames, play
from games.services.frames import You
from games.services.play import Accepted, Submission

GAME: Final = "corruption"
BOARD: Final = "one-lesson"
SEED: Final = 70
LENGTH_MS: Final = 180_000
LONGEST: Final = 400  # moves; the seed's match is far shorter
PHONE: Final = 0  # the seat whose phone is shown
NAMES: Final = (("Noor", "Amina", "Ivo"), ("Omar", "Lena", "Sami"))

# How long a moment stays, against a throw of the die, by what just happened.
PACE: Final[Mapping[str, float]] = {
    "card_drawn": 3,
    "question_asked": 3,
    "question_answered": 3,
    "sentenced": 2,
    "won": 6,
}

CAPTIONS: Final[tuple[tuple[str, Text], ...]] = (
    (
        "",
        say(_("One match on three screens: the projector for all, a phone, the teacher’s desk.")),
    ),
    (
        "bought",
        say(_("A team reads one sentence, sees what each choice costs, and votes on its phones.")),
    ),
    (
        "token_taken",
        say(_("A card tempts the village. Tokens come by chance and choice; they are no mark.")),
    ),
    (
        "question_asked",
        say(_("A question: everybody answers alone first. The projector hides the right answer.")),
    ),
    (
        "won",
        say(_("A complete village and a clean record win. Then the class talks about the cards.")),
    ),
)


class Moment(Struct, frozen=True, kw_only=True):
    """What the screens show until the next move."""

    ms: int
    board: msgspec.Raw  # the projector's message
    phone: msgspec.Raw
    chosen: Any = None  # what the phone's team decides next, if it is its turn
    caption: int | None = None  # place of the caption that begins here


class Recording(Struct, frozen=True, kw_only=True):
    """A whole demo, ready to be sent."""

    content: Any
    seats: list[dict[str, Any]]
    language: str
    match: msgspec.Raw  # hello of the phone
    captions: list[str]
    moments: list[Moment]


@lru_cache(maxsize=8)
def recording(language: str) -> bytes:
    """The demo in ``language`` as JSON; made at the first request for it."""
    before = _position(language)
    chance, bots_chance = seeded(2 * SEED), seeded(2 * SEED + 1)
    accepted = play.started(before, at=0, teacher=None, chances=lambda: _fresh(chance))
    told: list[tuple[Position, Happened, Any]] = []
    for move_number in range(LONGEST):
        position, record = accepted.position, accepted.record
        assert record is not None
        happened = Happened(position.version, record.seat, record.events)
        if position.status == "ended":
            told.append((position, happened, None))
            break
        opened = position.timing.opened[0]
        answer = play.submit(
            position,
            Submission(
                decision=opened.version, at=move_number, kind="bot", seat=opened.decision.seat
            ),
            seen={},
            chances=lambda: _fresh(bots_chance),
        )
        assert isinstance(answer, Accepted)
        assert answer.record is not None
        own = opened.decision.seat == PHONE
        told.append((position, happened, msgspec.json.decode(answer.record.data) if own else None))
        accepted = answer
    put = wording(language)
    phone = You(role="member", seat=PHONE, student="0.0", name=NAMES[PHONE][0])
    return msgspec.json.encode(
        Recording(
            content=content(before),
            seats=seats(before),
            language=before.language,
            match=msgspec.Raw(frames.hello(before, phone, 0)),
            captions=[put(caption) for _event, caption in CAPTIONS],
            moments=_moments(told, language),
        )
    )


def _moments(told: list[tuple[Position, Happened, Any]], language: str) -> list[Moment]:
    kinds = [{event.__struct_config__.tag for event in happened.events} for _, happened, _ in told]
    paces = [max([1.0, *(PACE[kind] for kind in of_one & PACE.keys())]) for of_one in kinds]
    begins = {0: 0}
    for number, (kind, _caption) in enumerate(CAPTIONS):
        place = next((at for at, of_one in enumerate(kinds) if kind in of_one), None)
        if place is not None:
            begins.setdefault(place, number)
    unit_ms = LENGTH_MS / sum(paces)
    return [
        Moment(
            ms=round(paces[at] * unit_ms),
            board=_message(position, Watcher.PUBLIC, language, happened),
            phone=_message(position, PHONE, language, happened),
            chosen=chosen,
            caption=begins.get(at),
        )
        for at, (position, happened, chosen) in enumerate(told)
    ]


def _message(position: Position, viewer: Any, language: str, happened: Happened) -> msgspec.Raw:
    sent = frames.observation(position, viewer, language, [happened], position.version)
    return msgspec.Raw(sent)


def _fresh(source: Chance) -> Chance:
    """A chance without draws that goes on where the last one stopped."""
    return Chance(source.below)


def _position(language: str) -> Position:
    """The match before its start: the starter board, two teams of made-up pupils."""
    game = GAMES[GAME]
    chosen = starter_content(GAME, BOARD, nearest_language(GAME, language))
    return Position(
        match="demo",
        lesson="demo",
        classroom="demo",
        number=1,
        game=game,
        rules=game.ruleset(game.options_type(), chosen),
        codec=Codec(game),
        bots=bots_for(game, chosen),
        language=nearest_language(GAME, language),
        decision_rule=DecisionRule.MAJORITY,
        silent_first=SilentFirst.QUESTIONS,
        decision_limit_s=None,
        status=Match.Status.LOBBY.value,
        version=0,
        state=None,
        timing=Timing(),
        teams=tuple(
            TeamState(
                seat=seat,
                name=words(game.seat_names[seat], language),
                played_by="people",
                members=tuple(
                    MemberState(student=f"{seat}.{number}", name=name)
                    for number, name in enumerate(names)
                ),
            )
            for seat, names in enumerate(NAMES)
        ),
        answered={},
    )
