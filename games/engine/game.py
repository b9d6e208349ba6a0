"""What a game must answer. See docs/architecture.md, "The engine".

A ``Game`` is one entry of the catalogue. ``Game.ruleset`` fixes its options and
content and computes its tables once; a match then only asks the ``Ruleset``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from games.engine.chance import Chance
from games.engine.facts import Fact, Play
from games.engine.moves import Moves
from games.engine.story import Asked, Mark
from games.engine.text import Text

if TYPE_CHECKING:  # they are made of what stands here
    from games.bots.bot import Bot
    from games.bots.simulation import Meter

S = TypeVar("S", bound=Struct)
M = TypeVar("M", bound=Struct)
E = TypeVar("E", bound="Event")


class Watcher(Enum):
    """Who looks on without a seat."""

    PUBLIC = "public"  # the projector, other classmates: only what everybody may know
    TEACHER = "teacher"


Viewer = int | Watcher  # a seat, from 0, or somebody without one


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """Something that happened, as a domain fact. Subclasses are a tagged union.

    Subclasses set ``rule`` for the class or compute it. Events are plain facts
    that form no cycles, so the garbage collector need not look at them.
    """

    @property
    def rule(self) -> str:
        """The rule that made it happen; log lines link to it."""
        raise NotImplementedError


class Decision(Struct, frozen=True, kw_only=True):
    """An answer that a seat owes or may give. At most one is open for a seat.

    Two decisions with equal fields are the same decision as long as the seat has
    not answered in between; a game puts into ``about`` what makes a new one.
    """

    seat: int
    kind: str
    about: str = ""
    required: bool = True  # play waits for it
    knowledge: bool = False  # asks what the team knows: each member answers alone first


class Step(Struct, Generic[S, E], frozen=True, gc=False):
    """The state after something happened, and what happened in order."""

    state: S
    events: tuple[E, ...] = ()


class Outcome(Struct, frozen=True, kw_only=True):
    """How a match ended: the seats that won (none: nobody) and why."""

    winners: tuple[int, ...]
    reason: Text


class Figure(Struct, frozen=True, kw_only=True):
    """One public number of a seat, as desk and strip show it: a symbol, a number, its words."""

    symbol: str  # id in static/symbols.svg
    value: int
    out_of: int | None = None
    label: Text


class ContentProblem(Struct, frozen=True, kw_only=True):
    """One thing wrong with a board or deck: where, and how to mend it."""

    kind: str  # which content, as in ContentKind.key
    place: str  # id of the card, square or field, for the editor to jump to
    rule: str
    text: Text


class ContentRefused(ValueError):
    """Raised when boards or decks do not fit the game; nothing was set up."""

    def __init__(self, problems: Sequence[ContentProblem]) -> None:
        super().__init__(f"{len(problems)} problems in the content")
        self.problems = tuple(problems)


class ContentKind(Struct, frozen=True, kw_only=True):
    """One board or deck that a game needs."""

    key: str  # "board", "qa": the name under which Game.ruleset expects it
    title: Text


class Ruleset(ABC, Generic[S, M, E]):
    """One game with options and content fixed: pure functions over its states."""

    plotted: ClassVar[Sequence[str]] = ()  # symbols of the figures that a story plots
    fact_names: ClassVar[Mapping[str, Text]] = {}  # Fact.what, in the order of a report
    fact_values: ClassVar[Mapping[str, Text]] = {}  # Fact.value that are words

    @abstractmethod
    def setup(self, seats: int, chance: Chance) -> Step[S, E]:
        """The first state for ``seats`` teams."""

    @abstractmethod
    def decisions(self, state: S) -> tuple[Decision, ...]:
        """All decisions open now, at most one a seat; none means that the match is over."""

    @abstractmethod
    def legal_moves(self, state: S, seat: int) -> Moves[M]:
        """What the seat may answer now.

        Raises:
            NothingToDecide: no decision is open for the seat.
        """

    @abstractmethod
    def apply(self, state: S, seat: int, move: M, chance: Chance) -> Step[S, E]:
        """The state and events after ``seat`` plays ``move``.

        Raises:
            IllegalMove: a refusal of the engine or of the game; nothing has changed.
        """

    @abstractmethod
    def default_move(self, state: S, decision: Decision, chance: Chance) -> M:
        """The move played for a team that does not answer in time."""

    def window_s(self, state: S, decision: Decision) -> int | None:
        """Seconds that the rules themselves allow for this decision, or None."""
        return None

    @abstractmethod
    def observe(self, state: S, viewer: Viewer) -> Struct:
        """What the viewer may know of the state, whole."""

    @abstractmethod
    def tell(self, event: E, viewer: Viewer) -> E | None:
        """What of the event the viewer may know; None if nothing."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How it ended, once no decision is open."""

    @abstractmethod
    def reshuffle(self, state: S, chance: Chance) -> S:
        """The state with everything undrawn in a new order, for a rewind (docs/architecture.md)."""

    @abstractmethod
    def public_content(self) -> Struct:
        """Board, labels and texts that everybody may know from the first moment."""

    @abstractmethod
    def line(self, event: E) -> Text:
        """The event as a line of the log."""

    @abstractmethod
    def ask(self, state: S, decision: Decision) -> Text:
        """The decision as one sentence that says what the team must decide."""

    @abstractmethod
    def waiting(self, state: S, decision: Decision) -> Text:
        """The decision as everybody else reads it: "Red decides what to buy"."""

    @abstractmethod
    def standing(self, state: S) -> tuple[tuple[Figure, ...], ...]:
        """The few public numbers of each seat that tell how it stands, seat by seat."""

    @abstractmethod
    def label(self, state: S, seat: int, move: M) -> Text:
        """The move as words on a button, verb first."""

    @abstractmethod
    def cost(self, state: S, seat: int, move: M) -> Text:
        """What the move costs and what is left after it."""

    def turn_begins(self, event: E) -> int | None:
        """The seat whose turn comes with ``event``, played or missed; a game may have no turns."""
        return None

    def marks(self, event: E) -> tuple[Mark, ...]:
        """The landmarks of an event, for the story of a match."""
        return ()

    def asked(self, state: S, event: E) -> Asked | None:
        """The question to which ``event`` is the final answer; ``state`` is the one before it."""
        return None

    def open_question(self, state: S) -> Asked | None:
        """The question that waits for its answer, with the right one: for the teacher alone."""
        return None

    def skip_question(self, state: S) -> M | None:
        """The move by which a teacher takes the open question away; None while none is open.

        It is on no list of legal moves, so that no team can play it.
        """
        return None

    @abstractmethod
    def facts(self, play: Play) -> tuple[Fact, ...]:
        """What the log tells about each student."""


class Game(ABC):
    """One game of the catalogue. Instances hold no state."""

    key: ClassVar[str]
    title: ClassVar[Text]
    summary: ClassVar[Text]  # one sentence for teachers who choose
    seats: ClassVar[range]
    seat_names: ClassVar[tuple[Text, ...]]  # "Red", "Blue"
    options_type: ClassVar[type[Struct]]  # frozen; see games.engine.options
    content: ClassVar[tuple[ContentKind, ...]]
    state_type: ClassVar[Any]
    move_type: ClassVar[Any]  # a tagged union of Structs
    event_type: ClassVar[Any]
    acts: ClassVar[frozenset[str]]  # tags of moves that need no vote (COR-DEC-1)

    @abstractmethod
    def ruleset(self, options: Struct, content: Mapping[str, Any]) -> Ruleset[Any, Any, Any]:
        """The rules for one match.

        ``content`` holds plain values (dicts, lists, strings, numbers) by
        ContentKind.key.

        Raises:
            ContentRefused: content that breaks the game's rules for boards and decks.
        """

    @abstractmethod
    def check(self, key: str, content: Mapping[str, Any]) -> tuple[ContentProblem, ...]:
        """Everything wrong with one kind of content, beside the others given."""

    def bots(self, content: Mapping[str, Any]) -> tuple[Bot, ...]:
        """The bots that know the game, the usual one first; none: any legal move is played."""
        return ()

    def meter(self, options: Struct, content: Mapping[str, Any]) -> Meter | None:
        """What collects figures of simulated matches; None: turns and moves are counted alone."""
        return None
