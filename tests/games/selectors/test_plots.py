"""Where the lines of a story stand: its numbers, its mirror image, its signs."""

from __future__ import annotations

from itertools import pairwise

from games.engine.game import Figure
from games.engine.story import Mark
from games.engine.text import say
from games.selectors.plots import Row, plot


def row(number: int, *built: int, marks: tuple[Mark, ...] = ()) -> Row:
    return Row(
        number,
        tuple(
            (Figure(symbol="house", value=value, out_of=10, label=say("Built")),) for value in built
        ),
        marks,
    )


def card(seat: int) -> Mark:
    return Mark(kind="card", symbol="corruption", seat=seat, label=say("Card"))


def test_lines_rise_with_their_numbers():
    drawn = plot([row(0, 0, 0), row(1, 5, 0), row(2, 10, 0)])

    assert drawn is not None
    red, blue = drawn.panels[0].lines
    heights = {tick.number: tick.at for tick in drawn.panels[0].ticks}
    assert [red.end_y - 1.5, blue.end_y + 1.5] == [heights[10], heights[0]]
    assert red.path.startswith(f"M{drawn.first_x} ")
    assert red.path.count("V") == 2


def test_equal_numbers_stay_two_lines():
    drawn = plot([row(0, 3, 3), row(1, 3, 3)])

    assert drawn is not None
    red, blue = drawn.panels[0].lines
    assert red.end_y != blue.end_y
    assert abs(red.letter_y - blue.letter_y) >= 19


def test_letters_of_lines_that_end_at_nothing_stay_above_the_numbers_of_the_turns():
    drawn = plot([row(0, 4, 4), row(1, 0, 0)], width=400)

    assert drawn is not None
    panel = drawn.panels[0]
    letters = [line.letter_y for line in panel.lines]
    assert max(letters) <= panel.bottom
    assert abs(letters[0] - letters[1]) > drawn.badge


def test_right_to_left_is_mirrored():
    rows = [row(0, 0, 0), row(1, 1, 2, marks=(card(0),)), row(2, 3, 4)]

    left, right = plot(rows), plot(rows, mirrored=True)

    assert left is not None
    assert right is not None
    assert right.first_x == left.width - left.first_x
    assert right.signs[0].x == left.width - left.signs[0].x
    assert (left.anchor, right.anchor) == ("end", "start")


def test_signs_of_one_turn_stand_in_their_teams_lane_and_above_each_other():
    drawn = plot([row(0, 0, 0), row(1, 1, 1, marks=(card(0), card(0), card(1)))])

    assert drawn is not None
    first, second, other = drawn.signs
    lanes = dict(drawn.lanes)
    assert first.y == lanes[0]
    assert first.y < second.y < other.y == lanes[1]


def test_every_turn_has_room():
    drawn = plot([row(number, 0, 0) for number in range(200)])

    assert drawn is not None
    assert (drawn.last_x - drawn.first_x) / 199 >= 20


def test_nothing_is_drawn_through_one_point_or_without_figures():
    assert plot([row(0, 1, 2)]) is None
    assert plot([Row(0, ((), ()), ()), Row(1, ((), ()), ())]) is None


def test_from_afar_all_turns_have_the_room_that_there_is_and_no_signs():
    rows = [row(number, 0, 0, marks=(card(0),)) for number in range(120)]

    drawn = plot(rows, width=430)

    assert drawn is not None
    assert (drawn.width, drawn.signs, drawn.lanes) == (430, (), ())
    places = [tick.at for tick in drawn.ticks]
    assert [tick.number for tick in drawn.ticks] == [1, 50, 100]
    assert min(after - before for before, after in pairwise(places)) > 70


def test_seen_from_afar_there_are_few_numbers_and_room_for_large_letters():
    rows = [row(number, number % 11, number % 7) for number in range(201)]

    near, afar = plot(rows), plot(rows, width=430)

    assert near is not None
    assert afar is not None
    assert [tick.number for tick in afar.ticks] == [1, 100, 200]
    assert [tick.number for tick in afar.panels[0].ticks] == [0, 4, 8]
    assert len(near.panels[0].ticks) > len(afar.panels[0].ticks)
    red, blue = afar.panels[0].lines
    assert abs(red.letter_y - blue.letter_y) > afar.badge > near.badge
    assert afar.ticks_y < afar.height
