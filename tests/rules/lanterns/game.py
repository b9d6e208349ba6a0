"""Lanterns: an invented game that asks everything of the engine.

Two seats. Each round both lay a card sealed; the brighter card leads, the wind
settles a tie. The other seat may contest within ten seconds, then pours any
amount of its oil into the lamp. Meanwhile the leader may guess the card that
lies face down. Who led lights a lantern. Its rules are the LAN ids below; they
exist for the tests alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from games.engine.chance import Chance
from games.engine.facts import Fact, FactKind, Play
from games.engine.game import (
    ContentKind,
    ContentProblem,
    ContentRefused,
    Decision,
    Event,
    Figure,
    Game,
    Outcome,
    Ruleset,
    Step,
    Viewer,
)
from games.engine.moves import Amount, Listed, Moves
from games.engine.options import about
from games.engine.refusals import IllegalMove, NothingToDecide, NotOffered
from games.engine.text import Text, count, gettext_noop as _, say

OIL = 10  # of each seat at setup
HAND = 3
CONTEST_S = 10
CARDS = {
    "cards": [{"id": f"{sign}{light}", "light": light} for sign in "abc" for light in range(1, 6)]
}

_ROUNDS = tuple(count("%(count)s round", "%(count)s rounds", rounds) for rounds in (3, 2, 8))


class Options(Struct, frozen=True, kw_only=True):
    rounds: Annotated[
        Literal[3, 2, 8],
        about(
            label=say(_("Rounds")),
            help=say(_("How many lanterns are lit in all.")),
            rule="LAN-END-1",
            labels=_ROUNDS,
        ),
    ] = 3
    contests: Annotated[
        Literal[True, False],
        about(
            label=say(_("Contests")),
            help=say(_("Whether the other seat may contest who leads.")),
            rule="LAN-CONTEST-1",
            labels=(say(_("Yes")), say(_("No"))),
        ),
    ] = True


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    light: int


class Laid(Struct, frozen=True, kw_only=True, tag="laid"):
    """Both lay a card; ``sealed`` holds what is laid so far."""

    sealed: tuple[str | None, str | None] = (None, None)


class Shown(Struct, frozen=True, kw_only=True, tag="shown"):
    """The cards are shown; ``trailer`` answers while the other may guess."""

    leader: int
    trailer: int
    answer: Literal["contest", "pour"]
    guess: str | None = None  # of the seat that led first; sealed until the round ends
    guesser: int


class Over(Struct, frozen=True, kw_only=True, tag="over"):
    pass


class State(Struct, frozen=True, kw_only=True):
    """One position."""

    round: int  # from 1
    phase: Laid | Shown | Over
    hands: tuple[tuple[str, ...], tuple[str, ...]]  # sorted card ids
    deck: tuple[str, ...]  # next card first; nobody knows it
    face_down: str  # nobody knows it
    discard: tuple[str, ...]  # everybody has seen it
    oil: tuple[int, int]
    lamp: int  # oil poured
    lit: tuple[int, int]


class Lay(Struct, frozen=True, kw_only=True, tag="lay", forbid_unknown_fields=True):
    card: str


class Contest(Struct, frozen=True, kw_only=True, tag="contest", forbid_unknown_fields=True):
    pass


class Accept(Struct, frozen=True, kw_only=True, tag="accept", forbid_unknown_fields=True):
    pass


class Pour(Struct, frozen=True, kw_only=True, tag="pour", forbid_unknown_fields=True):
    oil: int


class Guess(Struct, frozen=True, kw_only=True, tag="guess", forbid_unknown_fields=True):
    card: str


Move = Lay | Contest | Accept | Pour | Guess


class Dealt(Event, frozen=True, kw_only=True, tag="dealt"):
    rule = "LAN-SETUP-1"
    seat: int
    cards: tuple[str, ...] | None  # None: not for this viewer


class LaidDown(Event, frozen=True, kw_only=True, tag="laid_down"):
    rule = "LAN-LAY-1"
    seat: int
    card: str | None


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    rule = "LAN-LAY-2"
    cards: tuple[str, str]
    wind: int  # 1 or 2
    leader: int


class Contested(Event, frozen=True, kw_only=True, tag="contested"):
    rule = "LAN-CONTEST-1"
    seat: int
    leader: int


class Accepted(Event, frozen=True, kw_only=True, tag="accepted"):
    rule = "LAN-CONTEST-2"
    seat: int


class Poured(Event, frozen=True, kw_only=True, tag="poured"):
    rule = "LAN-POUR-1"
    seat: int
    oil: int


class Guessed(Event, frozen=True, kw_only=True, tag="guessed"):
    rule = "LAN-GUESS-1"
    seat: int
    card: str | None


class Turned(Event, frozen=True, kw_only=True, tag="turned"):
    rule = "LAN-GUESS-2"
    card: str
    guesser: int
    guess: str | None


class Lit(Event, frozen=True, kw_only=True, tag="lit"):
    rule = "LAN-LIGHT-1"
    seat: int


class Reshuffled(Event, frozen=True, kw_only=True, tag="reshuffled"):
    rule = "LAN-DECK-1"
    cards: int


LanternsEvent = (
    Dealt
    | LaidDown
    | Revealed
    | Contested
    | Accepted
    | Poured
    | Guessed
    | Turned
    | Lit
    | Reshuffled
)


class CardNotHeld(IllegalMove):
    code = "lanterns.card-not-held"
    message = _("Choose a card from your own hand; you do not hold %(card)s.")
    rule = "LAN-LAY-1"


class NotSoMuchOil(IllegalMove):
    code = "lanterns.not-so-much-oil"
    message = _("You have %(oil)s oil. Pour that much or less.")
    rule = "LAN-POUR-1"


class Observation(Struct, frozen=True, kw_only=True):
    round: int
    phase: str
    leader: int | None
    laid: tuple[bool, bool]
    own_sealed: str | None
    own_guess: str | None
    hand: tuple[str, ...]  # own; empty without a seat
    hand_sizes: tuple[int, int]
    deck_size: int
    discard: tuple[str, ...]
    oil: tuple[int, int]
    lamp: int
    lit: tuple[int, int]


class PublicContent(Struct, frozen=True, kw_only=True):
    cards: tuple[Card, ...]


class Lanterns(Ruleset[State, Move, LanternsEvent]):
    def __init__(self, options: Options, cards: tuple[Card, ...]) -> None:
        self.options = options
        self.cards = cards
        self.light = {card.id: card.light for card in cards}

    def setup(self, seats: int, chance: Chance) -> Step[State, LanternsEvent]:
        deck = chance.shuffled(sorted(self.light))
        hands = (tuple(sorted(deck[:HAND])), tuple(sorted(deck[HAND : 2 * HAND])))
        state = State(
            round=1,
            phase=Laid(),
            hands=hands,
            face_down=deck[2 * HAND],
            deck=deck[2 * HAND + 1 :],
            discard=(),
            oil=(OIL, OIL),
            lamp=0,
            lit=(0, 0),
        )
        return Step(state, tuple(Dealt(seat=seat, cards=hands[seat]) for seat in range(seats)))

    def decisions(self, state: State) -> tuple[Decision, ...]:
        return tuple(self._decisions(state))

    def _decisions(self, state: State) -> Iterator[Decision]:
        about = f"round-{state.round}"
        match state.phase:
            case Laid(sealed=sealed):
                for seat in (0, 1):
                    if sealed[seat] is None:
                        yield Decision(seat=seat, kind="lay", about=about)
            case Shown(trailer=trailer, answer=answer, guess=guess, guesser=guesser):
                yield Decision(seat=trailer, kind=answer, about=about)
                if guess is None:
                    yield Decision(
                        seat=guesser, kind="guess", about=about, required=False, knowledge=True
                    )
            case Over():
                return
            case _:
                assert_never(state.phase)

    def legal_moves(self, state: State, seat: int) -> Moves[Move]:
        match self._decision(state, seat).kind:
            case "lay":
                return Listed(tuple(Lay(card=card) for card in state.hands[seat]))
            case "contest":
                return Listed((Contest(), Accept()) if state.oil[seat] else (Accept(),))
            case "pour":
                return Amount(Pour(oil=0), "oil", 0, state.oil[seat])
            case _:
                unseen = set(self.light) - set(state.hands[seat]) - set(state.discard)
                return Listed(tuple(Guess(card=card) for card in sorted(unseen)))

    def apply(
        self, state: State, seat: int, move: Move, chance: Chance
    ) -> Step[State, LanternsEvent]:
        kind = self._decision(state, seat).kind
        match move, state.phase:
            case Lay(card=card), Laid(sealed=sealed) if kind == "lay":
                if card not in state.hands[seat]:
                    raise CardNotHeld(card=card)
                return self._lay(state, seat, card, sealed, chance)
            case Contest(), Shown() as shown if kind == "contest" and state.oil[seat]:
                return self._contest(state, seat, shown, chance)
            case Accept(), Shown() as shown if kind == "contest":
                return Step(
                    replace(state, phase=replace(shown, answer="pour")), (Accepted(seat=seat),)
                )
            case Pour(oil=oil), Shown() as shown if kind == "pour":
                if not 0 <= oil <= state.oil[seat]:
                    raise NotSoMuchOil(oil=state.oil[seat])
                return self._pour(state, seat, oil, shown, chance)
            case Guess(card=card), Shown() as shown if kind == "guess":
                if move not in self.legal_moves(state, seat):
                    raise NotOffered
                return Step(
                    replace(state, phase=replace(shown, guess=card)),
                    (Guessed(seat=seat, card=card),),
                )
            case _:
                raise NotOffered

    def _decision(self, state: State, seat: int) -> Decision:
        for decision in self.decisions(state):
            if decision.seat == seat:
                return decision
        raise NothingToDecide

    def _lay(
        self,
        state: State,
        seat: int,
        card: str,
        sealed: tuple[str | None, str | None],
        chance: Chance,
    ) -> Step[State, LanternsEvent]:
        laid = _with(sealed, seat, card)
        down = LaidDown(seat=seat, card=card)
        first, second = laid
        if first is None or second is None:
            return Step(replace(state, phase=Laid(sealed=laid)), (down,))
        wind = chance.die(2)
        lights = self.light[first], self.light[second]
        leader = wind - 1 if lights[0] == lights[1] else lights.index(max(lights))
        shown = Shown(
            leader=leader,
            trailer=1 - leader,
            answer="contest" if self.options.contests else "pour",
            guesser=leader,
        )
        hands = tuple(
            tuple(held for held in state.hands[side] if held != laid[side]) for side in (0, 1)
        )
        return Step(
            replace(state, phase=shown, hands=hands, discard=(*state.discard, first, second)),
            (down, Revealed(cards=(first, second), wind=wind, leader=leader)),
        )

    def _contest(
        self, state: State, seat: int, shown: Shown, chance: Chance
    ) -> Step[State, LanternsEvent]:
        leader = seat if chance.die(2) == 2 else shown.leader
        return Step(
            replace(
                state,
                oil=_with(state.oil, seat, state.oil[seat] - 1),
                lamp=state.lamp + 1,
                phase=replace(shown, leader=leader, answer="pour"),
            ),
            (Contested(seat=seat, leader=leader),),
        )

    def _pour(
        self, state: State, seat: int, oil: int, shown: Shown, chance: Chance
    ) -> Step[State, LanternsEvent]:
        right = shown.guess == state.face_down
        purse = _with(state.oil, seat, state.oil[seat] - oil)
        lamp = state.lamp + oil
        found = min(1, lamp) if right else 0
        events: list[LanternsEvent] = [
            Poured(seat=seat, oil=oil),
            Turned(card=state.face_down, guesser=shown.guesser, guess=shown.guess),
            Lit(seat=shown.leader),
        ]
        state = replace(
            state,
            oil=_with(purse, shown.guesser, purse[shown.guesser] + found),
            lamp=lamp - found,
            lit=_with(state.lit, shown.leader, state.lit[shown.leader] + 1),
            discard=(*state.discard, state.face_down),
            face_down="",
        )
        if state.round == self.options.rounds:
            return Step(replace(state, phase=Over()), tuple(events))
        deal = self._deal(state, chance)
        return Step(
            replace(deal.state, round=state.round + 1, phase=Laid()), (*events, *deal.events)
        )

    def _deal(self, state: State, chance: Chance) -> Step[State, LanternsEvent]:
        deck, discard = state.deck, state.discard
        events: list[LanternsEvent] = []
        if len(deck) < HAND:
            deck, discard = (*deck, *chance.shuffled(discard)), ()
            events.append(Reshuffled(cards=len(deck)))
        hands = tuple(tuple(sorted((*state.hands[seat], deck[seat]))) for seat in (0, 1))
        events += (Dealt(seat=seat, cards=(deck[seat],)) for seat in (0, 1))
        return Step(
            replace(state, hands=hands, face_down=deck[2], deck=deck[HAND:], discard=discard),
            tuple(events),
        )

    def default_move(self, state: State, decision: Decision, chance: Chance) -> Move:
        match decision.kind:
            case "contest":
                return Accept()
            case "pour":
                return Pour(oil=0)
            case _:
                return self.legal_moves(state, decision.seat).any(chance)

    def window_s(self, state: State, decision: Decision) -> int | None:
        return CONTEST_S if decision.kind == "contest" else None

    def observe(self, state: State, viewer: Viewer) -> Observation:
        seat = viewer if isinstance(viewer, int) else None
        sealed = state.phase.sealed if isinstance(state.phase, Laid) else (None, None)
        shown = state.phase if isinstance(state.phase, Shown) else None
        return Observation(
            round=state.round,
            phase=shown.answer if shown else "over" if isinstance(state.phase, Over) else "lay",
            leader=shown.leader if shown else None,
            laid=(sealed[0] is not None, sealed[1] is not None),
            own_sealed=sealed[seat] if seat is not None else None,
            own_guess=shown.guess if shown and shown.guesser == seat else None,
            hand=state.hands[seat] if seat is not None else (),
            hand_sizes=(len(state.hands[0]), len(state.hands[1])),
            deck_size=len(state.deck),
            discard=state.discard,
            oil=state.oil,
            lamp=state.lamp,
            lit=state.lit,
        )

    def tell(self, event: LanternsEvent, viewer: Viewer) -> LanternsEvent | None:
        match event:
            case Dealt(seat=seat) if seat != viewer:
                return replace(event, cards=None)
            case LaidDown(seat=seat) | Guessed(seat=seat) if seat != viewer:
                return replace(event, card=None)
            case Accepted(seat=seat) if seat != viewer:
                return None
            case _:
                return event

    def outcome(self, state: State) -> Outcome | None:
        if not isinstance(state.phase, Over):
            return None
        scores = tuple(zip(state.lit, state.oil, strict=True))
        return Outcome(
            winners=tuple(seat for seat in (0, 1) if scores[seat] == max(scores)),
            reason=say(_("All lanterns are lit.")),
        )

    def reshuffle(self, state: State, chance: Chance) -> State:
        undrawn = (state.face_down, *state.deck) if state.face_down else state.deck
        undrawn = chance.shuffled(undrawn)
        if not state.face_down:
            return replace(state, deck=undrawn)
        return replace(state, face_down=undrawn[0], deck=undrawn[1:])

    def public_content(self) -> PublicContent:
        return PublicContent(cards=self.cards)

    def line(self, event: LanternsEvent) -> Text:
        match event:
            case Dealt(seat=seat, cards=cards):
                if cards is None:
                    return say(_("Seat %(seat)s drew."), seat=seat)
                return say(_("Seat %(seat)s drew %(cards)s."), seat=seat, cards=", ".join(cards))
            case LaidDown(seat=seat, card=card):
                if card is None:
                    return say(_("Seat %(seat)s laid a card."), seat=seat)
                return say(_("Seat %(seat)s laid %(card)s."), seat=seat, card=card)
            case Revealed(cards=cards, leader=leader):
                return say(
                    _("%(first)s against %(second)s: seat %(leader)s leads."),
                    first=cards[0],
                    second=cards[1],
                    leader=leader,
                )
            case Contested(seat=seat, leader=leader):
                return say(
                    _("Seat %(seat)s contested: seat %(leader)s leads."), seat=seat, leader=leader
                )
            case Accepted(seat=seat):
                return say(_("Seat %(seat)s accepted."), seat=seat)
            case Poured(seat=seat, oil=oil):
                return count(
                    "Seat %(seat)s poured %(count)s drop.",
                    "Seat %(seat)s poured %(count)s drops.",
                    oil,
                    seat=seat,
                )
            case Guessed(seat=seat, card=card):
                if card is None:
                    return say(_("Seat %(seat)s guessed."), seat=seat)
                return say(_("Seat %(seat)s guessed %(card)s."), seat=seat, card=card)
            case Turned(card=card):
                return say(_("%(card)s lay face down."), card=card)
            case Lit(seat=seat):
                return say(_("Seat %(seat)s lit a lantern."), seat=seat)
            case Reshuffled(cards=cards):
                return count(
                    "%(count)s card was shuffled.", "%(count)s cards were shuffled.", cards
                )
            case _:
                assert_never(event)

    def ask(self, state: State, decision: Decision) -> Text:
        return say(
            {
                "lay": _("Which card do you lay?"),
                "contest": _("Do you contest who leads?"),
                "pour": _("How much oil do you pour?"),
                "guess": _("Which card lies face down?"),
            }[decision.kind]
        )

    def waiting(self, state: State, decision: Decision) -> Text:
        return say(
            {
                "lay": _("%(seat)s chooses a card."),
                "contest": _("%(seat)s thinks about contesting."),
                "pour": _("%(seat)s pours oil."),
                "guess": _("%(seat)s may guess."),
            }[decision.kind],
            seat=LanternsGame.seat_names[decision.seat],
        )

    def standing(self, state: State) -> tuple[tuple[Figure, ...], ...]:
        return tuple(
            (
                Figure(
                    symbol="lantern",
                    value=state.lit[seat],
                    out_of=self.options.rounds,
                    label=say(_("Lanterns lit")),
                ),
                Figure(symbol="oil", value=state.oil[seat], label=say(_("Oil"))),
            )
            for seat in (0, 1)
        )

    def label(self, state: State, seat: int, move: Move) -> Text:
        match move:
            case Lay(card=card):
                return say(_("Lay %(card)s"), card=card)
            case Contest():
                return say(_("Contest"))
            case Accept():
                return say(_("Accept"))
            case Pour(oil=oil):
                return count("Pour %(count)s drop", "Pour %(count)s drops", oil)
            case Guess(card=card):
                return say(_("Guess %(card)s"), card=card)
            case _:
                assert_never(move)

    def cost(self, state: State, seat: int, move: Move) -> Text:
        match move:
            case Contest():
                left = state.oil[seat] - 1
            case Pour(oil=oil):
                left = state.oil[seat] - oil
            case Lay() | Accept() | Guess():
                return say(_("Costs nothing."))
            case _:
                assert_never(move)
        return say(_("Leaves you %(left)s oil."), left=left)

    def facts(self, play: Play) -> tuple[Fact, ...]:
        return tuple(
            Fact(
                kind=FactKind.KNOWLEDGE if isinstance(step.move, Guess) else FactKind.CHOICE,
                student=step.student,
                seat=step.seat,
                what="guess" if isinstance(step.move, Guess) else "answer",
                version=step.version,
            )
            for step in play.steps
            if step.student is not None and step.seat is not None and step.move is not None
        )


class LanternsGame(Game):
    key = "lanterns"
    title = say(_("Lanterns"))
    summary = say(_("Two seats light lanterns, and one guesses."))
    seats = range(2, 3)
    seat_names = (say(_("Dusk")), say(_("Dawn")))
    options_type = Options
    content = (ContentKind(key="cards", title=say(_("Cards"))),)
    state_type = State
    move_type = Move
    event_type = LanternsEvent
    acts: ClassVar[frozenset[str]] = frozenset({"accept"})

    def ruleset(self, options: Struct, content: Mapping[str, Any]) -> Lanterns:
        assert isinstance(options, Options)
        if problems := self.check("cards", content):
            raise ContentRefused(problems)
        return Lanterns(options, _cards(content))

    def check(self, key: str, content: Mapping[str, Any]) -> tuple[ContentProblem, ...]:
        cards = _cards(content)
        needed = 3 * HAND + 1
        if len({card.id for card in cards}) >= needed:
            return ()
        return (
            ContentProblem(
                kind=key,
                place="cards",
                rule="LAN-SETUP-1",
                text=count(
                    "Add cards until there is %(count)s different one.",
                    "Add cards until there are %(count)s different ones.",
                    needed,
                ),
            ),
        )


def _cards(content: Mapping[str, Any]) -> tuple[Card, ...]:
    return msgspec.convert(content["cards"]["cards"], tuple[Card, ...])


def _with(pair: tuple[Any, Any], seat: int, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


LANTERNS = LanternsGame()
