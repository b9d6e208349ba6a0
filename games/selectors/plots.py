"""How teams fared turn by turn, as lines to be drawn: where everything stands in the picture.

Measures are units of the picture's own width and height. From right to left the
picture is mirrored; its words are not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.engine.game import Figure
from games.engine.story import Mark

STEP = 22  # from one turn to the next, at least
START, END = 44, 46  # room for numbers before the lines and for letters behind them
NARROWEST = 1000
ROOM = 110  # of one figure's lines
GAP = 34  # above the lines, for their name
SYMBOL = 18
LETTER = 19  # from one team's letter to the next, at least
NUMBERS = 5  # on an axis, at most
APART = 40  # from one number of a turn to the next, at least
EVERY = (5, 10, 20, 50, 100)  # turns from one number to the next

Across = Callable[[float], float]  # where a place of the rows lies


@dataclass(frozen=True)
class Line:
    """One team's figure over the turns."""

    seat: int
    path: str
    end_x: float
    end_y: float
    letter_y: float  # beside the end, clear of the other teams' letters


@dataclass(frozen=True)
class Ticks:
    """A number of an axis."""

    at: float
    number: int


@dataclass(frozen=True)
class Lines:
    """One figure of all teams."""

    figure: Figure  # its words
    top: float
    bottom: float
    name_y: float
    ticks: tuple[Ticks, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Sign:
    """Where a landmark stands."""

    x: float
    y: float
    mark: Mark
    turn: int


@dataclass(frozen=True)
class Plot:
    """The whole picture."""

    width: float
    height: float
    first_x: float
    last_x: float
    numbers_x: float
    panels: tuple[Lines, ...]
    lanes: tuple[tuple[int, float], ...]  # seat, middle of its signs
    signs: tuple[Sign, ...]
    ticks: tuple[Ticks, ...]  # turns
    ticks_y: float
    anchor: str  # of the numbers, away from the lines


@dataclass(frozen=True)
class Row:
    """One turn: its number, the figures by seat, what came up."""

    number: int
    standing: tuple[tuple[Figure, ...], ...]
    marks: tuple[Mark, ...]


def plot(rows: Sequence[Row], *, mirrored: bool = False, width: float | None = None) -> Plot | None:
    """The picture of these turns; None where there is nothing to draw lines through.

    ``width``: all turns in so much room, seen from afar: without landmarks.
    """
    if len(rows) < 2 or not rows[0].standing or not rows[0].standing[0]:
        return None
    afar = width is not None
    width = width or max(NARROWEST, START + END + STEP * (len(rows) - 1))
    step = (width - START - END) / (len(rows) - 1)

    def x(place: float) -> float:
        straight = START + step * place
        return round(width - straight if mirrored else straight, 1)

    panels = []
    y = 0.0
    for number, figure in enumerate(rows[0].standing[0]):
        panels.append(_panel(rows, number, figure, y, x))
        y += GAP + ROOM
    signs, lanes, y = ((), (), y) if afar else _signs(rows, y + 14, x)
    every = next((number for number in EVERY if number * step >= APART), EVERY[-1])
    return Plot(
        width=width,
        height=y + 30,
        first_x=x(0),
        last_x=x(len(rows) - 1),
        numbers_x=round(x(0) + (10 if mirrored else -10), 1),
        panels=tuple(panels),
        lanes=lanes,
        signs=signs,
        ticks=tuple(
            Ticks(x(place), row.number)
            for place, row in enumerate(rows)
            if row.number and (row.number == 1 or row.number % every == 0)
        ),
        ticks_y=y + 16,
        anchor="start" if mirrored else "end",
    )


def _panel(rows: Sequence[Row], number: int, figure: Figure, y: float, x: Across) -> Lines:
    seats = range(len(rows[0].standing))
    values = [[row.standing[seat][number].value for row in rows] for seat in seats]
    most = max(figure.out_of or 0, 1, *(max(of_seat) for of_seat in values))
    top, bottom = y + GAP, y + GAP + ROOM - 12

    def height(value: float, seat: int) -> float:
        apart = 3 * (seat - (len(seats) - 1) / 2)  # equal numbers stay two lines
        return round(bottom - (bottom - top) * value / most - apart, 1)

    ends = [height(values[seat][-1], seat) for seat in seats]
    letters = _apart(ends)
    lines = []
    for seat in seats:
        path = f"M{x(0)} {height(values[seat][0], seat)}"
        for place in range(1, len(rows)):
            path += f"H{x(place)}V{height(values[seat][place], seat)}"
        lines.append(
            Line(
                seat=seat,
                path=path,
                end_x=x(len(rows) - 1),
                end_y=ends[seat],
                letter_y=letters[seat],
            )
        )
    every = max(1, -(-most // NUMBERS))
    return Lines(
        figure=figure,
        top=top,
        bottom=bottom,
        name_y=y + GAP - 14,
        ticks=tuple(
            Ticks(round(bottom - (bottom - top) * value / most, 1), value)
            for value in range(0, most + 1, every)
        ),
        lines=tuple(lines),
    )


def _apart(ends: Sequence[float]) -> list[float]:
    """Places for letters as near to the ends as they may be without covering each other."""
    order = sorted(range(len(ends)), key=lambda seat: ends[seat])
    places = [ends[seat] for seat in order]
    for below in range(1, len(places)):
        missing = LETTER - (places[below] - places[below - 1])
        if missing > 0:
            places[below - 1] -= missing / 2
            places[below] += missing / 2
    found = [0.0] * len(ends)
    for seat, place in zip(order, places, strict=True):
        found[seat] = round(place, 1)
    return found


def _signs(
    rows: Sequence[Row], top: float, x: Across
) -> tuple[tuple[Sign, ...], tuple[tuple[int, float], ...], float]:
    """The landmarks below the lines, one lane a team, those of one turn above each other."""
    signs: list[Sign] = []
    lanes: list[tuple[int, float]] = []
    for seat in range(len(rows[0].standing)):
        highest = 1
        for place, row in enumerate(rows):
            own = [mark for mark in row.marks if mark.seat == seat]
            highest = max(highest, len(own))
            signs.extend(
                Sign(x=x(place), y=top + SYMBOL * (level + 0.5), mark=mark, turn=row.number)
                for level, mark in enumerate(own)
            )
        lanes.append((seat, top + SYMBOL / 2))
        top += SYMBOL * highest + 8
    return tuple(signs), tuple(lanes), top
