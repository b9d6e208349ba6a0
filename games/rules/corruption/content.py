"""Board and decks of Corruption!, as values with their tables computed once.

Content arrives as plain values (dicts, lists, strings, numbers), is checked
whole by ``validator`` and becomes ``Content``. Rules: docs/rules/corruption.md,
"Board" and "Decks" (COR-BOARD-*, COR-DECK-*).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from games.engine.game import ContentKind, ContentProblem, ContentRefused
from games.engine.text import gettext_noop as _, say
from games.rules.corruption import validator
from games.rules.corruption.validator import TEAMS, Letter, SquareKind

KINDS = (
    ContentKind(key="board", title=say(_("Board"))),
    ContentKind(key="corruption", title=say(_("Corruption cards"))),
    ContentKind(key="national", title=say(_("National Natural Disaster cards"))),
    ContentKind(key="local", title=say(_("Local Natural Disaster cards"))),
    ContentKind(key="donation", title=say(_("Donation cards"))),
    ContentKind(key="qa", title=say(_("Question & Answer cards"))),
)
KEYS = tuple(kind.key for kind in KINDS)


class Square(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One square. ``category`` is set on category squares, ``team`` on insurance squares."""

    index: int  # from 0
    kind: SquareKind
    label: str
    category: str | None = None
    team: int | None = None  # the seat whose insurance it is


class Property(Struct, frozen=True, kw_only=True):
    id: str
    category: str
    price: int  # fish, at least 1
    label: str


class Category(Struct, frozen=True, kw_only=True):
    """One category. ``squares`` and ``properties`` in board order."""

    id: str
    label: str
    color_name: str
    color: str  # "#D32F2F"
    die: int  # face beside it on every Chance square
    properties: tuple[str, ...]
    squares: tuple[int, ...]

    @property
    def tax(self) -> int:
        """Fish due by a team that has completed the category (COR-CAT-14)."""
        return len(self.properties)


class SharedProperty(Struct, frozen=True, kw_only=True):
    """Something that both villages use; never bought, sold or lost (COR-NND-8)."""

    id: str
    label: str


class Board(Struct, frozen=True, kw_only=True):
    """One board with the tables that the rules look things up in.

    Mappings keep the order of the board file. Tables over squares have one entry
    for each square.
    """

    title: str
    fish_total: int
    starting_fish: int  # per team
    squares: tuple[Square, ...]
    categories: Mapping[str, Category]
    properties: Mapping[str, Property]
    shared_properties: Mapping[str, SharedProperty]

    squares_of: Mapping[str, tuple[int, ...]]  # by kind of square
    category_of_die: tuple[str, ...]  # face 1 first (COR-CHANCE-1)
    rank: Mapping[str, int]  # property -> its place in the board file, for ties
    category_ahead: Mapping[str, tuple[int, ...]]  # category -> its next square ahead of each
    inspector_nearest: tuple[int, ...]  # either way, tie forward (COR-WIN-5)
    inspector_ahead: tuple[int, ...]  # the next one ahead
    village_cost: int  # fish, all properties together

    @property
    def prison(self) -> int:
        return self.squares_of["prison"][0]

    def first_square(self, category: str) -> int:
        """The first square of the category, counted from Start (COR-CHANCE-3)."""
        return self.categories[category].squares[0]


class CorruptionCard(Struct, frozen=True, kw_only=True):
    id: str
    topic: str
    miss_turns: int  # 0-2
    fish: int  # 0-4, fine to the river
    text: str
    why: str  # why it matters (COR-GOAL-7)


class NationalCard(Struct, frozen=True, kw_only=True):
    id: str
    shared_property: str
    hazard: str
    text: str


class LocalCard(Struct, frozen=True, kw_only=True):
    id: str
    property: str
    hazard: str
    text: str


class DonationCard(Struct, frozen=True, kw_only=True):
    id: str
    category: str
    text: str


class CardPicture(Struct, frozen=True, kw_only=True):
    """A picture of a question, by its id, and the words that replace it."""

    id: str
    alt: str = ""


class QuestionCard(Struct, frozen=True, kw_only=True):
    """One question. ``correct`` and ``explanation`` are secret until it is answered (COR-QA-3)."""

    id: str
    topic: str
    difficulty: int  # 1 easy - 3 hard
    question: str
    options: Mapping[Letter, str]
    correct: Letter
    explanation: str
    language: str = ""  # of its texts, where it is not that of the match
    picture: CardPicture | None = None


class Content(Struct, frozen=True, kw_only=True):
    """Everything that a match of Corruption! is played with; decks by card id, in file order."""

    board: Board
    corruption: Mapping[str, CorruptionCard]
    national: Mapping[str, NationalCard]
    local: Mapping[str, LocalCard]
    donation: Mapping[str, DonationCard]
    qa: Mapping[str, QuestionCard]


CARD_TYPES: Mapping[str, type[Struct]] = {
    "corruption": CorruptionCard,
    "national": NationalCard,
    "local": LocalCard,
    "donation": DonationCard,
    "qa": QuestionCard,
}


def check(key: str, content: Mapping[str, Any]) -> tuple[ContentProblem, ...]:
    """Everything wrong with the board or deck ``key``, beside the rest of ``content``.

    Rules: COR-BOARD-4, COR-DECK-1, COR-DECK-2.
    """
    return validator.problems(key, content)


def parse(content: Mapping[str, Any]) -> Content:
    """The content of plain values (dicts, lists, strings, numbers) by the keys of ``KINDS``.

    Raises:
        ContentRefused: with all problems of board and decks.

    Rules: COR-BOARD-4, COR-DECK-1, COR-DECK-2.
    """
    if problems := [problem for key in KEYS for problem in check(key, content)]:
        raise ContentRefused(problems)
    decks: dict[str, Any] = {
        key: {card["id"]: msgspec.convert(card, card_type) for card in content[key]["cards"]}
        for key, card_type in CARD_TYPES.items()
    }
    return Content(board=_board(content["board"]), **decks)


def _board(plain: Mapping[str, Any]) -> Board:
    """The board of plain values, with its tables."""
    squares = tuple(_square(square) for square in plain["squares"])
    properties = msgspec.convert(plain["properties"], tuple[Property, ...])
    categories = tuple(_category(category, squares, properties) for category in plain["categories"])
    squares_of: dict[str, tuple[int, ...]] = {}
    for square in squares:
        squares_of[square.kind] = (*squares_of.get(square.kind, ()), square.index)
    return Board(
        title=plain["title"],
        fish_total=plain["fish_total"],
        starting_fish=plain["starting_fish"],
        squares=squares,
        categories={category.id: category for category in categories},
        properties={item.id: item for item in properties},
        shared_properties={
            item["id"]: msgspec.convert(item, SharedProperty)
            for item in plain.get("shared_properties", ())
        },
        squares_of=squares_of,
        category_of_die=tuple(c.id for c in sorted(categories, key=lambda c: c.die)),
        rank={item.id: place for place, item in enumerate(properties)},
        category_ahead={
            category.id: _next_ahead(category.squares, len(squares)) for category in categories
        },
        inspector_nearest=_nearest(squares_of["inspector"], len(squares)),
        inspector_ahead=_next_ahead(squares_of["inspector"], len(squares)),
        village_cost=sum(item.price for item in properties),
    )


def _square(plain: Mapping[str, Any]) -> Square:
    team = plain.get("team")
    return Square(
        index=plain["index"],
        kind=plain["kind"],
        label=plain["label"],
        category=plain.get("category"),
        team=None if team is None else TEAMS.index(team),
    )


def _category(
    plain: Mapping[str, Any], squares: tuple[Square, ...], properties: tuple[Property, ...]
) -> Category:
    return Category(
        id=plain["id"],
        label=plain["label"],
        color_name=plain["color_name"],
        color=plain["color"],
        die=plain["die"],
        properties=tuple(item.id for item in properties if item.category == plain["id"]),
        squares=tuple(square.index for square in squares if square.category == plain["id"]),
    )


def _next_ahead(targets: tuple[int, ...], size: int) -> tuple[int, ...]:
    """For each square, the target that a walk from it meets first (never itself unless alone)."""
    return tuple(
        min(targets, key=lambda target: (target - here - 1) % size) for here in range(size)
    )


def _nearest(targets: tuple[int, ...], size: int) -> tuple[int, ...]:
    """For each square, the target fewest squares away in either direction; a tie goes forward."""

    def distance(here: int, target: int) -> tuple[int, int]:
        ahead = (target - here) % size
        return min(ahead, size - ahead), ahead

    return tuple(min(targets, key=lambda target: distance(here, target)) for here in range(size))
