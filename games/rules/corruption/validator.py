"""Finds everything wrong with a board or deck of Corruption!, and says how to mend it.

Works on plain values, since a file with mistakes has no better form yet. Fields
that no rule names (pictures, notes) are left alone. Rules: docs/rules/corruption.md,
COR-BOARD-2 to 4, COR-DECK-1 and 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, get_args

from games.engine.game import ContentProblem
from games.engine.text import Text, count, gettext_noop as _, say

SquareKind = Literal[
    "start",
    "category",
    "chance",
    "joker",
    "insurance",
    "national_disaster",
    "local_disaster",
    "donation",
    "corruption",
    "inspector",
    "qa",
    "central_bank",
    "prison",
]
Letter = Literal["a", "b", "c", "d"]

LETTERS: tuple[Letter, ...] = get_args(Letter)
TEAMS = ("red", "blue")  # seat 0 and seat 1, as a board file names them
CATEGORIES = 6  # COR-CAT-1
FACES = 6  # COR-MOVE-1
NATIONAL_COST = 2  # COR-NND-4, COR-NND-8
NATIONAL_INSURED_COST = 1  # COR-NND-3
DISCOUNT_PCT = 50  # COR-DON-2
LONGEST_TEXT = 600  # signs; what fits on a card

_BOARD_RULE = "COR-BOARD-4"
_DECK_RULE = "COR-DECK-1"
_ONLY_ONE = ("start", "central_bank", "prison")
_WORDS = {  # what must be written on a card
    "corruption": ("topic", "text", "why"),
    "national": ("hazard", "text"),
    "local": ("hazard", "text"),
    "donation": ("text",),
    "qa": ("topic", "question", "explanation"),
}
_FIELDS = {
    "title": say(_("title")),
    "label": say(_("name")),
    "color": say(_("colour")),
    "color_name": say(_("name of the colour")),
    "topic": say(_("topic")),
    "text": say(_("text")),
    "why": say(_("“why it matters” line")),
    "hazard": say(_("kind of disaster")),
    "question": say(_("question")),
    "explanation": say(_("explanation")),
}


def problems(key: str, content: Mapping[str, Any]) -> tuple[ContentProblem, ...]:
    """Everything wrong with the board or deck ``key`` of ``content``, in its own order.

    Decks are checked against ``content["board"]`` as far as it is given and readable.

    Rules: COR-BOARD-2, COR-BOARD-4, COR-DECK-1, COR-DECK-2.
    """
    plain = content.get(key)
    found = _Found(key)
    if not isinstance(plain, Mapping):
        rule = _BOARD_RULE if key == "board" else _DECK_RULE
        found.add("", rule, _("There is nothing here yet. Choose a board or deck."))
    elif key == "board":
        _check_board(found, plain)
    else:
        _check_deck(found, key, plain, _mapping(content.get("board")))
    return tuple(found.problems)


class _Found:
    """Collects problems of one board or deck."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.problems: list[ContentProblem] = []

    def add(self, place: str, rule: str, text: str | Text, **values: Any) -> None:
        """``text``: a sentence with its ``values``, or one that is whole already."""
        said = say(text, **values) if isinstance(text, str) else text
        self.problems.append(ContentProblem(kind=self.kind, place=place, rule=rule, text=said))

    def words(
        self, item: Mapping[str, Any], fields: Iterable[str], place: str, rule: str, who: Text
    ) -> None:
        """Each field must be there, in words, and not longer than a card; ``who`` has it."""
        for field in fields:
            value, name = item.get(field), _FIELDS[field]
            if not isinstance(value, str) or not value.strip():
                text = _("%(who)s: the %(field)s is missing. Write it.")
                self.add(place, rule, text, who=who, field=name)
            elif len(value) > LONGEST_TEXT:
                text = _("%(who)s: the %(field)s is longer than %(limit)s characters. Shorten it.")
                self.add(place, rule, text, who=who, field=name, limit=LONGEST_TEXT)


# Boards


def _check_board(found: _Found, board: Mapping[str, Any]) -> None:
    found.words(board, ("title",), "board", _BOARD_RULE, say(_("The board")))
    categories = _items(board, "categories")
    properties = _items(board, "properties")
    squares = _items(board, "squares")
    _check_ids(found, categories, _BOARD_RULE, say(_("categories")))
    _check_ids(found, properties, _BOARD_RULE, say(_("properties")))
    _check_ids(found, _items(board, "shared_properties"), _BOARD_RULE, say(_("shared properties")))
    for shared in _items(board, "shared_properties"):
        who = say(_("Shared property %(name)s"), name=_id(shared))
        found.words(shared, ("label",), _id(shared), _BOARD_RULE, who)
    _check_categories(found, categories, properties, squares)
    _check_properties(found, properties, categories)
    _check_squares(found, squares, {_id(category) for category in categories})
    _check_fish(found, board)
    _check_die(found, board)


def _check_categories(
    found: _Found,
    categories: list[Mapping[str, Any]],
    properties: list[Mapping[str, Any]],
    squares: list[Mapping[str, Any]],
) -> None:
    if len(categories) != CATEGORIES:
        found.add(
            "categories",
            _BOARD_RULE,
            count(
                "A board needs six categories and this one has %(count)s. Add or remove some.",
                "A board needs six categories and this one has %(count)s. Add or remove some.",
                len(categories),
            ),
        )
    faces = Counter(_whole(category.get("die")) for category in categories)
    for category in categories:
        name = _id(category)
        who = say(_("Category %(name)s"), name=name)
        found.words(category, ("label", "color", "color_name"), name, _BOARD_RULE, who)
        die = _whole(category.get("die"))
        if die is None or not 1 <= die <= FACES or faces[die] > 1:
            text = _("Category %(name)s needs a die face from 1 to 6 that no other category has.")
            found.add(name, _BOARD_RULE, text, name=name)
        if not any(_ref(square, "category") == name for square in squares):
            text = _("Category %(name)s has no square. Give it one on the board.")
            found.add(name, _BOARD_RULE, text, name=name)
        own = [_id(item) for item in properties if _ref(item, "category") == name]
        if not own:
            text = _("Category %(name)s has no property. Give it one.")
            found.add(name, _BOARD_RULE, text, name=name)
        listed = category.get("properties")
        if listed is not None and (
            not isinstance(listed, list) or sorted(map(str, listed)) != sorted(own)
        ):
            text = _(
                "Category %(name)s lists other properties than those that name it. "
                "Let each property belong to one category."
            )
            found.add(name, _BOARD_RULE, text, name=name)


def _check_properties(
    found: _Found, properties: list[Mapping[str, Any]], categories: list[Mapping[str, Any]]
) -> None:
    known = {_id(category) for category in categories}
    for item in properties:
        name = _id(item)
        who = say(_("Property %(name)s"), name=name)
        found.words(item, ("label",), name, _BOARD_RULE, who)
        if _ref(item, "category") not in known:
            text = _("Property %(name)s belongs to no category of the board. Choose one.")
            found.add(name, _BOARD_RULE, text, name=name)
        price = _whole(item.get("price"))
        if price is None or price < 1:
            text = _("Property %(name)s needs a price in whole fish, at least 1.")
            found.add(name, _BOARD_RULE, text, name=name)


def _check_squares(found: _Found, squares: list[Mapping[str, Any]], categories: set[str]) -> None:
    for place, square in enumerate(squares):
        name = str(place)
        kind = square.get("kind")
        who = say(_("Square %(number)s"), number=place)
        found.words(square, ("label",), name, _BOARD_RULE, who)
        if _whole(square.get("index")) != place:
            text = _("Square %(number)s carries another number. Number the squares from 0 on.")
            found.add(name, _BOARD_RULE, text, number=place)
        if kind not in get_args(SquareKind):
            text = _("Square %(number)s is of no known kind. Choose one from the list.")
            found.add(name, _BOARD_RULE, text, number=place)
        if (kind == "category") != (square.get("category") is not None) or (
            kind == "category" and _ref(square, "category") not in categories
        ):
            text = _(
                "Square %(number)s must name a category of the board if it is a category square."
            )
            found.add(name, _BOARD_RULE, text, number=place)
        if (kind == "insurance") != (square.get("team") is not None) or (
            kind == "insurance" and _ref(square, "team") not in TEAMS
        ):
            text = _("Square %(number)s must name red or blue if it is an insurance square.")
            found.add(name, _BOARD_RULE, text, number=place)
    _check_kinds(found, squares)


def _check_kinds(found: _Found, squares: list[Mapping[str, Any]]) -> None:
    kinds = Counter(str(square.get("kind")) for square in squares)
    names = {
        "start": say(_("Start")),
        "central_bank": say(_("Central Bank")),
        "prison": say(_("Prison")),
    }
    for kind in _ONLY_ONE:
        if kinds[kind] != 1:
            text = _("The board needs exactly one %(kind)s square and has %(have)s.")
            found.add(kind, _BOARD_RULE, text, kind=names[kind], have=kinds[kind])
    if kinds["start"] == 1 and squares[0].get("kind") != "start":
        found.add("start", _BOARD_RULE, _("Start must be the first square. Move it there."))
    if not kinds["inspector"]:
        found.add("inspector", _BOARD_RULE, _("The board has no Inspector. Add one."))
    insurance = Counter(
        str(square.get("team")) for square in squares if square.get("kind") == "insurance"
    )
    red, blue = (insurance[team] for team in TEAMS)
    if red != blue:
        text = _(
            "Red has %(red)s insurance squares and blue %(blue)s. Give both teams the same number."
        )
        found.add("insurance", _BOARD_RULE, text, red=red, blue=blue)


def _check_fish(found: _Found, board: Mapping[str, Any]) -> None:
    total = _whole(board.get("fish_total"))
    start = _whole(board.get("starting_fish"))
    if total is None or start is None or start < 0 or total < start * len(TEAMS):
        text = _(
            "The fish of the board must be whole numbers, and enough for what both teams begin "
            "with. Raise the total or lower the start."
        )
        found.add("fish_total", _BOARD_RULE, text)


def _check_die(found: _Found, board: Mapping[str, Any]) -> None:
    die = board.get("die")
    if die is not None and die != {"count": 1, "faces": FACES}:
        text = _("The game is played with one die of six faces. Remove the other die.")
        found.add("die", "COR-MOVE-1", text)
    length = board.get("length")
    if length is not None and length != len(_items(board, "squares")):
        text = _("The board says that it has %(length)s squares, but it lists %(have)s.")
        have = len(_items(board, "squares"))
        found.add("length", _BOARD_RULE, say(text, length=str(length), have=have))


# Decks


def _check_deck(found: _Found, key: str, deck: Mapping[str, Any], board: Mapping[str, Any]) -> None:
    cards = _items(deck, "cards")
    if not cards:
        found.add("cards", _DECK_RULE, _("The deck is empty. Add at least one card."))
    _check_ids(found, cards, _DECK_RULE, say(_("cards")))
    for card in cards:
        who = say(_("Card %(card)s"), card=_id(card))
        found.words(card, _WORDS[key], _id(card), _DECK_RULE, who)
    _DECK_CHECKS[key](found, deck, cards, board)


def _check_corruption(
    found: _Found,
    deck: Mapping[str, Any],
    cards: list[Mapping[str, Any]],
    board: Mapping[str, Any],
) -> None:
    for card in cards:
        name = _id(card)
        if not _between(card.get("miss_turns"), 0, 2):
            text = _("Card %(card)s: missed turns must be 0, 1 or 2.")
            found.add(name, _DECK_RULE, text, card=name)
        if not _between(card.get("fish"), 0, 4):
            text = _("Card %(card)s: the fine must be a whole number of fish from 0 to 4.")
            found.add(name, _DECK_RULE, text, card=name)


def _check_national(
    found: _Found,
    deck: Mapping[str, Any],
    cards: list[Mapping[str, Any]],
    board: Mapping[str, Any],
) -> None:
    costs = (deck.get("cost", NATIONAL_COST), deck.get("insured_cost", NATIONAL_INSURED_COST))
    if costs != (NATIONAL_COST, NATIONAL_INSURED_COST):
        text = _("Every national disaster costs 2 fish, 1 if insured. Set these numbers back.")
        found.add("cost", "COR-NND-8", text)
    shared = {_id(item) for item in _items(board, "shared_properties")}
    for card in cards:
        name = _id(card)
        if board and _ref(card, "shared_property") not in shared:
            text = _("Card %(card)s names nothing that both villages share. Choose from the board.")
            found.add(name, _DECK_RULE, text, card=name)


def _check_local(
    found: _Found,
    deck: Mapping[str, Any],
    cards: list[Mapping[str, Any]],
    board: Mapping[str, Any],
) -> None:
    if not board:
        return
    properties = [_id(item) for item in _items(board, "properties")]
    for card in cards:
        name = _id(card)
        if _ref(card, "property") not in properties:
            text = _(
                "Card %(card)s names no property of the board. Choose one, or remove the card."
            )
            found.add(name, _DECK_RULE, text, card=name)
    covered = {_ref(card, "property") for card in cards}
    for missing in properties:
        if missing not in covered:
            text = _("No card strikes the property %(name)s. Add one.")
            found.add(missing, _DECK_RULE, text, name=missing)


def _check_donation(
    found: _Found,
    deck: Mapping[str, Any],
    cards: list[Mapping[str, Any]],
    board: Mapping[str, Any],
) -> None:
    if deck.get("discount_pct", DISCOUNT_PCT) != DISCOUNT_PCT:
        text = _("A donation always halves the price. Set the discount back to 50.")
        found.add("discount_pct", "COR-DON-2", text)
    categories = {_id(item) for item in _items(board, "categories")}
    for card in cards:
        name = _id(card)
        if board and _ref(card, "category") not in categories:
            text = _("Card %(card)s names no category of the board. Choose one.")
            found.add(name, _DECK_RULE, text, card=name)


def _check_qa(
    found: _Found,
    deck: Mapping[str, Any],
    cards: list[Mapping[str, Any]],
    board: Mapping[str, Any],
) -> None:
    for card in cards:
        name = _id(card)
        if not _between(card.get("difficulty"), 1, 3):
            text = _("Card %(card)s: the difficulty must be 1, 2 or 3.")
            found.add(name, _DECK_RULE, text, card=name)
        options = _mapping(card.get("options"))
        answers = [_ref(options, letter).strip().casefold() for letter in LETTERS]
        if set(options) != set(LETTERS) or not all(answers):
            text = _("Card %(card)s needs four answers, a to d. Write those that are missing.")
            found.add(name, _DECK_RULE, text, card=name)
        elif len(set(answers)) < len(LETTERS):
            text = _("Card %(card)s has the same answer twice. Change one of them.")
            found.add(name, _DECK_RULE, text, card=name)
        if card.get("correct") not in LETTERS:
            text = _("Card %(card)s: mark which of the answers a to d is right.")
            found.add(name, _DECK_RULE, text, card=name)


_DeckCheck = Callable[[_Found, Mapping[str, Any], list[Mapping[str, Any]], Mapping[str, Any]], None]
_DECK_CHECKS: Mapping[str, _DeckCheck] = {
    "corruption": _check_corruption,
    "national": _check_national,
    "local": _check_local,
    "donation": _check_donation,
    "qa": _check_qa,
}


# Reading plain values of any shape


def _check_ids(found: _Found, items: list[Mapping[str, Any]], rule: str, what: Text) -> None:
    ids = Counter(_id(item) for item in items)
    for name, times in ids.items():
        if not name:
            text = _("One of the %(what)s has no id. Give it a short one that no other has.")
            found.add("", rule, text, what=what)
        elif times > 1:
            text = _("Two of the %(what)s have the id %(id)s. Change one of them.")
            found.add(name, rule, text, what=what, id=name)


def _items(plain: Mapping[str, Any], field: str) -> list[Mapping[str, Any]]:
    value = plain.get(field)
    return [_mapping(item) for item in value] if isinstance(value, list | tuple) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _id(item: Mapping[str, Any]) -> str:
    value = _ref(item, "id")
    return value if value.strip() else ""


def _ref(item: Mapping[str, Any], field: str) -> str:
    value = item.get(field)
    return value if isinstance(value, str) else ""


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _between(value: Any, low: int, high: int) -> bool:
    number = _whole(value)
    return number is not None and low <= number <= high
