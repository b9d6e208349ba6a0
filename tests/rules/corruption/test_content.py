"""Boards and decks: their tables, and every mistake named with its mend."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from games.decks.starters import starter_content
from games.engine.game import ContentRefused
from games.engine.text import english
from games.rules.corruption.content import KEYS, check, parse

STARTER = starter_content("corruption")


@pytest.fixture
def plain() -> dict[str, Any]:
    return copy.deepcopy(STARTER)


def sentences(key: str, plain: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(each.place, each.rule, english(each.text)) for each in check(key, plain)]


def square(plain: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(each for each in plain["board"]["squares"] if each["kind"] == kind)


@pytest.mark.rule("COR-BOARD-1", "COR-BOARD-3", "COR-CAT-1")
def test_default_board_has_48_squares_six_categories_and_100_fish():
    board = parse(STARTER).board

    kinds = {kind: len(indices) for kind, indices in board.squares_of.items()}
    assert (len(board.squares), board.fish_total, board.starting_fish) == (48, 100, 6)
    assert kinds == {
        "start": 1,
        "category": 18,
        "corruption": 7,
        "qa": 3,
        "insurance": 4,
        "central_bank": 1,
        "local_disaster": 2,
        "chance": 3,
        "joker": 2,
        "inspector": 2,
        "donation": 2,
        "prison": 1,
        "national_disaster": 2,
    }
    assert {c.id: (c.die, c.color_name, c.squares, c.tax) for c in board.categories.values()} == {
        "public": (1, "red", (1, 14, 28), 3),
        "agriculture": (2, "green", (3, 19, 30), 2),
        "tourism": (3, "purple", (7, 23, 39), 3),
        "educational": (4, "orange", (5, 17, 33), 2),
        "industrial": (5, "grey", (9, 21, 35), 2),
        "environment": (6, "teal", (11, 26, 41), 2),
    }


@pytest.mark.rule("COR-BOARD-2")
def test_default_prices_are_even_and_custom_ones_may_be_odd(plain):
    plain["board"]["properties"][0]["price"] = 5

    default = parse(STARTER).board
    custom = parse(plain).board

    assert {item.id: item.price for item in default.properties.values()} == {
        "harbor": 6,
        "house": 2,
        "hospital": 4,
        "farm": 2,
        "mill": 4,
        "hotel": 6,
        "museum": 4,
        "restaurant": 2,
        "school": 4,
        "library": 2,
        "factory": 4,
        "power_station": 6,
        "waterworks": 6,
        "park": 2,
    }
    assert (default.village_cost, custom.village_cost) == (54, 53)


@pytest.mark.rule("COR-CHANCE-1", "COR-CHANCE-3")
def test_chance_leads_to_the_first_square_of_the_category_of_the_die():
    board = parse(STARTER).board

    targets = [(name, board.first_square(name)) for name in board.category_of_die]

    assert targets == [
        ("public", 1),
        ("agriculture", 3),
        ("tourism", 7),
        ("educational", 5),
        ("industrial", 9),
        ("environment", 11),
    ]


@pytest.mark.rule("COR-WIN-5")
def test_closest_inspector_is_looked_up_both_ways_and_ahead():
    board = parse(STARTER).board

    nearest = [board.inspector_nearest[here] for here in (41, 11, 1, 43)]
    ahead = [board.inspector_ahead[here] for here in (41, 11, 1, 43)]

    assert nearest == [43, 20, 43, 43]
    assert ahead == [43, 20, 20, 20]


def test_equally_far_inspectors_are_settled_forward(plain):
    for each in plain["board"]["squares"]:
        if each["kind"] == "inspector":
            each.update(kind="joker")
    plain["board"]["squares"][4].update(kind="inspector")
    plain["board"]["squares"][8].update(kind="inspector")

    board = parse(plain).board

    assert board.inspector_nearest[6] == 8


def test_next_category_square_ahead_is_never_the_same_square():
    board = parse(STARTER).board

    ahead = [board.category_ahead["public"][here] for here in (0, 1, 13, 28, 47)]

    assert ahead == [1, 14, 14, 1, 1]


@pytest.mark.rule("COR-DECK-1")
def test_starter_decks_have_their_cards_and_nothing_wrong():
    content = parse(STARTER)

    counts = [len(getattr(content, key)) for key in KEYS if key != "board"]
    corruption = content.corruption.values()
    assert counts == [28, 10, 14, 12, 30]
    assert [sum(card.miss_turns == n for card in corruption) for n in (0, 1, 2)] == [9, 14, 5]
    assert sum(card.fish for card in corruption) == 57
    assert sorted(card.property for card in content.local.values()) == sorted(
        content.board.properties
    )


def edit(path: str, value: Any):
    """A change of one value at ``key.field.0.field``; None removes it."""

    def change(plain: dict[str, Any]) -> None:
        *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        target: Any = plain
        for step in way:
            target = target[step]
        if value is None:
            del target[last]
        else:
            target[last] = value

    return change


MISTAKES = [
    ("board.categories.5", None, "A board needs six categories and this one has 5."),
    ("board.categories.0.die", 2, "Category public needs a die face from 1 to 6 that no other"),
    ("board.categories.0.die", 7, "Category public needs a die face from 1 to 6 that no other"),
    ("board.categories.0.label", " ", "Category public: the name is missing. Write it."),
    ("board.categories.0.properties", ["harbor"], "Category public lists other properties"),
    ("board.properties.0.price", 0, "Property harbor needs a price in whole fish, at least 1."),
    ("board.properties.0.price", 2.5, "Property harbor needs a price in whole fish, at least 1."),
    ("board.properties.0.price", True, "Property harbor needs a price in whole fish, at least 1."),
    ("board.properties.0.category", "sea", "Property harbor belongs to no category of the board."),
    ("board.properties.0.id", "house", "Two of the properties have the id house."),
    ("board.properties.0.id", "", "One of the properties has no id."),
    ("board.squares.3.index", 4, "Square 3 carries another number. Number the squares from 0 on."),
    ("board.squares.3.kind", "zoo", "Square 3 is of no known kind. Choose one from the list."),
    ("board.squares.3.category", "sea", "Square 3 must name a category of the board"),
    ("board.squares.3.category", None, "Square 3 must name a category of the board"),
    ("board.squares.2.category", "public", "Square 2 must name a category of the board"),
    ("board.squares.6.team", "green", "Square 6 must name red or blue"),
    ("board.squares.6.team", "blue", "Red has 1 insurance squares and blue 3."),
    (
        "board.squares.3.label",
        "x" * 601,
        "Square 3: the name is longer than 600 characters. Shorten",
    ),
    ("board.squares.2.kind", "prison", "The board needs exactly one Prison square and has 2."),
    ("board.squares.12.kind", "joker", "The board needs exactly one Central Bank square and has 0"),
    ("board.squares.2.kind", "start", "The board needs exactly one Start square and has 2."),
    ("board.fish_total", 11, "The fish of the board must be whole numbers, and enough"),
    ("board.starting_fish", -1, "The fish of the board must be whole numbers, and enough"),
    ("board.fish_total", "many", "The fish of the board must be whole numbers, and enough"),
    ("board.die", {"count": 2, "faces": 6}, "The game is played with one die of six faces."),
    ("board.length", 40, "The board says that it has 40 squares, but it lists 48."),
    ("board.title", 7, "The board: the title is missing. Write it."),
    ("board.shared_properties.0.label", "", "Shared property bridge: the name is missing."),
    ("corruption.cards", [], "The deck is empty. Add at least one card."),
    ("corruption.cards.0.id", "C02", "Two of the cards have the id C02. Change one of them."),
    ("corruption.cards.0.why", None, "Card C01: the “why it matters” line is missing. Write it."),
    ("corruption.cards.0.miss_turns", 3, "Card C01: missed turns must be 0, 1 or 2."),
    ("corruption.cards.0.fish", 5, "Card C01: the fine must be a whole number of fish from 0 to 4"),
    ("corruption.cards.0.fish", -1, "Card C01: the fine must be a whole number of fish from 0 to"),
    ("national.cards.0.shared_property", "zoo", "Card N01 names nothing that both villages share."),
    ("national.cost", 3, "Every national disaster costs 2 fish, 1 if insured."),
    ("national.insured_cost", 0, "Every national disaster costs 2 fish, 1 if insured."),
    ("local.cards.0.property", "zoo", "Card L01 names no property of the board."),
    ("local.cards.0", None, "No card strikes the property power_station. Add one."),
    ("donation.cards.0.category", "sea", "Card D01 names no category of the board. Choose one."),
    ("donation.discount_pct", 40, "A donation always halves the price."),
    ("qa.cards.0.difficulty", 0, "Card Q01: the difficulty must be 1, 2 or 3."),
    ("qa.cards.0.difficulty", 4, "Card Q01: the difficulty must be 1, 2 or 3."),
    ("qa.cards.0.correct", "e", "Card Q01: mark which of the answers a to d is right."),
    ("qa.cards.0.options.a", None, "Card Q01 needs four answers, a to d. Write those"),
    ("qa.cards.0.options.a", " ", "Card Q01 needs four answers, a to d. Write those"),
    ("qa.cards.0.options.e", "at 50", "Card Q01 needs four answers, a to d. Write those"),
    ("qa.cards.0.options.a", " AT 18 ", "Card Q01 has the same answer twice. Change one of them."),
]  # fmt: skip


@pytest.mark.rule("COR-BOARD-4", "COR-DECK-1")
@pytest.mark.parametrize(("path", "value", "sentence"), MISTAKES)
def test_mistake_is_refused_with_a_sentence_that_names_it(plain, path, value, sentence):
    edit(path, value)(plain)

    found = sentences(path.split(".")[0], plain)

    matching = [each for each in found if each[2].startswith(sentence)]
    assert len(matching) == 1
    with pytest.raises(ContentRefused):
        parse(plain)


@pytest.mark.rule("COR-BOARD-4")
@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("inspector", "The board has no Inspector. Add one."),
        ("category", "Category public has no square. Give it one on the board."),
    ],
)
def test_missing_squares_are_named(plain, kind, sentence):
    for each in plain["board"]["squares"]:
        if each["kind"] == kind:
            each["kind"] = "joker"
            each.pop("category", None)

    assert sentence in [text for _, _, text in sentences("board", plain)]


@pytest.mark.rule("COR-BOARD-4")
def test_start_must_be_the_first_square(plain):
    plain["board"]["squares"][0].update(kind="joker")
    plain["board"]["squares"][18].update(kind="start")

    assert sentences("board", plain) == [
        ("start", "COR-BOARD-4", "Start must be the first square. Move it there.")
    ]


@pytest.mark.rule("COR-BOARD-4")
def test_category_count_and_lonely_category_are_told_apart(plain):
    plain["board"]["categories"].append(
        {"id": "sea", "die": 1, "label": "Sea", "color_name": "blue", "color": "#0000FF"}
    )

    assert sentences("board", plain) == [
        (
            "categories",
            "COR-BOARD-4",
            "A board needs six categories and this one has 7. Add or remove some.",
        ),
        (
            "public",
            "COR-BOARD-4",
            "Category public needs a die face from 1 to 6 that no other category has.",
        ),
        (
            "sea",
            "COR-BOARD-4",
            "Category sea needs a die face from 1 to 6 that no other category has.",
        ),
        ("sea", "COR-BOARD-4", "Category sea has no square. Give it one on the board."),
        ("sea", "COR-BOARD-4", "Category sea has no property. Give it one."),
    ]


@pytest.mark.rule("COR-DECK-2")
def test_own_deck_replaces_the_starter_deck(plain):
    plain["corruption"] = {
        "cards": [
            {
                "id": "X1",
                "topic": "gifts",
                "miss_turns": 0,
                "fish": 1,
                "text": "You keep a gift.",
                "why": "Gifts buy favours.",
                "picture": "watch.webp",
            }
        ]
    }

    content = parse(plain)

    assert [(card.id, card.fish) for card in content.corruption.values()] == [("X1", 1)]


@pytest.mark.rule("COR-DECK-2")
@pytest.mark.parametrize("key", KEYS)
def test_missing_content_is_refused_before_the_game(plain, key):
    del plain[key]

    with pytest.raises(ContentRefused) as refused:
        parse(plain)

    assert [each.kind for each in refused.value.problems if not each.place] == [key]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("board.fish_total", 12),
        ("board.starting_fish", 0),
        ("board.starting_fish", 50),
        ("board.properties.0.price", 1),
        ("corruption.cards.0.text", "x" * 600),
        ("corruption.cards.0.miss_turns", 0),
        ("corruption.cards.0.miss_turns", 2),
        ("corruption.cards.0.fish", 0),
        ("corruption.cards.0.fish", 4),
        ("qa.cards.0.difficulty", 1),
        ("qa.cards.0.difficulty", 3),
    ],
)
def test_values_at_their_limits_are_accepted(plain, path, value):
    edit(path, value)(plain)

    assert check(path.split(".")[0], plain) == ()


def test_deck_alone_is_checked_as_far_as_it_can_be():
    assert check("local", {"local": STARTER["local"]}) == ()
    assert check("qa", {"qa": STARTER["qa"]}) == ()


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def paths(value: Any, way: tuple[Any, ...] = ()):
    """Every place inside plain values."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*way, key)
            yield from paths(inner, (*way, key))
    if isinstance(value, list):
        for place, inner in enumerate(value):
            yield (*way, place)
            yield from paths(inner, (*way, place))


PATHS = tuple(paths(STARTER))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PATHS), junk), min_size=1, max_size=3))
def test_any_damage_is_either_harmless_or_refused_in_words(damage):
    plain = copy.deepcopy(STARTER)
    for (*way, last), value in damage:
        target: Any = plain
        for step in way:
            try:
                target = target[step]
            except (KeyError, IndexError, TypeError):
                break
        if isinstance(target, dict) or (isinstance(target, list) and isinstance(last, int)):
            try:
                target[last] = value
            except IndexError:
                continue

    problems = [problem for key in KEYS for problem in check(key, plain)]

    assert all(english(problem.text) for problem in problems)
    if not problems:
        assert parse(plain).board.squares
